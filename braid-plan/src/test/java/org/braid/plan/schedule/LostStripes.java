package org.braid.plan.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Gf256;
import org.braid.code.SubBlock;
import org.braid.code.derive.ParityCopies;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.cost.Network;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.shape.RepairPlanners;

/** Clusters with lost nodes, and proof of what is planned for them. */
public final class LostStripes {
  public static final List<String> CODES =
      List.of(
          "rs-6-3",
          "lrc-6-2-2",
          "xorbas-10-6-5",
          "mxor-10-7",
          "rotated-rs-6-3-4",
          "hitchhiker-xor-6-3",
          "rstair-n5-r4-m1-e2-l1",
          "rs-6-3, parity x2",
          "lrc-6-2-2, parity x2");

  private LostStripes() {}

  public static PlanSettings planning(String shape, Topology topology) {
    return new PlanSettings(RepairPlanners.named(shape), Network.of(topology));
  }

  private static ErasureCode code(String name) {
    String[] parts = name.split(", parity x");
    ErasureCode code = Codes.named(parts[0]);
    return parts.length == 1 ? code : new ParityCopies(code, Integer.parseInt(parts[1]));
  }

  /** A stripe of which some blocks are lost, at most c of it in a rack. */
  public static LostStripe lost(
      String id, String code, int perRack, long length, int[] nodeOf, List<Integer> lost) {
    StripeRule rule = StripeRules.of(Codes.named(code), StripeLimits.perRack(perRack));
    return LostStripe.of(id, rule, length, nodeOf, lost);
  }

  /** Stripes in random places of which some nodes are lost. */
  public static List<LostStripe> damaged(
      String name, Topology topology, int stripes, List<Integer> lostNodes, Random random) {
    ErasureCode code = code(name);
    StripeRule rule = StripeRules.on(code, OptionalInt.empty(), EligibleNodes.all(topology));
    List<LostStripe> damaged = new ArrayList<>();
    for (int i = 0; i < stripes; i++) {
      var layout =
          rule.layout(
              EligibleNodes.all(topology), Collections.nCopies(code.k(), new int[0]), random);
      int[] nodeOf =
          IntStream.concat(Arrays.stream(layout.dataNodes()), Arrays.stream(layout.parityNodes()))
              .toArray();
      List<Integer> lost =
          IntStream.range(0, code.n()).filter(b -> lostNodes.contains(nodeOf[b])).boxed().toList();
      if (!lost.isEmpty()) {
        damaged.add(LostStripe.of("s" + i, rule, 1 << 20, nodeOf, lost));
      }
    }
    return damaged;
  }

  /**
   * What the plan stores, as rows over the data: the values that its reads have by the generator.
   */
  public static Map<SubBlock, List<Integer>> stored(ErasureCode code, Plan plan) {
    Map<Integer, int[]> values = new HashMap<>();
    Map<SubBlock, List<Integer>> stored = new HashMap<>();
    for (Step step : plan.steps()) {
      if (step instanceof Step.Read read) {
        values.put(read.id(), row(code, read.source()));
      } else if (step instanceof Step.Combine combine) {
        int[] sum = new int[code.k() * code.alpha()];
        for (Step.Input input : combine.inputs()) {
          int[] value = Objects.requireNonNull(values.get(input.value()));
          for (int i = 0; i < sum.length; i++) {
            sum[i] ^= Gf256.multiply(input.coefficient(), value[i]);
          }
        }
        values.put(combine.id(), sum);
      } else if (step instanceof Step.Send send) {
        values.put(send.id(), Objects.requireNonNull(values.get(send.value())));
      } else if (step instanceof Step.Store store) {
        stored.put(
            store.target(),
            Arrays.stream(Objects.requireNonNull(values.get(store.value()))).boxed().toList());
      }
    }
    return stored;
  }

  public static int[] row(ErasureCode code, SubBlock subBlock) {
    return code.generator().row(code.row(subBlock));
  }
}
