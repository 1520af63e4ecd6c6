package org.braid.placement.site;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.LocalGroup;
import org.braid.code.derive.ParityCopies;

/**
 * The locality groups of a code: blocks of a stripe that belong at one site (Geo-MXOR section
 * VII-D, fig. 12).
 */
public final class LocalityGroups {
  private LocalityGroups() {}

  /**
   * The local groups of the code that have data, smallest first, without groups that share a block
   * with an earlier one: small groups repair a block with the fewest reads. The other blocks are
   * one more group if a local group contains them all (the parities of Xorbas, the horizontal
   * parities of MXOR), else each is a group of its own (the global parities of an LRC). Further
   * copies of parities are groups of their own too, as they should be elsewhere.
   */
  public static List<List<Integer>> of(ErasureCode stored) {
    ErasureCode code = ParityCopies.original(stored);
    List<List<Integer>> groups = new ArrayList<>();
    Set<Integer> rest = new HashSet<>(IntStream.range(0, code.n()).boxed().toList());
    for (LocalGroup group : LocalGroup.disjoint(code)) {
      groups.add(group.blocks());
      group.blocks().forEach(rest::remove);
    }
    List<Integer> others = rest.stream().sorted().toList();
    if (!others.isEmpty()
        && code.groups().stream().anyMatch(group -> group.blocks().containsAll(others))) {
      groups.add(others);
    } else {
      others.forEach(block -> groups.add(List.of(block)));
    }
    IntStream.range(code.n(), stored.n()).forEach(block -> groups.add(List.of(block)));
    return List.copyOf(groups);
  }
}
