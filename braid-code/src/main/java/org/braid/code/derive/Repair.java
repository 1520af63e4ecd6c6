package org.braid.code.derive;

import java.util.List;
import org.braid.code.Equation;

/**
 * A way to rebuild lost blocks.
 *
 * @param lost the blocks to rebuild, ascending
 * @param aim what it needs little of
 * @param equations one for each sub-block of each lost block, in order
 * @param reads what is read, by block
 * @param traffic the sum of what is read, in blocks
 * @param racks racks from which something is read; as many as blocks for codes without racks
 * @param crossRack traffic from racks without a lost block, in blocks; all of it for codes without
 *     racks
 * @param exact whether no repair needs less of what the aim says; otherwise it is an upper bound
 */
public record Repair(
    List<Integer> lost,
    Aim aim,
    List<Equation> equations,
    List<Read> reads,
    double traffic,
    int racks,
    double crossRack,
    boolean exact) {
  public Repair {
    lost = List.copyOf(lost);
    equations = List.copyOf(equations);
    reads = List.copyOf(reads);
  }

  /**
   * What is read of a block.
   *
   * @param block its position
   * @param subBlocks the sub-blocks read, ascending
   * @param fraction their share of the block, above 0 and at most 1
   */
  public record Read(int block, List<Integer> subBlocks, double fraction) {
    public Read {
      subBlocks = List.copyOf(subBlocks);
    }
  }

  /** The same repair under another aim. */
  Repair as(Aim other) {
    return new Repair(lost, other, equations, reads, traffic, racks, crossRack, exact);
  }

  /** What the aim is about: blocks read, traffic in blocks, or racks touched. */
  public double cost() {
    return switch (aim) {
      case BLOCKS -> reads.size();
      case BYTES -> traffic;
      case RACKS -> racks;
    };
  }
}
