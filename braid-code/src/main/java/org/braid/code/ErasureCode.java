package org.braid.code;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An erasure code: a generator matrix over GF(2^8) and a persisted name. A stripe has n blocks of
 * alpha sub-blocks each; the first k blocks are the data (the code is systematic).
 */
public interface ErasureCode {
  /** The most blocks of a stripe that is one codeword over GF(2^8). */
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
   * The generator: n*alpha rows of k*alpha columns. Row b*alpha+s computes sub-block s of block b
   * from the data sub-blocks. The first k*alpha rows are the identity.
   */
  Matrix generator();

  /**
   * The losses that the code survives, strongest promise first. {@code codes verify} and the tests
   * check each promise against the matrix; none is empty.
   */
  List<Promise> promises();

  /** The local groups; empty for a code without locality. */
  default List<LocalGroup> groups() {
    return List.of();
  }

  /**
   * The rack of each block, from 0 up, if the stripe is a grid of racks and rows; otherwise empty.
   */
  default Optional<List<Integer>> racks() {
    return Optional.empty();
  }

  /**
   * Schedules that compute all parity with fewer multiplications than the generator. {@link
   * Schedule#rows} proves them equal to it. Empty when there are none.
   */
  default List<Schedule> encodings() {
    return List.of();
  }

  /**
   * Known sets of sub-blocks that suffice to rebuild lost blocks and that a search is unlikely to
   * find. The {@link Solver} derives the equations from a set, which proves that it suffices.
   *
   * @param lost positions of the lost blocks; none of their sub-blocks may be in a set
   */
  default List<List<SubBlock>> repairSets(Set<Integer> lost) {
    return List.of();
  }

  /** The generator's row of a sub-block. */
  default int row(SubBlock subBlock) {
    return subBlock.block() * alpha() + subBlock.index();
  }
}
