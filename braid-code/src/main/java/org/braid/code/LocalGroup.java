package org.braid.code;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Blocks of which a few can be rebuilt from the rest of the group alone.
 *
 * @param name its name, for example {@code local 1}, {@code rack 0} or {@code column 3}
 * @param blocks its blocks including its parities, ascending
 * @param losses number of lost blocks, any of the group, that the rest of it can rebuild
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
              + (blocks.size() - 1));
    }
  }

  /**
   * A group of contiguous data blocks and their parity, which rebuilds one loss.
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
   * Disjoint local groups of a code that contain data. Small groups are chosen first, because they
   * repair a block with the fewest reads.
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

  /** The group's blocks except the lost ones. */
  public List<Integer> without(List<Integer> lost) {
    return blocks.stream().filter(b -> !lost.contains(b)).toList();
  }
}
