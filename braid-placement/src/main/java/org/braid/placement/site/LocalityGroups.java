package org.braid.placement.site;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.LocalGroup;
import org.braid.code.derive.ParityCopies;

/** Which blocks of a stripe belong at one site (Geo-MXOR section VII-D, fig. 12). */
public final class LocalityGroups {
  private LocalityGroups() {}

  /**
   * The locality groups of a code: its groups with data, smallest first, as these repair a block
   * with fewest reads, without those that share a block with one before. Blocks of none of them are
   * one more group where the code has a group that holds them all (the parities of Xorbas, the
   * horizontal parities of MXOR), else each is alone (the global parities of an LRC). A code
   * without groups has blocks that are all alone. Further copies of parities are alone too: they
   * are there to be elsewhere.
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
