package org.braid.code;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An erasure code: a generator matrix over GF(2^8) and a name that is a contract. A stripe has n
 * blocks of alpha sub-blocks each; the first k blocks are the data (systematic).
 */
public interface ErasureCode {
  /** The longest stripe of any code, in blocks. */
  int MAX_BLOCKS = 255;

  /** The persisted name, for example {@code rs-6-3}. */
  String name();

  /** Blocks of a stripe. */
  int n();

  /** Data blocks of a stripe. */
  int k();

  /** Parity blocks of a stripe. */
  default int m() {
    return n() - k();
  }

  /** Sub-blocks of a block. */
  int alpha();

  /**
   * The generator: n*alpha rows of k*alpha columns; row b*alpha+s makes sub-block s of block b from
   * the data sub-blocks. The first k*alpha rows are the identity.
   */
  Matrix generator();

  /**
   * What the code is built to survive, strongest first. Each promise is checked against the matrix
   * by {@code codes verify} and by the tests; none is empty.
   */
  List<Promise> promises();

  /** The local groups, empty for a code without locality. */
  default List<LocalGroup> groups() {
    return List.of();
  }

  /**
   * The rack of each block, 0 upwards, for codes whose stripe is a grid of racks and rows; empty
   * for all others.
   */
  default Optional<List<Integer>> racks() {
    return Optional.empty();
  }

  /**
   * Ways to compute all parity that take fewer multiplications than the generator, each equal to it
   * (which {@link Schedule#rows} proves); empty when there are none.
   */
  default List<Schedule> encodings() {
    return List.of();
  }

  /**
   * Sets of sub-blocks from which some lost blocks can be rebuilt and that a search would hardly
   * find. Whoever uses one lets the {@link Solver} make the equations, which proves it.
   *
   * @param lost positions of the lost blocks; none of their sub-blocks may be in a set
   */
  default List<List<SubBlock>> repairSets(Set<Integer> lost) {
    return List.of();
  }

  /** The generator's row that makes one sub-block. */
  default int row(SubBlock subBlock) {
    return subBlock.block() * alpha() + subBlock.index();
  }
}
