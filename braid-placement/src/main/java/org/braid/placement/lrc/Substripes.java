package org.braid.placement.lrc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.LocalGroup;
import org.braid.code.Promises;
import org.braid.code.Solver;

/**
 * The fault tolerance of a code with local groups as two conditions on lost blocks (EAR section
 * 3.5): a limit on the lost blocks of the stripe, and one on those of each substripe. A substripe
 * is a local group together with all global parities.
 *
 * @param code the code
 * @param groups blocks of each local group, ascending; groups share no block and have data
 * @param globals blocks of no group, ascending
 * @param globalLosses the most lost blocks of the stripe
 * @param localLosses the most lost blocks of any substripe
 */
public record Substripes(
    ErasureCode code,
    List<List<Integer>> groups,
    List<Integer> globals,
    int globalLosses,
    int localLosses) {
  /** Limit of loss patterns when conditions are checked against the code. */
  private static final long MAX_PATTERNS = 100_000;

  /** Copies the lists. */
  public Substripes {
    groups = groups.stream().map(List::copyOf).toList();
    globals = List.copyOf(globals);
  }

  /**
   * The conditions as the paper states them: n - k losses of the stripe, n - k - l + 1 of a
   * substripe, for l groups that rebuild one block each.
   *
   * <p>The groups are those of the code with data, smallest first, without groups that share a
   * block with an earlier one.
   *
   * @throws IllegalArgumentException when the code has no such groups
   */
  public static Substripes asInThePaper(ErasureCode code) {
    Set<Integer> rest = new HashSet<>(IntStream.range(0, code.n()).boxed().toList());
    List<LocalGroup> disjoint = LocalGroup.disjoint(code);
    if (disjoint.isEmpty()) {
      throw new IllegalArgumentException(code.name() + " has no local groups of data");
    }
    disjoint.forEach(group -> group.blocks().forEach(rest::remove));
    int local = disjoint.stream().mapToInt(LocalGroup::losses).min().orElseThrow();
    List<List<Integer>> groups =
        disjoint.stream()
            .map(LocalGroup::blocks)
            .sorted(Comparator.comparingInt(g -> g.get(0)))
            .toList();
    List<Integer> globals = rest.stream().sorted().toList();
    return new Substripes(code, groups, globals, code.m(), globals.size() + local);
  }

  /**
   * Conditions at least as strict as the paper's, under which every loss pattern can be decoded. Of
   * these, the conditions with which a stripe needs the fewest racks to survive these rack
   * failures.
   *
   * <p>The paper's conditions suffice for one or two groups of a maximally recoverable code. They
   * do not for an LRC with three groups and two global parities: three losses in one group and two
   * in another meet both conditions, but are one more than the code can decode.
   *
   * @param rackFailures racks that may fail, 1 or more
   */
  public static Substripes of(ErasureCode code, int rackFailures) {
    Substripes paper = asInThePaper(code);
    int any = anyLosses(code);
    Substripes best = paper.with(any, Math.min(any, paper.localLosses));
    for (int global = paper.globalLosses; global > any; global--) {
      int local = Math.min(global, paper.localLosses);
      while (local > 0 && !paper.with(global, local).suffice()) {
        local--;
      }
      Substripes found = paper.with(global, local);
      if (local > 0 && found.neededRacks(rackFailures) <= best.neededRacks(rackFailures)) {
        best = found;
      }
    }
    return best;
  }

  private Substripes with(int global, int local) {
    return new Substripes(code, groups, globals, global, local);
  }

  /** A lower bound of the racks that a stripe needs. */
  private int neededRacks(int rackFailures) {
    int global = globalPerRack(rackFailures);
    int local = localPerRack(rackFailures);
    if (global == 0 || local == 0) {
      return Integer.MAX_VALUE;
    }
    int largest = groups.stream().mapToInt(List::size).max().orElseThrow() + globals.size();
    return Math.max((code.n() - 1) / global, (largest - 1) / local) + 1;
  }

  /** The largest number of losses that the code survives whichever blocks are lost. */
  private static int anyLosses(ErasureCode code) {
    int losses = 0;
    while (losses < code.m() && survivesAny(code, losses + 1)) {
      losses++;
    }
    return losses;
  }

  private static boolean survivesAny(ErasureCode code, int losses) {
    Promises.Combinations all = new Promises.Combinations(code.n(), losses);
    if (all.count() > MAX_PATTERNS) {
      return false;
    }
    boolean[] survives = {true};
    all.each(lost -> survives[0] = Solver.decodable(code, lost));
    return survives[0];
  }

  private long patterns() {
    long sum = 0;
    for (int losses = 1; losses <= globalLosses && sum <= MAX_PATTERNS; losses++) {
      long count = new Promises.Combinations(code.n(), losses).count();
      sum = count > MAX_PATTERNS ? count : sum + count;
    }
    return sum;
  }

  /**
   * Whether every loss pattern that meets both conditions can be decoded. Tries the largest
   * patterns; false when there are too many to try.
   */
  public boolean suffice() {
    if (patterns() > MAX_PATTERNS) {
      return false;
    }
    boolean[] good = {true};
    for (int losses = globalLosses; losses >= 1 && good[0]; losses--) {
      new Promises.Combinations(code.n(), losses)
          .each(
              lost ->
                  good[0] = !allows(lost) || isExtendable(lost) || Solver.decodable(code, lost));
    }
    return good[0];
  }

  private boolean isExtendable(List<Integer> lost) {
    List<Integer> more = new ArrayList<>(lost);
    more.add(-1);
    for (int block = 0; block < code.n(); block++) {
      if (!lost.contains(block)) {
        more.set(lost.size(), block);
        if (allows(more)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether lost blocks meet both conditions. */
  public boolean allows(List<Integer> lost) {
    int globalsLost = count(lost, globals);
    return lost.size() <= globalLosses
        && globalsLost <= localLosses
        && groups.stream().allMatch(group -> count(lost, group) + globalsLost <= localLosses);
  }

  private static int count(List<Integer> lost, List<Integer> blocks) {
    int count = 0;
    for (int block : lost) {
      count += blocks.contains(block) ? 1 : 0;
    }
    return count;
  }

  /** The group of a block; for a global parity the number of groups. */
  int groupOf(int block) {
    for (int group = 0; group < groups.size(); group++) {
      if (groups.get(group).contains(block)) {
        return group;
      }
    }
    return groups.size();
  }

  /** c of the global graph: the most blocks of the stripe in a rack. */
  public int globalPerRack(int rackFailures) {
    return globalLosses / rackFailures;
  }

  /** c of the local graphs: the most blocks of a substripe in a rack. */
  public int localPerRack(int rackFailures) {
    return localLosses / rackFailures;
  }
}
