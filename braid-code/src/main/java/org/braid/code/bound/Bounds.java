package org.braid.code.bound;

import org.braid.code.bound.Bound.Quantity;
import org.braid.code.bound.Bound.Side;

/** The registered bounds. */
public final class Bounds {
  private static final String CUT_SET =
      "Network coding for distributed storage systems, IEEE Trans. Inf. Theory 56(9), 2010";

  private static final String LOCALITY =
      "On the locality of codeword symbols, IEEE Trans. Inf. Theory 58(11), 2012;"
          + " Geo-MXOR [20]";

  private static final String SINGLETON =
      "Maximum distance q-nary codes, IEEE Trans. Inf. Theory 10(2), 1964";

  private Bounds() {}

  /** Lower bound of the mean repair traffic when all n - 1 other blocks may help. */
  public static Bound cutSet() {
    return new Bound(
        "bound-cut-set",
        "Repair traffic of one block, cut-set (MSR) bound; d/(d-k+1) with d = n-1 for MDS codes",
        CUT_SET,
        Quantity.REPAIR_TRAFFIC,
        Side.AT_LEAST,
        Bounds::leastTraffic);
  }

  /** The traffic of each of the n - 1 helpers at {@link #cutSet}. */
  public static Bound cutSetHelper() {
    return new Bound(
        "bound-cut-set-helper",
        "What each of d = n-1 helpers sends at the cut-set bound; 1/(d-k+1) for MDS codes",
        CUT_SET,
        Quantity.HELPER_TRAFFIC,
        Side.AT_LEAST,
        parameters -> leastTraffic(parameters) / (parameters.n() - 1));
  }

  /** Upper bound of the distance of any code. */
  public static Bound singleton() {
    return new Bound(
        "bound-singleton",
        "Distance of any code, n-k+1; MDS codes reach it",
        SINGLETON,
        Quantity.DISTANCE,
        Side.AT_MOST,
        parameters -> parameters.n() - parameters.k() + 1);
  }

  /** Upper bound of the distance of a code with locality. */
  public static Bound locality() {
    return new Bound(
        "bound-locality",
        "Distance of a code that repairs a data block from r others, n-k-ceil(k/r)+2",
        LOCALITY,
        Quantity.DISTANCE,
        Side.AT_MOST,
        parameters -> parameters.n() - parameters.k() - groups(parameters) + 2);
  }

  /** Lower bound of the storage for a tolerance. */
  public static Bound overhead() {
    return new Bound(
        "bound-overhead",
        "Storage of any code that survives any t losses, (k+t)/k",
        SINGLETON,
        Quantity.OVERHEAD,
        Side.AT_LEAST,
        parameters -> (parameters.k() + (double) parameters.tolerance()) / parameters.k());
  }

  /** Lower bound of the storage for a tolerance and a locality. */
  public static Bound localOverhead() {
    return new Bound(
        "bound-local-overhead",
        "Storage of a code that survives any t losses and repairs a data block from r others,"
            + " (k+t+ceil(k/r)-1)/k",
        LOCALITY,
        Quantity.OVERHEAD,
        Side.AT_LEAST,
        parameters ->
            (parameters.k() + parameters.tolerance() + groups(parameters) - 1.0) / parameters.k());
  }

  private static int groups(CodeParameters parameters) {
    return (parameters.k() + parameters.locality() - 1) / parameters.locality();
  }

  /**
   * The least mean traffic c that the cut-set argument allows, with d = n - 1. Any K = n -
   * tolerance blocks determine the data, also if all of them are repaired ones. The block repaired
   * after i others adds at most one block, and at most what the d - i helpers outside these i send.
   * Hence k <= sum over i < K of min(1, c (d-i)/d). Helpers may send different amounts: min is
   * concave, so the inequality holds for the mean over all orders of repair. For an MDS code K = k,
   * every term must be 1, and c = d/(d-k+1).
   */
  private static double leastTraffic(CodeParameters parameters) {
    double d = parameters.n() - 1;
    int known = parameters.n() - parameters.tolerance();
    double helpers = 0;
    for (int i = 0; i < known; i++) {
      helpers += d - i;
    }
    // The first terms are 1; the others grow with c.
    for (int full = 0; ; full++) {
      double traffic = (parameters.k() - full) * d / helpers;
      if (full == known - 1 || traffic <= d / (d - full)) {
        return traffic;
      }
      helpers -= d - full;
    }
  }
}
