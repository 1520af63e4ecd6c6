package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateFlagProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteSnapshotResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.Rename2RequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.Rename2ResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ReportBadBlocksRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ReportBadBlocksResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrResponseProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.namenode.calls.ConvertedWrites.Prepared;
import org.braid.hdfs.namenode.host.AuditLog;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeMetrics.Count;
import org.braid.hdfs.namenode.moves.MovesBeside;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's client protocol, in front of HDFS's own implementation: prepares writes, guards stripes.
 */
public class GuardedCalls extends ClientNamenodeProtocolServerSideTranslatorPB {

  private final NameNodeHost host;
  private final StripeGuard guard;
  private final AuditLog audit;
  private final FsckGuard fscks;
  private final ConvertedWrites writes;
  private final SafeRemovals removals;
  private final HeldCuts cuts;
  private final ClientReports reports;

  /** Wraps the client protocol of a NameNode. */
  public GuardedCalls(
      NameNodeHost host,
      StripeGuard guard,
      FsckGuard fscks,
      ConvertedWrites writes,
      SafeRemovals removals,
      ClientReports reports)
      throws IOException {
    super(host.calls());
    this.reports = reports;
    this.fscks = fscks;
    this.removals = removals;
    this.cuts = new HeldCuts(host, writes, removals);
    this.host = host;
    this.guard = guard;
    this.audit = new AuditLog(host);
    this.writes = writes;
  }

  /** Sets replication; if a user asks for more than one replica, encoded blocks get them, too. */
  @Override
  public SetReplicationResponseProto setReplication(
      RpcController controller, SetReplicationRequestProto request) throws ServiceException {
    check(
        "setReplication",
        request.getSrc(),
        () -> guard.againstReplicas(request.getSrc(), request.getReplication()));
    if (request.getReplication() <= 1) {
      return super.setReplication(controller, request);
    }
    long before = called(() -> writes.replication().fileAt(request.getSrc()));
    SetReplicationResponseProto answer = super.setReplication(controller, request);
    if (answer.getResult()) {
      called(() -> writes.replication().set(before, request.getSrc(), request.getReplication()));
    }
    return answer;
  }

  /** Deletes a path, but neither parity in use nor blocks that lost blocks need. */
  @Override
  public @Nullable DeleteResponseProto delete(RpcController controller, DeleteRequestProto request)
      throws ServiceException {
    checkRemoval("delete", request.getSrc());
    String path = request.getSrc();
    return removing(
        request.getRecursive() ? Removal.tree(path) : Removal.file(path),
        () -> super.delete(controller, request));
  }

  /** Deletes a snapshot, but no blocks that lost blocks need. */
  @Override
  public @Nullable DeleteSnapshotResponseProto deleteSnapshot(
      RpcController controller, DeleteSnapshotRequestProto request) throws ServiceException {
    Removal snapshot = Removal.snapshot(request.getSnapshotRoot(), request.getSnapshotName());
    return removing(
        snapshot,
        () ->
            writes
                .others()
                .countedInSnapshot(snapshot, () -> super.deleteSnapshot(controller, request)));
  }

  /** A call that removes blocks; null when the answer comes later. */
  private <T extends Message> @Nullable T removing(Removal removal, LateAnswer.Stock<T> stock)
      throws ServiceException {
    // When the call is repeated because its answer was lost, nothing is removed any more.
    if (HadoopInternals.isRemembered(host.namesystem())) {
      return stock.call();
    }
    PendingRemoval pending = look(removal);
    if (pending.goesAtOnce()) {
      return removals.carryOut(pending, stock);
    }
    called(
        () -> {
          removals.later(
              pending,
              (answer, again) -> answer.send(() -> removals.carryOut(again, durable(stock))));
          return true;
        });
    return null;
  }

  private PendingRemoval look(Removal removal) throws ServiceException {
    return called(() -> removals.look(removal));
  }

  /** Renames a path, but no parity in use. */
  @Override
  public RenameResponseProto rename(RpcController controller, RenameRequestProto request)
      throws ServiceException {
    checkRemoval("rename", request.getSrc());
    return renaming(request.getSrc(), request.getDst(), () -> super.rename(controller, request));
  }

  private <T> T renaming(String from, String to, LateAnswer.Stock<T> stock)
      throws ServiceException {
    List<String> sources = List.of(from);
    return moving(
        "rename",
        sources,
        to,
        () -> {
          T answer = besideRemovals("rename", sources, to, stock);
          renamed(to);
          return answer;
        });
  }

  /** A call that gives files another path. */
  private <T> T moving(String command, List<String> from, String to, LateAnswer.Stock<T> stock)
      throws ServiceException {
    try (FsckGuard.Move move = fscks.move(from, to)) {
      Optional<String> against = called(move::against);
      if (against.isPresent()) {
        refused(command, to);
        throw new ServiceException(new AccessControlException(against.get()));
      }
      T answer = stock.call();
      called(
          () -> {
            move.made();
            return true;
          });
      return answer;
    }
  }

  private <T> T besideRemovals(
      String command, List<String> from, String to, LateAnswer.Stock<T> stock)
      throws ServiceException {
    MovesBeside.Move beside;
    try {
      beside = removals.move(from, to);
    } catch (IOException e) {
      refused(command, to);
      throw new ServiceException(e);
    }
    try (beside) {
      return moved(beside, stock);
    }
  }

  /** Makes a move; removals at its paths check again unless HDFS answers that it moved nothing. */
  static <T> T moved(MovesBeside.Move beside, LateAnswer.Stock<T> stock) throws ServiceException {
    boolean made = true;
    try {
      T answer = stock.call();
      made = !(answer instanceof RenameResponseProto renamed) || renamed.getResult();
      return answer;
    } catch (ServiceException e) {
      made = !(e.getCause() instanceof IOException);
      throw e;
    } finally {
      if (made) {
        beside.made();
      }
    }
  }

  /** Renames a path, but overwrites neither parity in use nor blocks that lost blocks need. */
  @Override
  public @Nullable Rename2ResponseProto rename2(
      RpcController controller, Rename2RequestProto request) throws ServiceException {
    checkRemoval("rename", request.getSrc());
    LateAnswer.Stock<Rename2ResponseProto> stock =
        () ->
            renaming(request.getSrc(), request.getDst(), () -> super.rename2(controller, request));
    if (!request.getOverwriteDest()) {
      return stock.call();
    }
    checkRemoval("rename", request.getDst());
    return request.getSrc().equals(request.getDst())
        ? stock.call()
        : removing(Removal.replaced(request.getDst(), request.getSrc()), stock);
  }

  /** Creates a file, but overwrites neither parity in use nor blocks that lost blocks need. */
  @Override
  public @Nullable CreateResponseProto create(RpcController controller, CreateRequestProto request)
      throws ServiceException {
    checkRemoval("create", request.getSrc());
    LateAnswer.Stock<CreateResponseProto> stock = () -> super.create(controller, request);
    return (request.getCreateFlag() & CreateFlagProto.OVERWRITE_VALUE) == 0
        ? stock.call()
        : removing(Removal.content(request.getSrc()), stock);
  }

  /** Removes an attribute, except the description of a stripe. */
  @Override
  public RemoveXAttrResponseProto removeXAttr(
      RpcController controller, RemoveXAttrRequestProto request) throws ServiceException {
    checkRemoval("removeXAttr", request.getSrc());
    return super.removeXAttr(controller, request);
  }

  /** Sets an attribute, except a stripe's description and impossible EAR settings. */
  @Override
  public SetXAttrResponseProto setXAttr(RpcController controller, SetXAttrRequestProto request)
      throws ServiceException {
    Optional<IOException> against =
        called(
            () ->
                guard.againstAttribute(
                    request.getSrc(), PBHelperClient.convertXAttr(request.getXAttr())));
    if (against.isPresent()) {
      refused("setXAttr", request.getSrc());
      throw new ServiceException(against.get());
    }
    return super.setXAttr(controller, request);
  }

  private void refused(String command, String path) throws ServiceException {
    host.metrics().count(Count.CALLS_REFUSED);
    try {
      audit.refused(command, path);
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }

  private void renamed(String path) throws ServiceException {
    try {
      guard.renamed(path);
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }

  private void checkRemoval(String command, String path) throws ServiceException {
    check(command, path, () -> guard.againstRemoval(path));
  }

  private void check(String command, String path, NameNodeHost.Work<Optional<String>> look)
      throws ServiceException {
    Optional<String> against =
        called(
            () -> {
              host.lookUpCaller();
              return look.run();
            });
    if (against.isPresent()) {
      refused(command, path);
      throw new ServiceException(new AccessControlException(against.get()));
    }
  }

  /** Reports corrupt replicas; the worker first reads those of encoded blocks. */
  @Override
  public ReportBadBlocksResponseProto reportBadBlocks(
      RpcController controller, ReportBadBlocksRequestProto request) throws ServiceException {
    ClientReports.Parts parts = called(() -> reports.parts(request));
    ReportBadBlocksResponseProto answer = super.reportBadBlocks(controller, parts.others());
    called(
        () -> {
          reports.read(parts.encoded());
          return true;
        });
    return answer;
  }

  /** Appends to a file; returns null when the call is answered later. */
  @Override
  public @Nullable AppendResponseProto append(RpcController controller, AppendRequestProto request)
      throws ServiceException {
    return appendPrepared(controller, request);
  }

  /**
   * Appends to a file; new data begins in a new block when the last block is encoded. A client that
   * did not request a new block gets no last block, as if the last block was full.
   */
  protected final AppendResponseProto appendPrepared(
      RpcController controller, AppendRequestProto request) throws ServiceException {
    checkRemoval("append", request.getSrc());
    Prepared prepared = called(() -> writes.prepare(request.getSrc()));
    int flags = request.hasFlag() ? request.getFlag() : CreateFlagProto.APPEND_VALUE;
    int newBlock = CreateFlagProto.NEW_BLOCK_VALUE;
    AppendRequestProto asked =
        prepared.lastIsEncoded() ? request.toBuilder().setFlag(flags | newBlock).build() : request;
    AppendResponseProto answer =
        writes.made(
            prepared,
            () -> super.append(controller, asked),
            made -> isOpened(prepared, made, request, asked.equals(request)));
    // Also when it is repeated, and HDFS remembers the answer.
    boolean unasked = (flags & newBlock) == 0;
    return unasked && answer.hasBlock() && answer.getBlock().getLocsCount() == 0
        ? answer.toBuilder().clearBlock().build()
        : answer;
  }

  /** Whether HDFS has opened the file that was prepared; another one may have to be closed. */
  private boolean isOpened(
      Prepared prepared, AppendResponseProto made, AppendRequestProto request, boolean asked)
      throws IOException {
    long opened = made.getStat().getFileId();
    if (!made.hasStat() || prepared.isFor(opened)) {
      return true;
    }
    Optional<IOException> against =
        writes.others().opened(request.getSrc(), request.getClientName(), opened, asked);
    if (against.isPresent()) {
      audit.refused("append", request.getSrc());
      throw against.get();
    }
    return false;
  }

  /** Adds a block, also for clients that name no previous one because that is encoded. */
  @Override
  public AddBlockResponseProto addBlock(RpcController controller, AddBlockRequestProto request)
      throws ServiceException {
    Optional<ExtendedBlock> last =
        request.hasPrevious() ? Optional.empty() : writes.encodedLast(request.getFileId());
    return super.addBlock(
        controller,
        last.isEmpty()
            ? request
            : request.toBuilder().setPrevious(PBHelperClient.convert(last.get())).build());
  }

  /** Concatenates files; all blocks except encoded ones get the target's replication. */
  @Override
  public ConcatResponseProto concat(RpcController controller, ConcatRequestProto request)
      throws ServiceException {
    return moving(
        "concat",
        request.getSrcsList(),
        request.getTrg(),
        () ->
            joined(
                request,
                () ->
                    besideRemovals(
                        "concat",
                        request.getSrcsList(),
                        request.getTrg(),
                        () -> super.concat(controller, request))));
  }

  private ConcatResponseProto joined(
      ConcatRequestProto request, LateAnswer.Stock<ConcatResponseProto> stock)
      throws ServiceException {
    List<Prepared> all = new ArrayList<>();
    ConcatResponseProto answer;
    boolean joined = false;
    try {
      checkRemoval("concat", request.getTrg());
      all.add(called(() -> writes.prepare(request.getTrg())));
      for (String source : request.getSrcsList()) {
        checkRemoval("concat", source);
        all.add(called(() -> writes.prepareSource(source)));
      }
      answer = stock.call();
      List<Prepared> sources = all.subList(1, all.size());
      joined = writes.others().areJoined(all.get(0), sources, request.getTrg());
      writes.keepEncoded(all.stream().flatMap(p -> p.encoded().stream()).toList());
    } catch (IOException e) {
      throw new ServiceException(e);
    } finally {
      all.forEach(writes::done);
      if (!joined) {
        all.forEach(writes::undo);
      }
    }
    return answer;
  }

  /** Truncates a file; an encoded block that is cut first gets its replicas back. */
  @Override
  public @Nullable TruncateResponseProto truncate(
      RpcController controller, TruncateRequestProto request) throws ServiceException {
    checkRemoval("truncate", request.getSrc());
    return cuts.cut(request, () -> super.truncate(controller, request));
  }

  /** A write that is answered later, and not before it is in the edit log on disk. */
  private <T> LateAnswer.Stock<T> durable(LateAnswer.Stock<T> write) {
    return LateAnswer.durable(host, write);
  }

  /**
   * An append that is answered later. It is not made if the client has given up, or if another file
   * has the path by then.
   */
  protected final <T> LateAnswer.Stock<T> late(String path, LateAnswer.Stock<T> append)
      throws IOException {
    long present = fileAt(path);
    return durable(
        () -> {
          called(
              () -> {
                boolean awaited =
                    LateAnswer.toPresentCall().filter(LateAnswer::isAwaited).isPresent();
                if (!awaited || fileAt(path) != present) {
                  audit.refused("append", path);
                  throw new IOException(
                      awaited
                          ? path + " is not what it was when this call came"
                          : "whoever called is gone");
                }
                return true;
              });
          return append.call();
        });
  }

  private long fileAt(String path) throws IOException {
    return host.readingFiles(
        "braidLate",
        () -> {
          INode inode = host.inode(path);
          return inode == null ? 0L : inode.getId();
        });
  }

  /** Does something whose failure is the call's. */
  private static <T> T called(NameNodeHost.Work<T> work) throws ServiceException {
    try {
      return work.run();
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }
}
