package org.braid.plan.schedule;

/**
 * The coefficients of m-PPR's weights (PPR section 5, equations 2 and 3), where the best server has
 * the highest weight:
 *
 * <pre>
 * w_src = a1 * hasCache - a2 * #reconstructions - a3 * userLoad
 * w_dst = -(b1 * #repairDsts + b2 * userLoad)
 * </pre>
 *
 * <p>With a2 and b1 one, a1 / a2 = alpha * ceil(log2(k+1)) / beta, where alpha is the part of the
 * repair's time that a helper's cache saves and beta the part that the network takes; and a2 / a3 =
 * b1 / b2 = C * ceil(log2 k), the bytes of a block that a repair by PPR moves over a busy link.
 *
 * @param cached a1
 * @param reconstruction a2
 * @param sourceLoad a3, for a megabyte of user load
 * @param destination b1
 * @param destinationLoad b2, for a megabyte of user load
 */
public record MpprWeights(
    double cached,
    double reconstruction,
    double sourceLoad,
    double destination,
    double destinationLoad) {
  /** alpha / beta that gives the paper's example, 0.36 for RS(6,3). */
  public static final double GAIN = 0.12;

  private static final double MEGABYTE = 1L << 20;

  /**
   * The weights of a code's repairs.
   *
   * @param k helpers of a repair, at least 1
   * @param blockBytes C, bytes of a block
   */
  public static MpprWeights of(int k, long blockBytes) {
    if (k < 1 || blockBytes < 1) {
      throw new IllegalArgumentException(
          "weights of %d helpers and blocks of %d bytes".formatted(k, blockBytes));
    }
    double perMegabyte = 1 / (blockBytes / MEGABYTE * Math.max(1, ceilLog2(k)));
    return new MpprWeights(GAIN * ceilLog2(k + 1), 1, perMegabyte, 1, perMegabyte);
  }

  private static int ceilLog2(int value) {
    return 32 - Integer.numberOfLeadingZeros(value - 1);
  }

  /** w_src, equation 2. */
  double source(boolean hasCache, int reconstructions, double userLoad) {
    return (hasCache ? cached : 0) - reconstruction * reconstructions - sourceLoad * userLoad;
  }

  /** w_dst, equation 3. */
  double destination(int repairDestinations, double userLoad) {
    return -(destination * repairDestinations + destinationLoad * userLoad);
  }
}
