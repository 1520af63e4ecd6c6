package org.braid.plan.helper;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.derive.RepairAim;
import org.braid.code.derive.RepairSearch;

/**
 * Repairs that do not depend on where blocks are: those whose reads the code names, and the
 * cheapest ones that a search finds. Each pattern of losses is solved once. Not thread-safe.
 */
public final class KnownRepairs {
  private final Map<List<Object>, List<List<Equation>>> solved = new HashMap<>();

  /** The repairs whose reads the code names. */
  List<List<Equation>> named(
      ErasureCode code, Set<Integer> lost, List<SubBlock> wanted, List<Integer> readable) {
    List<List<SubBlock>> sets = code.repairSets(lost);
    if (sets.isEmpty()) {
      return List.of();
    }
    return solved.computeIfAbsent(
        List.of(code.name(), wanted, readable),
        unused ->
            sets.stream()
                .filter(set -> set.stream().allMatch(read -> readable.contains(read.block())))
                .flatMap(set -> Solver.solveSubBlocks(code, wanted, set).stream())
                .toList());
  }

  /**
   * The cheapest repairs that a search finds: of codes with racks one for each aim, of others the
   * one that reads fewest bytes.
   *
   * @throws org.braid.code.derive.NotRepairableException when the readable blocks do not determine
   *     those lost
   */
  List<List<Equation>> searched(
      ErasureCode code,
      Collection<Integer> lost,
      List<Integer> readable,
      RepairSearch.Effort effort) {
    return solved.computeIfAbsent(
        List.of(code.name(), lost, readable, effort),
        unused ->
            (code.racks().isPresent() ? List.of(RepairAim.values()) : List.of(RepairAim.BYTES))
                .stream()
                    .map(aim -> RepairSearch.find(code, lost, readable, aim, effort).equations())
                    .toList());
  }
}
