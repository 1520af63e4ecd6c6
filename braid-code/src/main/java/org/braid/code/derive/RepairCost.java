package org.braid.code.derive;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.braid.code.ErasureCode;
import org.braid.code.Promises.Combinations;
import org.braid.code.derive.RepairSearch.Effort;

/**
 * The cost of repairs under one aim.
 *
 * @param aim what the repairs minimise
 * @param repairs one repair for each pattern that can be repaired
 * @param patterns number of all patterns
 * @param fatal number of tried patterns that cannot be repaired
 */
public record RepairCost(RepairAim aim, List<Repair> repairs, long patterns, int fatal) {
  /** More pairs than these are sampled. */
  public static final int MAX_PAIRS = 200;

  private static final int SAMPLED_PAIRS = 60;

  public RepairCost {
    repairs = List.copyOf(repairs);
  }

  /**
   * The costs of each single block, in order.
   *
   * @param effort for each aim
   * @return one result for each aim, in order
   */
  public static List<RepairCost> singles(ErasureCode code, Effort effort) {
    List<List<Integer>> patterns = new ArrayList<>();
    for (int block = 0; block < code.n(); block++) {
      patterns.add(List.of(block));
    }
    return of(code, patterns, patterns.size(), effort);
  }

  /**
   * The costs of all pairs of blocks, or of a random sample when there are many.
   *
   * @param effort for each aim
   * @return one result for each aim, in order
   */
  public static List<RepairCost> pairs(ErasureCode code, Effort effort) {
    var all = new Combinations(code.n(), 2);
    List<List<Integer>> patterns = new ArrayList<>();
    if (all.count() <= MAX_PAIRS) {
      all.each(patterns::add);
    } else {
      Random random = new Random(effort.seed());
      for (int i = 0; i < SAMPLED_PAIRS; i++) {
        patterns.add(all.sample(random));
      }
    }
    return of(code, patterns, all.count(), effort);
  }

  private static List<RepairCost> of(
      ErasureCode code, List<List<Integer>> lost, long patterns, Effort effort) {
    Map<RepairAim, RepairCost> costs = new EnumMap<>(RepairAim.class);
    var each = new Effort(effort.work() / lost.size(), effort.seed());
    for (RepairAim aim : RepairAim.values()) {
      Optional<RepairCost> same = Optional.ofNullable(costs.get(aim.equal(code)));
      costs.put(aim, same.map(c -> c.as(aim)).orElseGet(() -> of(code, lost, patterns, aim, each)));
    }
    return List.copyOf(costs.values());
  }

  private RepairCost as(RepairAim other) {
    return new RepairCost(other, repairs.stream().map(r -> r.as(other)).toList(), patterns, fatal);
  }

  private static RepairCost of(
      ErasureCode code, List<List<Integer>> lost, long patterns, RepairAim aim, Effort effort) {
    List<Repair> repairs = new ArrayList<>();
    int fatal = 0;
    for (List<Integer> pattern : lost) {
      try {
        repairs.add(RepairSearch.find(code, pattern, aim, effort));
      } catch (NotRepairableException e) {
        fatal++;
      }
    }
    return new RepairCost(aim, repairs, patterns, fatal);
  }

  /**
   * The result for an aim.
   *
   * @param costs the results of {@link #singles} or {@link #pairs}
   */
  public static RepairCost under(RepairAim aim, List<RepairCost> costs) {
    return costs.stream().filter(c -> c.aim() == aim).findFirst().orElseThrow();
  }

  /** Whether only a sample of the patterns was tried. */
  public boolean isSampled() {
    return repairs.size() + fatal < patterns;
  }

  /** Whether each cost is proven minimal. */
  public boolean isExact() {
    return repairs.stream().allMatch(Repair::exact);
  }

  /** The average of {@link Repair#cost}; NaN when nothing can be repaired. */
  public double average() {
    return repairs.stream().mapToDouble(Repair::cost).average().orElse(Double.NaN);
  }

  /** The maximum of {@link Repair#cost}; NaN when nothing can be repaired. */
  public double worst() {
    return repairs.stream().mapToDouble(Repair::cost).max().orElse(Double.NaN);
  }
}
