package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.CombineOpProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.plan.Fragment;
import org.braid.plan.Plan;
import org.braid.plan.shape.EncodePlanner;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.junit.jupiter.api.Test;

final class FragmentCodecTest {
  private static BlockProto block(SubBlock sub) {
    return BlockProto.newBuilder()
        .setId(1000 + sub.block())
        .setGeneration(7)
        .setLength(5000)
        .build();
  }

  private static ExecuteRequestProto request(Fragment fragment) {
    return FragmentCodec.requestFor(
            fragment,
            "run",
            5000,
            1024,
            sub ->
                new ReadSource(
                    StripeCodec.of(block(sub)), sub.index() * 10L, ByteString.copyFromUtf8("t")),
            sub ->
                sub.block() % 2 == 0
                    ? StoreTarget.parity("/p" + sub.block())
                    : StoreTarget.rebuild(StripeCodec.of(block(sub)), 99, "CRC32", 256),
            node -> PeerProto.newBuilder().setNode(node).setHost("h" + node).setPort(node).build())
        .build();
  }

  @Test
  void fragmentsSurviveTheWayToAWorker() throws Exception {
    ErasureCode code = Codes.named("rs-6-3");
    List<Plan> plans = new ArrayList<>();
    plans.add(EncodePlanner.gather(code, new int[] {0, 1, 2, -1, 4, 5}, 2, new int[] {6, 7, 8}));
    var equations = Solver.solve(code, List.of(1, 7), List.of(0, 2, 3, 4, 5, 6, 8)).orElseThrow();
    for (RepairPlanner planner : RepairPlanners.all()) {
      plans.add(planner.plan(equations, block -> block, 20));
    }
    int ops = 0;
    for (Plan plan : plans) {
      for (Fragment fragment : plan.fragments()) {
        ExecuteRequestProto sent = request(fragment);
        ExecuteRequestProto came = ExecuteRequestProto.parseFrom(sent.toByteArray());
        assertEquals(fragment, FragmentCodec.toFragment(came));
        ops += fragment.ops().size();
      }
    }
    assertTrue(ops > 50, "only " + ops + " operations were compared");
  }

  @Test
  void requestsCarryWhatTheWorkerNeeds() {
    ErasureCode code = Codes.named("rs-3-2");
    Plan plan = EncodePlanner.gather(code, new int[] {0, 1, 2}, 2, new int[] {3, 4});
    ExecuteRequestProto encoder = request(plan.fragment(2));
    assertEquals(List.of(0, 1), encoder.getPeersList().stream().map(PeerProto::getNode).toList());
    OpProto read = encoder.getOpsList().stream().filter(OpProto::hasRead).findFirst().orElseThrow();
    assertEquals(1002, read.getRead().getBlock().getId());
    assertEquals("t", read.getRead().getToken().toStringUtf8());
    ExecuteRequestProto keeper = request(plan.fragment(3));
    OpProto store =
        keeper.getOpsList().stream().filter(OpProto::hasStore).findFirst().orElseThrow();
    assertEquals(99, store.getStore().getRebuild().getCrc32C());
    assertEquals("CRC32", store.getStore().getRebuild().getChecksum());
    assertEquals(256, store.getStore().getRebuild().getBytesPerChecksum());
    assertEquals("/p4", request(plan.fragment(4)).getOps(1).getStore().getParity().getPath());
  }

  @Test
  void requestsThatMakeNoSenseAreRefused() {
    Plan plan =
        EncodePlanner.gather(Codes.named("rs-3-2"), new int[] {0, 1, 2}, 2, new int[] {3, 4});
    ExecuteRequestProto good = request(plan.fragment(2));
    Map<String, ExecuteRequestProto.Builder> bad =
        Map.of(
            "bad request: the run has no name", good.toBuilder().setRun(""),
            "bad request: it has no operations", good.toBuilder().clearOps(),
            "bad request: a slice has 1 to 16777216 bytes, not 16777217",
                good.toBuilder().setSlice(FragmentCodec.MAX_SLICE + 1));
    bad.forEach(
        (message, request) -> {
          IOException e =
              assertThrows(IOException.class, () -> FragmentCodec.toFragment(request.build()));
          assertEquals(message, e.getMessage());
        });
    assertThrows(
        IllegalArgumentException.class,
        () -> new ReadSource(StripeCodec.of(block(new SubBlock(0, 0))), -1));
    // Leaving out any of the read, the two receives and the combination breaks what uses it.
    long broken = IntStream.range(0, good.getOpsCount()).filter(i -> breaks(good, i)).count();
    assertEquals(4, broken);
  }

  private static OpProto combine(int first, int outputs, int... inputs) {
    return OpProto.newBuilder()
        .setCombine(
            CombineOpProto.newBuilder()
                .addAllOutputs(IntStream.range(first, first + outputs).boxed().toList())
                .addAllInputs(IntStream.of(inputs).boxed().toList())
                .setCoefficients(ByteString.copyFrom(new byte[outputs * inputs.length])))
        .build();
  }

  /** Whoever sends it need not be trusted. */
  @Test
  void aWideOperationIsJudgedInAMomentAndInFewWords() {
    ExecuteRequestProto wide =
        ExecuteRequestProto.newBuilder()
            .setRun("run")
            .setNode(0)
            .setLength(1)
            .setSlice(1)
            .addOps(combine(0, 1))
            .addOps(combine(1, 100_000, 0))
            .build();
    Fragment fragment =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20), () -> FragmentCodec.toFragment(wide), "as it is written out");
    assertEquals(2, fragment.ops().size());
    ExecuteRequestProto broken = wide.toBuilder().removeOps(0).build();
    IOException e = assertThrows(IOException.class, () -> FragmentCodec.toFragment(broken));
    assertEquals("bad request: Combine uses value 0 before it is made", e.getMessage());
  }

  private static boolean breaks(ExecuteRequestProto good, int without) {
    try {
      FragmentCodec.toFragment(good.toBuilder().removeOps(without).build());
      return false;
    } catch (IOException e) {
      return String.valueOf(e.getMessage()).contains("before it is made");
    }
  }
}
