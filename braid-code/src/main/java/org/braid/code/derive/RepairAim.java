package org.braid.code.derive;

import org.braid.code.ErasureCode;

/** The cost that a repair minimises. */
public enum RepairAim {
  /** Number of blocks that are read, in part or whole. */
  BLOCKS,
  /** Bytes that are read. */
  BYTES,
  /** Number of racks that are read; each block is a rack of its own for codes without racks. */
  RACKS;

  /** The first aim that has the same meaning for a code. */
  RepairAim equal(ErasureCode code) {
    boolean same =
        switch (this) {
          case BLOCKS -> true;
          case BYTES -> code.alpha() == 1;
          case RACKS -> code.racks().isEmpty();
        };
    return same ? BLOCKS : this;
  }
}
