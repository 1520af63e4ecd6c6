package org.braid.code.derive;

/** What a repair should need least of. */
public enum Aim {
  /** Blocks of which anything is read. */
  BLOCKS,
  /** Bytes read. */
  BYTES,
  /** Racks from which anything is read; where a stripe has no racks, each block is its own. */
  RACKS
}
