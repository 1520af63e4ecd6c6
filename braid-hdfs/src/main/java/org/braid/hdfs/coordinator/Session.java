package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.DataChecksum;
import org.braid.code.SubBlock;
import org.braid.engine.CellLayout;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.plan.Network;
import org.braid.plan.Plan;

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
 * @param bytesPerChecksum bytes of a checksum chunk of rebuilt replicas
 * @param rates how fast links are
 */
record Session(
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
  Network network(ClusterState state) {
    return Network.of(state.topology()).with(rates);
  }

  /**
   * Runs a plan over blocks of a stripe and counts what it moves.
   *
   * @param blocks the stripe's blocks by position; those that the plan reads must be among them
   * @param layout how blocks consist of the plan's sub-blocks
   * @param stores where stored values go
   */
  PlanRun.Result run(
      Plan plan,
      ClusterState state,
      Map<Integer, BlockProto> blocks,
      CellLayout layout,
      Function<SubBlock, StoreTarget> stores,
      TrafficMeter traffic)
      throws IOException {
    PlanRun.Result result =
        new PlanRun(workers, state)
            .run(plan, layout, slice, source -> read(blocks, source), stores);
    traffic.add(state, result);
    return result;
  }

  /**
   * The same with a stripe that is there: what is stored are replicas of its blocks, published only
   * with the content recorded.
   *
   * @param layout the stripe's; for a move, to which sub-blocks are nothing, the whole block's
   */
  PlanRun.Result run(
      Plan plan, ClusterState state, StripeProto stripe, CellLayout layout, TrafficMeter traffic)
      throws IOException {
    Map<Integer, BlockProto> blocks = new HashMap<>();
    for (int i = 0; i < stripe.getMembersCount(); i++) {
      if (!Stripes.isVirtual(stripe, i)) {
        blocks.put(i, stripe.getMembers(i).getBlock());
      }
    }
    return run(plan, state, blocks, layout, target -> rebuild(stripe, target.block()), traffic);
  }

  /** A store that publishes a replica of a stripe's block if it has the content recorded. */
  private StoreTarget rebuild(StripeProto stripe, int position) {
    MemberProto member = stripe.getMembers(position);
    return StoreTarget.rebuild(
        member.getBlock(), member.getCrc32C(), DataChecksum.Type.CRC32C.name(), bytesPerChecksum);
  }

  /** A read of a sub-block, from its start. */
  private static ReadSource read(Map<Integer, BlockProto> blocks, SubBlock source) {
    BlockProto block = blocks.get(source.block());
    if (block == null) {
      throw new IllegalArgumentException("position " + source.block() + " holds no block");
    }
    return new ReadSource(block, 0);
  }
}
