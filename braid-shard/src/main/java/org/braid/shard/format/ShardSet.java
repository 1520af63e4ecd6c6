package org.braid.shard.format;

import java.util.List;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;

/**
 * What all shards of one encoding have in common.
 *
 * @param id its identity
 * @param code the name of the code
 * @param digest the digest of the code's matrix, see {@link Codes#digest}
 * @param n number of shards
 * @param k data blocks of the code
 * @param alpha sub-blocks of a block
 * @param cell bytes of a full cell
 * @param length bytes of the file
 * @param sha256 SHA-256 of the file, in lower-case hex
 * @param name the file's name without directories
 * @param seals the seal of each shard, see {@link CellChecksum.Seal}
 */
public record ShardSet(
    SetId id,
    String code,
    String digest,
    int n,
    int k,
    int alpha,
    int cell,
    long length,
    String sha256,
    String name,
    List<Integer> seals) {
  /** The largest file, 64 PiB: offsets in shards cannot overflow a long. */
  static final long MAX_LENGTH = 1L << 56;

  /** The most bytes of all cells of a stripe; a few stripes are in memory. */
  static final int MAX_STRIPE = 64 << 20;

  public ShardSet {
    seals = List.copyOf(seals);
    if (k < 1 || n <= k || alpha < 1 || seals.size() != n) {
      throw new IllegalArgumentException(
          "impossible code: n " + n + ", k " + k + ", alpha " + alpha);
    }
    checkCell(n, alpha, cell);
    if (length < 0 || length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a file of " + length + " bytes, shards take 0.." + MAX_LENGTH);
    }
    if (name.isEmpty()
        || name.equals(".")
        || name.equals("..")
        || name.indexOf('/') >= 0
        || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("\"" + name + "\" is not the name of a file");
    }
  }

  /**
   * Checks the bytes of a full cell.
   *
   * @throws IllegalArgumentException when sub-blocks do not fill the cell, or a stripe is too large
   */
  public static int checkCell(int n, int alpha, long cell) {
    if (cell < alpha || cell % alpha != 0) {
      throw new IllegalArgumentException(
          "a cell of " + cell + " bytes is not a positive multiple of " + alpha + " sub-blocks");
    }
    if (cell > MAX_STRIPE / n) {
      throw new IllegalArgumentException(
          n + " cells of " + cell + " bytes, a stripe takes at most " + MAX_STRIPE + " bytes");
    }
    return (int) cell;
  }

  public ShardLayout layout() {
    return new ShardLayout(k, alpha, cell, length);
  }

  /** Whether a code has the matrix that encoded the set. */
  public boolean isOf(ErasureCode other) {
    return n == other.n()
        && k == other.k()
        && alpha == other.alpha()
        && digest.equals(Codes.digest(other));
  }
}
