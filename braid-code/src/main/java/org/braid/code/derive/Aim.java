package org.braid.code.derive;

import org.braid.code.ErasureCode;

/** What a repair should need least of. */
public enum Aim {
  /** Blocks of which anything is read. */
  BLOCKS,
  /** Bytes read. */
  BYTES,
  /** Racks from which anything is read; where a stripe has no racks, each block is its own. */
  RACKS;

  /** The first aim that means the same for a code. */
  Aim equal(ErasureCode code) {
    boolean same =
        switch (this) {
          case BLOCKS -> true;
          case BYTES -> code.alpha() == 1;
          case RACKS -> code.racks().isEmpty();
        };
    return same ? BLOCKS : this;
  }
}
