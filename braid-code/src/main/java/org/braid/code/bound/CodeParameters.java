package org.braid.code.bound;

import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;

/**
 * The parameters of a code that bounds depend on.
 *
 * @param n blocks of a stripe, more than k
 * @param k data blocks, at least 1
 * @param tolerance the code survives any that many lost blocks, 1..n-k
 * @param locality any lost data block can be rebuilt from that many others, 1..k
 */
public record CodeParameters(int n, int k, int tolerance, int locality) {
  public CodeParameters {
    if (k < 1 || n <= k) {
      throw new IllegalArgumentException("n = " + n + ", k = " + k + ", but 1 <= k < n");
    }
    if (tolerance < 1 || tolerance > n - k) {
      throw new IllegalArgumentException(
          "tolerance " + tolerance + ", but n = " + n + " and k = " + k + " allow 1.." + (n - k));
    }
    if (locality < 1 || locality > k) {
      throw new IllegalArgumentException(
          "locality " + locality + ", but k = " + k + " data blocks allow 1.." + k);
    }
  }

  /**
   * The parameters of a code; the locality follows from its local groups.
   *
   * @param tolerance the code survives any that many lost blocks
   */
  public static CodeParameters of(ErasureCode code, int tolerance) {
    int locality =
        IntStream.range(0, code.k()).map(b -> reads(code, b).orElse(code.k())).max().orElseThrow();
    return new CodeParameters(code.n(), code.k(), tolerance, Math.min(locality, code.k()));
  }

  /** The number of blocks read to repair a block in the smallest of its local groups. */
  private static OptionalInt reads(ErasureCode code, int block) {
    return code.groups().stream()
        .filter(g -> g.blocks().contains(block))
        .mapToInt(g -> g.blocks().size() - g.losses())
        .min();
  }
}
