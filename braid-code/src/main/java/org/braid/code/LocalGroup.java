package org.braid.code;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Blocks of which a few can be rebuilt from the others of the group alone.
 *
 * @param name what it is, for example {@code local 1}, {@code rack 0} or {@code column 3}
 * @param blocks its blocks, ascending; parities that belong to it among them
 * @param losses so many of its blocks, whichever they are, can be rebuilt from the rest of it
 */
public record LocalGroup(String name, List<Integer> blocks, int losses) {
  public LocalGroup {
    blocks = List.copyOf(blocks);
    if (losses < 1 || losses >= blocks.size()) {
      throw new IllegalArgumentException(
          name
              + ": "
              + losses
              + " losses of "
              + blocks.size()
              + " blocks, needs 1.."
              + blocks.size());
    }
  }

  /**
   * Neighbouring data blocks and one parity of them, which takes one loss.
   *
   * @param from the first data block
   * @param to the block after the last data block
   */
  public static LocalGroup withParity(String name, int from, int to, int parity) {
    return new LocalGroup(
        name,
        IntStream.concat(IntStream.range(from, to), IntStream.of(parity)).boxed().toList(),
        1);
  }

  /**
   * The groups of a code that have data, smallest first, as these repair a block with fewest reads,
   * without those that share a block with one before.
   */
  public static List<LocalGroup> disjoint(ErasureCode code) {
    List<LocalGroup> groups = new ArrayList<>();
    Set<Integer> taken = new HashSet<>();
    List<LocalGroup> bySize =
        code.groups().stream()
            .filter(group -> group.blocks().stream().anyMatch(block -> block < code.k()))
            .sorted(Comparator.comparingInt(group -> group.blocks().size()))
            .toList();
    for (LocalGroup group : bySize) {
      if (group.blocks().stream().noneMatch(taken::contains)) {
        groups.add(group);
        taken.addAll(group.blocks());
      }
    }
    return List.copyOf(groups);
  }

  /** The group's blocks without some. */
  public List<Integer> without(List<Integer> lost) {
    return blocks.stream().filter(b -> !lost.contains(b)).toList();
  }
}
