package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.code.SubBlock;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.engine.HdfsEngine;
import org.braid.hdfs.engine.HdfsJob;
import org.braid.hdfs.engine.HdfsResult;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.ReplicaChecksum;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;

/**
 * What one piece of work holds on to.
 *
 * @param nameNode Braid's calls on the NameNode
 * @param files HDFS's own client
 * @param workers the DataNodes' workers
 * @param lease the coordinator's lease
 * @param sight how the cluster looks
 * @param claims who changes which stripe
 * @param slice bytes of a slice
 * @param bytesPerChecksum bytes of a checksum chunk of rebuilt replicas of files whose own is not
 *     known
 * @param rates how fast links are
 */
public record Session(
    NameNodeCalls nameNode,
    DistributedFileSystem files,
    Workers workers,
    String lease,
    Sight sight,
    Claims claims,
    int slice,
    int bytesPerChecksum,
    Network.Rates rates) {
  /** The network of a cluster. */
  public Network network(ClusterState state) {
    return Network.of(state.topology()).with(rates);
  }

  /**
   * Runs a plan over blocks of a stripe and counts what it moves.
   *
   * @param blocks the stripe's blocks by position; those that the plan reads must be among them
   * @param layout how blocks consist of the plan's sub-blocks
   * @param stores where stored values go
   */
  public HdfsResult run(
      Plan plan,
      ClusterState state,
      Map<Integer, BlockIdentity> blocks,
      CellLayout layout,
      Function<SubBlock, StoreTarget> stores,
      TrafficMeter traffic)
      throws IOException {
    HdfsResult result =
        new HdfsEngine(workers)
            .run(
                new HdfsJob(
                    plan,
                    state,
                    layout,
                    layout.unit(),
                    layout.slice(slice),
                    source -> read(blocks, source),
                    stores));
    traffic.add(state, result);
    return result;
  }

  /**
   * The same with a stripe that is there: what is stored are replicas of its blocks, published only
   * with the content recorded.
   *
   * @param layout the stripe's; for a move, to which sub-blocks are nothing, the whole block's
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

  /** A store that publishes a replica of a stripe's block if it has the content recorded. */
  private static StoreTarget rebuild(StripeStatus status, int position, Checksums checksums) {
    Member member = status.stripe().member(position);
    ReplicaChecksum checksum = checksums.of(status, position);
    return StoreTarget.rebuild(member.block(), member.crc(), checksum.type(), checksum.chunk());
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
