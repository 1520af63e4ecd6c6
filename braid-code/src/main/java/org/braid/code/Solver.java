package org.braid.code;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Derives repair equations and decodability from the generator of any code.
 *
 * <p>Sources are tried in the caller's order. A source joins the basis when its generator row is
 * independent of those before it; the basis grows only until it determines the wanted sub-blocks.
 * Over a basis the equation of a sub-block is unique; a source with coefficient zero is dropped. To
 * repair within a local group, name the group's blocks first.
 */
public final class Solver {
  private Solver() {}

  /**
   * Equations of all sub-blocks of the wanted blocks, in the given order.
   *
   * @param wantedBlocks positions of the blocks to compute, 0..n-1
   * @param availableBlocks positions of the blocks that may be read, most preferred first
   * @return alpha equations for each wanted block; empty when the available blocks do not determine
   *     all wanted ones
   * @throws IllegalArgumentException when a position is outside the stripe
   */
  public static Optional<List<Equation>> solve(
      ErasureCode code, Collection<Integer> wantedBlocks, List<Integer> availableBlocks) {
    return solveSubBlocks(code, subBlocks(code, wantedBlocks), subBlocks(code, availableBlocks));
  }

  /**
   * Equations of single sub-blocks, for repairs that read parts of blocks.
   *
   * @param wanted the sub-blocks to compute
   * @param available the sub-blocks that may be read, most preferred first
   * @return one equation for each wanted sub-block, in their order; empty when the available ones
   *     do not determine all of them
   * @throws IllegalArgumentException when a sub-block is outside the stripe
   */
  public static Optional<List<Equation>> solveSubBlocks(
      ErasureCode code, List<SubBlock> wanted, List<SubBlock> available) {
    wanted.forEach(s -> check(code, s));
    available.forEach(s -> check(code, s));
    return new Elimination(code, wanted, available).equations();
  }

  /**
   * Whether the remaining blocks determine all lost ones.
   *
   * @param lostBlocks positions of the lost blocks, 0..n-1
   * @throws IllegalArgumentException when a position is outside the stripe
   */
  public static boolean decodable(ErasureCode code, Collection<Integer> lostBlocks) {
    BitSet lost = new BitSet(code.n());
    for (int block : lostBlocks) {
      Checks.requirePosition(code, block);
      lost.set(block);
    }
    // Surviving data rows are unit vectors, so the surviving parity rows must have full rank in the
    // columns of the lost data.
    int[] columns = positions(code, lost, 0, code.k());
    lost.flip(0, code.n());
    int[] rows = positions(code, lost, code.k(), code.n());
    if (rows.length < columns.length) {
      return false;
    }
    return code.generator().select(rows, columns).rank() == columns.length;
  }

  private static int[] positions(ErasureCode code, BitSet blocks, int from, int to) {
    return blocks.stream()
        .filter(b -> b >= from && b < to)
        .flatMap(b -> IntStream.range(b * code.alpha(), b * code.alpha() + code.alpha()))
        .toArray();
  }

  /** All sub-blocks of blocks, in the order of the blocks. */
  public static List<SubBlock> subBlocks(ErasureCode code, Collection<Integer> blocks) {
    List<SubBlock> out = new ArrayList<>(blocks.size() * code.alpha());
    for (int block : blocks) {
      for (int s = 0; s < code.alpha(); s++) {
        out.add(new SubBlock(block, s));
      }
    }
    return out;
  }

  private static void check(ErasureCode code, SubBlock s) {
    Checks.requirePosition(code, s.block());
    if (s.index() < 0 || s.index() >= code.alpha()) {
      throw new IllegalArgumentException(
          "sub-block "
              + s.index()
              + " is outside a block of "
              + code.name()
              + ", 0.."
              + (code.alpha() - 1));
    }
  }
}
