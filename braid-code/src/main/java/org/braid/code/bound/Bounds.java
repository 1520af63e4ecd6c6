package org.braid.code.bound;

import org.braid.code.bound.Bound.Quantity;
import org.braid.code.bound.Bound.Side;

/** The bounds. */
public final class Bounds {
  private static final String CUT_SET =
      "Network coding for distributed storage systems, IEEE Trans. Inf. Theory 56(9), 2010";

  private static final String LOCALITY =
      "On the locality of codeword symbols, IEEE Trans. Inf. Theory 58(11), 2012;"
          + " Geo-MXOR [20]";

  private static final String SINGLETON =
      "Maximum distance q-nary codes, IEEE Trans. Inf. Theory 10(2), 1964";

  private Bounds() {}

  /** Least mean traffic of a repair in which all n - 1 other blocks may help. */
  public static Bound cutSet() {
    return new Bound(
        "bound-cut-set",
        "Repair traffic of one block, cut-set (MSR) bound; d/(d-k+1) with d = n-1 for MDS codes",
        CUT_SET,
        Quantity.REPAIR_TRAFFIC,
        Side.AT_LEAST,
        Bounds::leastTraffic);
  }

  /** The share of each of the n - 1 helpers in {@link #cutSet}. */
  public static Bound cutSetHelper() {
    return new Bound(
        "bound-cut-set-helper",
        "What each of d = n-1 helpers sends at the cut-set bound; 1/(d-k+1) for MDS codes",
        CUT_SET,
        Quantity.HELPER_TRAFFIC,
        Side.AT_LEAST,
        shape -> leastTraffic(shape) / (shape.n() - 1));
  }

  /** Largest distance of any code. */
  public static Bound singleton() {
    return new Bound(
        "bound-singleton",
        "Distance of any code, n-k+1; MDS codes reach it",
        SINGLETON,
        Quantity.DISTANCE,
        Side.AT_MOST,
        shape -> shape.n() - shape.k() + 1);
  }

  /** Largest distance of a code with locality. */
  public static Bound locality() {
    return new Bound(
        "bound-locality",
        "Distance of a code that repairs a data block from r others, n-k-ceil(k/r)+2",
        LOCALITY,
        Quantity.DISTANCE,
        Side.AT_MOST,
        shape -> shape.n() - shape.k() - groups(shape) + 2);
  }

  /** Least storage for a tolerance. */
  public static Bound overhead() {
    return new Bound(
        "bound-overhead",
        "Storage of any code that survives any t losses, (k+t)/k",
        SINGLETON,
        Quantity.OVERHEAD,
        Side.AT_LEAST,
        shape -> (shape.k() + (double) shape.tolerance()) / shape.k());
  }

  /** Least storage for a tolerance with locality. */
  public static Bound localOverhead() {
    return new Bound(
        "bound-local-overhead",
        "Storage of a code that survives any t losses and repairs a data block from r others,"
            + " (k+t+ceil(k/r)-1)/k",
        LOCALITY,
        Quantity.OVERHEAD,
        Side.AT_LEAST,
        shape -> (shape.k() + shape.tolerance() + groups(shape) - 1.0) / shape.k());
  }

  /**
   * Traffic of a repair at the minimum-storage point of an MDS code, in blocks: d/(d-k+1).
   *
   * @param k data blocks, at least 1
   * @param d helpers that are asked, at least k
   */
  public static double minimumStorageRepair(int k, int d) {
    if (k < 1 || d < k) {
      throw new IllegalArgumentException("d = " + d + " helpers, k = " + k + ", but 1 <= k <= d");
    }
    return d / (d - k + 1.0);
  }

  private static int groups(Shape shape) {
    return (shape.k() + shape.locality() - 1) / shape.locality();
  }

  /**
   * The least c that the cut-set argument leaves, with d = n - 1. Any K = n - tolerance blocks
   * determine the data, also when they are all repaired ones. The block that is repaired after i
   * others of them adds no more than one block, and no more than what it gets from the d - i
   * helpers that are not among these, so k <= sum over i < K of min(1, c (d-i)/d). Helpers need not
   * send alike: in the mean over all orders of repair, and min being concave, c is the mean
   * traffic. For an MDS code K = k, every term must be 1, and c = d/(d-k+1).
   */
  private static double leastTraffic(Shape shape) {
    double d = shape.n() - 1;
    int known = shape.n() - shape.tolerance();
    double helpers = 0;
    for (int i = 0; i < known; i++) {
      helpers += d - i;
    }
    // The first so many terms are 1; the others grow with c.
    for (int full = 0; ; full++) {
      double traffic = (shape.k() - full) * d / helpers;
      if (full == known - 1 || traffic <= d / (d - full)) {
        return traffic;
      }
      helpers -= d - full;
    }
  }
}
