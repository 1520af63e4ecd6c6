package org.braid.code.bound;

import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;

/**
 * What bounds look at in a code.
 *
 * @param n blocks of a stripe, more than k
 * @param k data blocks, at least 1
 * @param tolerance so many lost blocks, whichever they are, are always survived, 1..n-k
 * @param locality any one lost data block can be rebuilt from so many others, 1..k
 */
public record Shape(int n, int k, int tolerance, int locality) {
  public Shape {
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
   * The shape of a code; its locality is read off its local groups.
   *
   * @param tolerance so many lost blocks, whichever they are, the code always survives
   */
  public static Shape of(ErasureCode code, int tolerance) {
    int locality =
        IntStream.range(0, code.k()).map(b -> reads(code, b).orElse(code.k())).max().orElseThrow();
    return new Shape(code.n(), code.k(), tolerance, Math.min(locality, code.k()));
  }

  /** The blocks read to repair one block in the smallest group that holds it. */
  private static OptionalInt reads(ErasureCode code, int block) {
    return code.groups().stream()
        .filter(g -> g.blocks().contains(block))
        .mapToInt(g -> g.blocks().size() - g.losses())
        .min();
  }
}
