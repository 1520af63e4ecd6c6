package org.braid.code;

/**
 * An erasure code: a generator matrix over GF(2^8) and a name that is a contract. A stripe has n
 * blocks of alpha sub-blocks each; the first k blocks are the data (systematic).
 */
public interface ErasureCode {
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

  /** The generator's row that makes one sub-block. */
  default int row(SubBlock subBlock) {
    return subBlock.block() * alpha() + subBlock.index();
  }
}
