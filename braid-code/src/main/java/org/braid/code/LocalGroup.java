package org.braid.code;

import java.util.List;

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

  /** The group's blocks without some. */
  public List<Integer> without(List<Integer> lost) {
    return blocks.stream().filter(b -> !lost.contains(b)).toList();
  }
}
