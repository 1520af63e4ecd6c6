package org.braid.hdfs.namenode.calls;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ReportBadBlocksRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode.OperationCategory;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.host.SharedTasks;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.hdfs.namenode.stripes.ReplicaVerifier;
import org.braid.hdfs.namenode.stripes.ReplicaVerifier.NoWorkerException;
import org.braid.hdfs.namenode.stripes.ReplicaVerifier.UnansweredException;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.stripe.Member;
import org.braid.thread.DaemonThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks clients' reports of corrupt replicas of encoded blocks. HDFS believes every report. HDFS's
 * own client reports the only replica of a block, but reports none when it finds all of several
 * corrupt, because then the fault is probably its own. So a client with bad memory would mark every
 * stripe block that it reads as lost, until the NameNode restarts. Therefore the worker first reads
 * the reported replica, and HDFS gets the report unless the replica has the encoded content. If the
 * worker does not answer, it is asked again, and the report waits. If the node still has no worker
 * at the last attempt, HDFS gets the report. Reports of DataNodes pass unchecked: a DataNode has
 * read the replica itself.
 */
public final class ClientReports implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ClientReports.class);
  private static final int THREADS = 2;

  /** Replicas to be read. Whoever meets another one again says so again, and scrubs find it. */
  private static final int MOST = 64;

  private static final int MOST_OF_A_USER = 16;

  /** For so long a replica that was read is not read again. */
  private static final long READ_MILLIS = 60_000;

  /**
   * A worker that does not answer is asked so often in all, each time after twice the time of
   * before: a DataNode is started again meanwhile.
   */
  private static final int ATTEMPTS = 4;

  private static final long AGAIN_MILLIS = 5_000;

  private record Replica(long block, String uuid) {}

  /** A replica that HDFS takes for good, and what it is to be. */
  private record Suspect(ReplicaView view, Member member) {}

  private final NameNodeHost host;
  private final StripeIndex index;
  private final ReplicaVerifier verifier;
  private final SharedTasks<Replica> tasks;
  private final ScheduledThreadPoolExecutor threads =
      DaemonThreads.scheduled(THREADS, "braid-client-reports");

  /** Starts without reports. */
  public ClientReports(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
    this.verifier = new ReplicaVerifier(host);
    this.tasks = new SharedTasks<>(new Shares(MOST, MOST_OF_A_USER), this::isLater, this::read);
  }

  /**
   * A client's report, divided.
   *
   * @param others blocks in no stripe, which HDFS processes at once
   * @param encoded replicas that the worker reads first
   */
  record Parts(ReportBadBlocksRequestProto others, List<LocatedBlockProto> encoded) {}

  /** Divides a client's report. Takes no lock for blocks that were never encoded. */
  Parts parts(ReportBadBlocksRequestProto request) throws IOException {
    ReportBadBlocksRequestProto.Builder others = request.toBuilder().clearBlocks();
    List<LocatedBlockProto> encoded = new ArrayList<>();
    for (LocatedBlockProto block : request.getBlocksList()) {
      if (isEncoded(block.getB().getBlockId())) {
        encoded.add(block);
      } else {
        others.addBlocks(block);
      }
    }
    return new Parts(others.build(), encoded);
  }

  /** Starts the check of replicas that the present caller reported. */
  void read(List<LocatedBlockProto> encoded) throws IOException {
    String user = NameNode.getRemoteUser().getShortUserName();
    for (LocatedBlockProto block : encoded) {
      for (DatanodeInfoProto node : block.getLocsList()) {
        tasks.begin(new Replica(block.getB().getBlockId(), node.getId().getDatanodeUuid()), user);
      }
    }
  }

  /** Whether a stripe says what a block is: not of one that was cut, say, since it was encoded. */
  private boolean isEncoded(long block) throws IOException {
    return index.number(block) >= 0
        && host.reading(
            "braidReport",
            () -> ReplicaView.stored(host.blocks(), block).flatMap(index::holding).isPresent());
  }

  private boolean isLater(Runnable work, long millis) {
    try {
      Future<?> unused = threads.schedule(work, millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      LOG.debug("closed meanwhile", e);
      return false;
    }
  }

  private SharedTasks.Next read(Replica replica, int attempt) {
    try {
      return new SharedTasks.Next(false, isGood(replica, attempt) ? READ_MILLIS : 0);
    } catch (UnansweredException e) {
      if (attempt < ATTEMPTS) {
        return new SharedTasks.Next(true, AGAIN_MILLIS << (attempt - 1));
      }
      LOG.warn("what a client says of {} is forgotten: {}", replica, e.getMessage());
    } catch (IOException | RuntimeException e) {
      LOG.warn("what a client says of {} is forgotten: {}", replica, e.getMessage());
    }
    return new SharedTasks.Next(false, 0);
  }

  /** Has a replica read, and tells HDFS where it is not what was encoded. */
  private boolean isGood(Replica replica, int attempt) throws IOException {
    Optional<Suspect> found = host.reading("braidReport", () -> suspect(replica));
    if (found.isEmpty()) {
      return false;
    }
    Suspect suspect = found.get();
    String name = "blk_" + replica.block + " on " + suspect.view.node().getHostName();
    String reason;
    try {
      int crc =
          verifier.crc(
              suspect.view.node().getIpAddr(),
              suspect.view.node().getIpcPort(),
              suspect.member.block());
      if (crc == suspect.member.crc()) {
        LOG.info("{} is not corrupt, as a client says, but as it was encoded", name);
        return true;
      }
      reason = "its CRC-32C is %08x, recorded is %08x".formatted(crc, suspect.member.crc());
    } catch (NoWorkerException e) {
      if (attempt < ATTEMPTS) {
        throw e;
      }
      reason = String.valueOf(e.getMessage());
    } catch (UnansweredException e) {
      throw e;
    } catch (IOException e) {
      reason = String.valueOf(e.getMessage());
    }
    LOG.warn("{} is corrupt, as a client says: {}", name, reason);
    host.writing("braidReport", () -> mark(replica));
    return false;
  }

  /** A replica of a block that still is as it was encoded; a lock is held. */
  private Optional<Suspect> suspect(Replica replica) throws IOException {
    Optional<Entry> entry = index.known(replica.block);
    OptionalInt position =
        entry.isEmpty() ? OptionalInt.empty() : entry.get().stripe().positionOf(replica.block);
    if (position.isEmpty()) {
      return Optional.empty();
    }
    Member member = entry.get().stripe().member(position.getAsInt());
    return StripeReader.held(host, member)
        .flatMap(held -> ReplicaView.on(ReplicaView.of(host.blocks(), held.block()), replica.uuid))
        .filter(view -> !view.corrupt())
        .map(view -> new Suspect(view, member));
  }

  private boolean mark(Replica replica) throws IOException {
    host.namesystem().checkOperation(OperationCategory.WRITE);
    Optional<Suspect> suspect = suspect(replica);
    if (suspect.isPresent()) {
      suspect
          .get()
          .view
          .markCorrupt(host, suspect.get().member.block(), "client machine reported it");
    }
    return true;
  }

  /** Stops all checks. */
  @Override
  public void close() {
    threads.shutdownNow();
    verifier.close();
  }
}
