package org.braid.code;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Orders available blocks so that the {@link Solver} repairs within local groups. */
public final class LocalFirst {
  private LocalFirst() {}

  /**
   * Moves the blocks of local groups to the front: for each lost block, the smallest group that can
   * rebuild it. The order is otherwise unchanged.
   *
   * @param lost the blocks to rebuild
   * @param available the blocks that can be read, most preferred first
   */
  public static List<Integer> order(
      ErasureCode code, Collection<Integer> lost, List<Integer> available) {
    Set<Integer> readable = Set.copyOf(available);
    Set<Integer> first = new LinkedHashSet<>();
    for (int block : lost) {
      group(code, block, readable).ifPresent(g -> first.addAll(g.blocks()));
    }
    if (first.isEmpty()) {
      return available;
    }
    List<Integer> order = new ArrayList<>(available);
    order.sort(Comparator.comparing((Integer block) -> !first.contains(block)));
    return order;
  }

  /** The smallest group that can rebuild a block from readable blocks alone. */
  private static Optional<LocalGroup> group(ErasureCode code, int block, Set<Integer> readable) {
    return code.groups().stream()
        .filter(g -> g.blocks().contains(block))
        .filter(g -> g.blocks().stream().filter(b -> !readable.contains(b)).count() <= g.losses())
        .min(Comparator.comparingInt(g -> g.blocks().size()));
  }
}
