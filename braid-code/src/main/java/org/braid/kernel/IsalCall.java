package org.braid.kernel;

import java.nio.ByteBuffer;
import org.braid.code.Matrix;

/** One call of ISA-L on places, with prepared tables. */
final class IsalCall {
  /** The kinds of calls, for which ISA-L has different functions. */
  enum Kind {
    /** Sums of products with any coefficients. */
    PRODUCTS,

    /** The plain sum of two or more sources, for one target. */
    SUM,

    /** Zero for all targets, which are also the sources. */
    ZERO
  }

  /** Bytes of tables that ISA-L needs for each coefficient. */
  private static final int TABLE_BYTES = 32;

  /** Alignment of the addresses for xor_gen. */
  private static final int ALIGNMENT = 32;

  final int[] targets;
  private final int[] sources;
  private final Kind kind;
  private final ByteBuffer tables;
  private final long tablesAddress;

  IsalCall(Matrix matrix, int[] sources, int[] targets, Kind kind) {
    this.sources = sources;
    this.targets = targets;
    this.kind = kind;
    this.tables = tables(matrix);
    this.tablesAddress = Isal.address(tables);
  }

  /** ISA-L's tables for a matrix with at least one row and one column. */
  static ByteBuffer tables(Matrix matrix) {
    int inputs = matrix.columns();
    int outputs = matrix.rows();
    ByteBuffer tables =
        ByteBuffer.allocateDirect(Math.multiplyExact(TABLE_BYTES, inputs * outputs));
    ByteBuffer coefficients = ByteBuffer.allocateDirect(inputs * outputs);
    for (int r = 0; r < outputs; r++) {
      for (int c = 0; c < inputs; c++) {
        coefficients.put((byte) matrix.at(r, c));
      }
    }
    try {
      Isal.ec_init_tables(inputs, outputs, Isal.address(coefficients), Isal.address(tables));
    } finally {
      Jdk.keep(coefficients);
    }
    return tables;
  }

  /** Computes the next bytes of the targets. */
  void run(IsalScratch scratch, int count) {
    switch (kind) {
      case PRODUCTS -> products(scratch, count);
      case SUM -> sum(scratch, count);
      case ZERO -> {
        for (int target : targets) {
          int[] one = {target};
          Isal.ec_encode_data(
              count, 1, 1, tablesAddress, scratch.list(0, one, 0), scratch.list(1, one, 0));
        }
      }
    }
  }

  private void products(IsalScratch scratch, int count) {
    Isal.ec_encode_data(
        count,
        sources.length,
        targets.length,
        tablesAddress,
        scratch.list(0, sources, 0),
        scratch.list(sources.length, targets, 0));
  }

  /** Addresses with the same misalignment are all aligned a few bytes later. */
  private void sum(IsalScratch scratch, int count) {
    int past = (int) scratch.address(targets[0]) & ALIGNMENT - 1;
    for (int source : sources) {
      if (((int) scratch.address(source) & ALIGNMENT - 1) != past) {
        products(scratch, count);
        return;
      }
    }
    // Very short calls are slow, so the unaligned head includes some whole vectors.
    int head = past == 0 ? 0 : 3 * ALIGNMENT - past;
    if (head >= count) {
      products(scratch, count);
      return;
    }
    if (head > 0) {
      products(scratch, head);
    }
    long list = scratch.list(0, sources, head);
    scratch.list(sources.length, targets, head);
    if (Isal.xor_gen(sources.length + 1, count - head, list) != 0) {
      throw new IllegalStateException("xor_gen refuses " + sources.length + " sources");
    }
  }
}
