package org.braid.code.derive;

import java.util.List;
import org.braid.code.Equation;

/**
 * A repair of lost blocks.
 *
 * @param lost the blocks to rebuild, ascending
 * @param aim what it minimises
 * @param equations one equation for each sub-block of each lost block, in order
 * @param reads the reads of each block
 * @param traffic all that is read, in blocks
 * @param racks number of racks that are read; the number of blocks for codes without racks
 * @param crossRack traffic from racks without a lost block, in blocks; all of it for codes without
 *     racks
 * @param exact whether it is proven minimal; otherwise it is an upper bound
 */
public record Repair(
    List<Integer> lost,
    RepairAim aim,
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
   * The sub-blocks that are read of a block.
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

  /** The same repair, labelled with another aim. */
  Repair as(RepairAim other) {
    return new Repair(lost, other, equations, reads, traffic, racks, crossRack, exact);
  }

  /** The cost that the aim minimises: blocks read, traffic in blocks, or racks read. */
  public double cost() {
    return switch (aim) {
      case BLOCKS -> reads.size();
      case BYTES -> traffic;
      case RACKS -> racks;
    };
  }
}
