package org.braid.hdfs.namenode.deferral;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBatchedListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBatchedListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.ObserverRetryOnActiveException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.calls.ClientReports;
import org.braid.hdfs.namenode.calls.ConvertedWrites;
import org.braid.hdfs.namenode.calls.FsckGuard;
import org.braid.hdfs.namenode.calls.GuardedCalls;
import org.braid.hdfs.namenode.calls.LateAnswer;
import org.braid.hdfs.namenode.calls.SafeRemovals;
import org.braid.hdfs.namenode.calls.StripeGuard;
import org.braid.hdfs.namenode.host.CallerRights;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.rpc.CallerContexts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves HDFS's client protocol in front of HDFS's own implementation. If a call needs lost blocks
 * that can be rebuilt and a coordinator is at work, the call is answered when they are rebuilt. All
 * other calls are answered at once. Answers name no suspect node for a block that has other nodes.
 *
 * <p>Java clients ask for the locations of ten blocks. They ask again when they reach a block
 * without a replica, but only after a pause of seconds. They need the block at the offset, and
 * benefit if the other blocks are there, too. Other clients never ask again and need their whole
 * range. Braid's own client rebuilds lost blocks itself and never waits.
 */
final class DeferringCalls extends GuardedCalls {
  private static final Logger LOG = LoggerFactory.getLogger(DeferringCalls.class);

  /** Blocks that HDFS's client in Java asks for when it opens a file. */
  private static final int PREFETCHED_BLOCKS = 10;

  private final NameNodeHost host;
  private final LostBlocks lostBlocks;
  private final NamedNodes.Known known;
  private final NamedNodes named;
  private final Demands demands;
  private final UserDemands waiting;
  private final long defaultBlockSize;

  DeferringCalls(
      NameNodeHost host,
      StripeGuard guard,
      FsckGuard fscks,
      ConvertedWrites writes,
      SafeRemovals removals,
      ClientReports reports,
      LostBlocks lostBlocks,
      Demands demands,
      UserDemands waiting)
      throws IOException {
    super(host, guard, fscks, writes, removals, reports);
    this.host = host;
    this.lostBlocks = lostBlocks;
    this.known = new KnownHere(host, lostBlocks);
    this.named = new NamedNodes(known);
    this.demands = demands;
    this.waiting = waiting;
    this.defaultBlockSize =
        host.conf()
            .getLongBytes(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, DFSConfigKeys.DFS_BLOCK_SIZE_DEFAULT);
  }

  @Override
  public @Nullable GetBlockLocationsResponseProto getBlockLocations(
      RpcController controller, GetBlockLocationsRequestProto request) throws ServiceException {
    // First: HDFS may write the client's port behind it, for its audit log.
    boolean direct = CallerContexts.isDirect();
    GetBlockLocationsResponseProto stock = located(controller, request);
    if (!stock.hasLocations()) {
      return stock;
    }
    LocatedBlocksProto locations = stock.getLocations();
    if (!direct && host.isObserver()) {
      sendToActive(request, locations);
    }
    if (!direct && demands.mayBeServed()) {
      Wanted wanted = wanted(request, locations);
      if (wanted.any()
          && defer(
              wanted.needed, wanted.useful, () -> named.in(located(controller, request), false))) {
        return null;
      }
    }
    return named.in(stock, direct);
  }

  /**
   * HDFS's own answer, with copies on nodes in maintenance where encoded blocks have no others:
   * HDFS tells of none, as it expects others to be there.
   */
  private GetBlockLocationsResponseProto located(
      RpcController controller, GetBlockLocationsRequestProto request) throws ServiceException {
    GetBlockLocationsResponseProto stock = super.getBlockLocations(controller, request);
    LocatedBlocksProto locations = stock.getLocations();
    Set<Long> without = new HashSet<>();
    locations.getBlocksList().stream()
        .filter(DeferringCalls::hasNoCopy)
        .forEach(block -> without.add(block.getB().getBlockId()));
    if (without.isEmpty()) {
      return stock;
    }
    try {
      Map<Long, ReplicaView> copies = lostBlocks.inMaintenance(without);
      return copies.isEmpty()
          ? stock
          : stock.toBuilder().setLocations(with(copies, locations)).build();
    } catch (IOException e) {
      LOG.warn("{} is answered as HDFS does: {}", request.getSrc(), e.getMessage());
      return stock;
    }
  }

  private static boolean hasNoCopy(LocatedBlockProto block) {
    return block.getLocsCount() == 0
        && block.getBlockIndices().isEmpty()
        && block.getB().getNumBytes() > 0;
  }

  private static LocatedBlocksProto with(
      Map<Long, ReplicaView> copies, LocatedBlocksProto locations) {
    LocatedBlocksProto.Builder all = locations.toBuilder();
    for (int i = 0; i < all.getBlocksCount(); i++) {
      all.setBlocks(i, with(copies, all.getBlocks(i)));
    }
    return all.hasLastBlock()
        ? all.setLastBlock(with(copies, all.getLastBlock())).build()
        : all.build();
  }

  private static LocatedBlockProto with(Map<Long, ReplicaView> copies, LocatedBlockProto block) {
    ReplicaView copy = copies.get(block.getB().getBlockId());
    return copy == null || !hasNoCopy(block)
        ? block
        : block.toBuilder()
            .addLocs(PBHelperClient.convert(copy.node()))
            .addIsCached(false)
            .addStorageTypes(PBHelperClient.convertStorageType(copy.storage().getStorageType()))
            .addStorageIDs(copy.storage().getStorageID())
            .build();
  }

  /**
   * Has the active NameNode answer where an encoded block is lost, as HDFS's observers do for a
   * block without a replica: the active one alone knows whether somebody rebuilds it.
   */
  private void sendToActive(GetBlockLocationsRequestProto request, LocatedBlocksProto locations)
      throws ServiceException {
    for (LocatedBlockProto block : locations.getBlocksList()) {
      if (isLost(block) && lostBlocks.isEncoded(block.getB().getBlockId())) {
        throw new ServiceException(
            new ObserverRetryOnActiveException(
                "a block of "
                    + request.getSrc()
                    + " is lost: the active NameNode may have it"
                    + " rebuilt"));
      }
    }
  }

  @Override
  public @Nullable AppendResponseProto append(RpcController controller, AppendRequestProto request)
      throws ServiceException {
    if (demands.mayBeServed()) {
      Set<Long> last = lostLastBlock(request.getSrc());
      if (!last.isEmpty()) {
        LateAnswer.Stock<AppendResponseProto> append;
        try {
          append = late(request.getSrc(), () -> unsuspected(appendPrepared(controller, request)));
        } catch (IOException e) {
          throw new ServiceException(e);
        }
        if (defer(last, Set.of(), append)) {
          return null;
        }
      }
    }
    return unsuspected(appendPrepared(controller, request));
  }

  /** Lists a directory; locations in the listing name nodes as those of single files do. */
  @Override
  public GetListingResponseProto getListing(
      RpcController controller, GetListingRequestProto request) throws ServiceException {
    boolean direct = CallerContexts.isDirect();
    GetListingResponseProto stock = super.getListing(controller, request);
    return request.getNeedLocation() ? named.in(stock, direct) : stock;
  }

  /** Lists several directories; locations name nodes as those of single files do. */
  @Override
  public GetBatchedListingResponseProto getBatchedListing(
      RpcController controller, GetBatchedListingRequestProto request) throws ServiceException {
    boolean direct = CallerContexts.isDirect();
    GetBatchedListingResponseProto stock = super.getBatchedListing(controller, request);
    return request.getNeedLocation() ? named.in(stock, direct) : stock;
  }

  /** Lost blocks that a reader cannot do without, and others that it will come to. */
  private record Wanted(Set<Long> needed, Set<Long> useful) {
    boolean any() {
      return !needed.isEmpty() || !useful.isEmpty();
    }
  }

  private Wanted wanted(GetBlockLocationsRequestProto request, LocatedBlocksProto locations) {
    Set<Long> lost = new LinkedHashSet<>();
    long next = -1;
    for (LocatedBlockProto block : locations.getBlocksList()) {
      if (isLost(block)) {
        lost.add(block.getB().getBlockId());
        if (block.getOffset() <= request.getOffset()) {
          next = block.getB().getBlockId();
        }
      }
    }
    if (lost.isEmpty()) {
      return new Wanted(Set.of(), Set.of());
    }
    try {
      Set<Long> needed = new LinkedHashSet<>(lost);
      if (asksAgain(request)) {
        needed.retainAll(Set.of(next));
      }
      // What would not be waited for is not looked at, however large the file is.
      String user = NameNode.getRemoteUser().getShortUserName();
      if (!demands.hasRoom(user, needed)) {
        return new Wanted(Set.of(), Set.of());
      }
      if (!demands.hasRoom(user, lost)) {
        lost.retainAll(needed);
      }
      Set<Long> rebuildable = lostBlocks.rebuildable(lost);
      // Who gets an error for one block anyway must not wait for others.
      if (!rebuildable.containsAll(needed)) {
        return new Wanted(Set.of(), Set.of());
      }
      lost.retainAll(rebuildable);
      lost.removeAll(needed);
      return new Wanted(needed, lost);
    } catch (IOException e) {
      LOG.warn("{} is answered as HDFS does: {}", request.getSrc(), e.getMessage());
      return new Wanted(Set.of(), Set.of());
    }
  }

  /** Whether this is HDFS's client in Java opening a file or going on in it. */
  private boolean asksAgain(GetBlockLocationsRequestProto request) {
    return request.getLength() == PREFETCHED_BLOCKS * defaultBlockSize
        || request.getLength() == PREFETCHED_BLOCKS * blockSize(request.getSrc());
  }

  private long blockSize(String path) {
    try {
      return host.readingFiles(
          "braidBlockSize",
          () -> {
            INode inode = host.inode(path);
            return inode != null && inode.isFile() ? inode.asFile().getPreferredBlockSize() : 0;
          });
    } catch (IOException e) {
      return 0;
    }
  }

  /** The last block of a file that the caller may write, if it is lost and can be rebuilt. */
  private Set<Long> lostLastBlock(String path) {
    try {
      Optional<Long> last =
          host.readingFiles(
              "braidAppend",
              () -> {
                INode inode = host.inode(path);
                BlockInfo block =
                    inode != null && inode.isFile() ? inode.asFile().getLastBlock() : null;
                return block == null || block.isStriped()
                    ? Optional.empty()
                    : Optional.of(block.getBlockId());
              });
      if (last.isEmpty()) {
        return Set.of();
      }
      Set<Long> lost = lostBlocks.rebuildable(Set.of(last.get()));
      if (!lost.isEmpty()) {
        CallerRights caller = CallerRights.of(host);
        host.readingFiles("braidAppend", () -> caller.check(path, FsAction.WRITE));
      }
      return lost;
    } catch (IOException | RuntimeException e) {
      // Whatever is wrong with the path, HDFS says it better.
      LOG.debug("append to {} does not wait: {}", path, e.getMessage());
      return Set.of();
    }
  }

  private boolean isLost(LocatedBlockProto block) {
    return block.getBlockIndices().isEmpty()
        && block.getB().getNumBytes() > 0
        && (block.getCorrupt() || block.getLocsList().stream().allMatch(this::suspect));
  }

  private boolean suspect(DatanodeInfoProto location) {
    return known.suspect(location.getId().getDatanodeUuid());
  }

  /** Has a call answered when its blocks are there; false when it is to be answered now. */
  private <T extends Message> boolean defer(
      Set<Long> needed, Set<Long> useful, LateAnswer.Stock<T> stock) {
    Optional<LateAnswer> answer = LateAnswer.toPresentCall();
    if (answer.isEmpty()) {
      return false;
    }
    long since = Time.monotonicNow();
    Runnable send =
        () -> {
          host.metrics().deferred(Time.monotonicNow() - since);
          answer.get().send(stock);
        };
    if (!waiting.await(answer.get().user(), needed, useful, send)) {
      return false;
    }
    answer.get().postpone();
    return true;
  }

  private AppendResponseProto unsuspected(AppendResponseProto stock) {
    return stock.hasBlock()
        ? stock.toBuilder().setBlock(named.in(stock.getBlock())).build()
        : stock;
  }

  /** What the answers of one NameNode are looked through with. */
  private record KnownHere(NameNodeHost host, LostBlocks lostBlocks) implements NamedNodes.Known {
    @Override
    public boolean suspect(String uuid) {
      DatanodeDescriptor node = host.nodes().getDatanode(uuid);
      return node == null || !node.isAlive() || host.isSuspect(node);
    }

    @Override
    public boolean encoded(long block) {
      return lostBlocks.isEncoded(block);
    }

    @Override
    public Set<Long> rebuildable(Set<Long> blocks) throws IOException {
      return lostBlocks.rebuildable(blocks);
    }
  }
}
