package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RetriableException;
import org.braid.code.SubBlock;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.coordinator.throttle.Background;
import org.braid.hdfs.coordinator.throttle.GaveWayException;
import org.braid.hdfs.coordinator.throttle.Grant;
import org.braid.hdfs.coordinator.throttle.Throttles;
import org.braid.hdfs.dispatch.Ids;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.engine.HdfsEngine;
import org.braid.hdfs.engine.HdfsJob;
import org.braid.hdfs.engine.HdfsResult;
import org.braid.hdfs.engine.HdfsRun;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.engine.RunPace;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.ReplicaChecksum;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.throttle.LinkLoads;
import org.braid.plan.throttle.SharedLink;

/**
 * The resources of one piece of work.
 *
 * @param nameNode Braid's calls on the NameNode
 * @param files HDFS's own client
 * @param workers the DataNodes' workers
 * @param lease the coordinator's lease
 * @param cluster looks at the cluster
 * @param claims the claims of stripes
 * @param slice bytes of a slice
 * @param bytesPerChecksum bytes of a checksum chunk of rebuilt replicas, for files whose own is
 *     unknown
 * @param rates rates of the links
 * @param throttles the limits of background work
 * @param background the purpose of the work
 */
public record Session(
    NameNodeCalls nameNode,
    DistributedFileSystem files,
    Workers workers,
    String lease,
    RecentClusterState cluster,
    Claims claims,
    int slice,
    int bytesPerChecksum,
    Network.Rates rates,
    Throttles throttles,
    Background background) {
  private static final long ENDS_MILLIS = 30_000;

  /** Most calls on a busy worker. */
  private static final int BUSY_ATTEMPTS = 5;

  private static final long BUSY_MILLIS = 50;

  /** Interval of checks, in a pause, whether the work is given up. */
  private static final long PAUSE_STEP_MILLIS = 100;

  /** The network of a cluster. */
  public Network network(ClusterState state) {
    return Network.of(state.topology()).with(rates);
  }

  /** The same for other work. */
  public Session with(Background work) {
    return new Session(
        nameNode,
        files,
        workers,
        lease,
        cluster,
        claims,
        slice,
        bytesPerChecksum,
        rates,
        throttles,
        work);
  }

  /** The same for work on a stripe. */
  public Session on(String stripe) {
    return with(background.on(stripe));
  }

  /**
   * Runs a plan over blocks of a stripe and counts what it moves. Unless that is urgent, it waits
   * for the throttle.
   *
   * @param blocks the stripe's blocks by position, at least those that the plan reads
   * @param layout how blocks consist of the plan's sub-blocks
   * @param stores where stored values go
   * @throws PlanFailedException when a node failed, or is busy for longer than a moment
   */
  public HdfsResult run(
      Plan plan,
      ClusterState state,
      Map<Integer, BlockIdentity> blocks,
      CellLayout layout,
      Function<SubBlock, StoreTarget> stores,
      TrafficMeter traffic)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        HdfsResult result =
            throttles.run(
                background,
                LinkLoads.of(plan, state.topology()),
                layout.unit(),
                grant -> {
                  RunPace pace = new RunPace(grant.rate(), background.word(), background.cause());
                  HdfsJob job =
                      new HdfsJob(
                          plan,
                          state,
                          layout,
                          layout.unit(),
                          grant.slice(layout.slice(slice)),
                          source -> read(blocks, source),
                          stores);
                  return run(new HdfsEngine(workers).prepare(job, pace), grant);
                });
        traffic.add(state, result);
        return result;
      } catch (PlanFailedException e) {
        if (!e.isBusy()) {
          throw e;
        }
        if (attempt == BUSY_ATTEMPTS) {
          throw e.lasting();
        }
        // Its memory is taken by other runs for a moment: no node and no replica is to blame.
        awaitMemory(attempt);
      }
    }
  }

  /** Waits for a busy worker; as the pause is short, also when no more work is to be begun. */
  private void awaitMemory(int attempt) throws IOException {
    Waiting.pause(BUSY_MILLIS << attempt, throttles.ticker());
  }

  /**
   * Pauses before another attempt.
   *
   * @throws GaveWayException when the work is given up before or meanwhile
   */
  public void pause(long millis) throws IOException {
    Ticker ticker = throttles.ticker();
    long end = ticker.millis() + millis;
    while (!background.halted().getAsBoolean()) {
      long left = end - ticker.millis();
      if (left <= 0) {
        return;
      }
      Waiting.pause(Math.min(left, PAUSE_STEP_MILLIS), ticker);
    }
    throw new GaveWayException();
  }

  private static HdfsResult run(HdfsRun run, Grant grant) throws IOException {
    grant.begins(run.name(), run.nodes(), run::breakOff);
    try {
      return run.run();
    } catch (IOException e) {
      boolean busy = e instanceof PlanFailedException failed && failed.isBusy();
      // What is begun anew stores at the same places.
      if ((busy || grant.isBrokenOff()) && !run.awaitEnds(ENDS_MILLIS)) {
        grant.fail();
        throw e instanceof PlanFailedException failed ? failed.lasting() : e;
      }
      throw e;
    }
  }

  /**
   * Forces a replica to a node's disk and reads it from there against its checksums, as fast as the
   * throttle allows.
   *
   * @throws GaveWayException when the work is given up meanwhile
   * @throws PlanFailedException that blames the node: the replica is missing, corrupt or of another
   *     generation or length, or the node stops or does not answer; or that reports a busy node
   */
  public Workers.Verified verified(ClusterState state, int node, BlockIdentity block)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return throttled(state, node, block);
      } catch (GaveWayException e) {
        throw e;
      } catch (RetriableException e) {
        if (attempt == BUSY_ATTEMPTS) {
          String reason = unread(state, node, block, e);
          throw new PlanFailedException(reason, e, Map.of(), Set.of(), Set.of(node));
        }
        awaitMemory(attempt);
      } catch (IOException e) {
        if (Rpc.isInterrupt(e)) {
          throw e;
        }
        throw PlanFailedException.at(node, unread(state, node, block, e), e);
      }
    }
  }

  private static String unread(ClusterState state, int node, BlockIdentity block, IOException e) {
    return block.name() + " at " + state.name(node) + ": " + e.getMessage();
  }

  private Workers.Verified throttled(ClusterState state, int node, BlockIdentity block)
      throws IOException {
    Datanode at = state.node(node);
    return throttles.run(
        background,
        Map.of(SharedLink.disk(state.topology().nodeName(node)), 1),
        block.length(),
        grant -> {
          String name = Ids.random();
          VerifyRequestProto.Builder pace =
              VerifyRequestProto.newBuilder()
                  .setRun(name)
                  .setWork(background.word())
                  .setCause(background.cause().word());
          double rate = grant.rate();
          if (!Double.isInfinite(rate)) {
            pace.setBytesPerSecond((long) rate);
          }
          grant.begins(name, List.of(at));
          try {
            return workers.verified(at, block, pace);
          } catch (IOException e) {
            if (grant.isBrokenOff() || e instanceof InterruptedIOException) {
              var unused = workers.cancel(List.of(at), name); // nobody waits for it any more
            }
            throw e;
          }
        });
  }

  /**
   * Runs a plan over an existing stripe. Stored values are replicas of its blocks, published only
   * if they have the recorded checksum.
   *
   * @param layout the layout of the stripe; for a move, which knows no sub-blocks, that of the
   *     whole block
   */
  public HdfsResult run(
      Plan plan, ClusterState state, StripeStatus stripe, CellLayout layout, TrafficMeter traffic)
      throws IOException {
    Checksums checksums = new Checksums(this, state);
    return run(
        plan,
        state,
        stripe.stripe().blocks(),
        layout,
        target -> rebuild(stripe, target.block(), checksums),
        traffic);
  }

  /** A store that publishes a replica of a stripe's block if it has the recorded checksum. */
  private static StoreTarget rebuild(StripeStatus status, int position, Checksums checksums) {
    Member member = status.stripe().member(position);
    ReplicaChecksum checksum = checksums.of(status, position);
    return StoreTarget.rebuild(
        member.block(),
        member.crc(),
        checksum.type(),
        checksum.chunk(),
        status.storageTypes(position));
  }

  /** A read of a sub-block, from its start. */
  private static ReadSource read(Map<Integer, BlockIdentity> blocks, SubBlock source) {
    BlockIdentity block = blocks.get(source.block());
    if (block == null) {
      throw new IllegalArgumentException("position " + source.block() + " holds no block");
    }
    return new ReadSource(block, 0);
  }
}
