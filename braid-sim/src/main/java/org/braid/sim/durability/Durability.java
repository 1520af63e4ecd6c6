package org.braid.sim.durability;

/**
 * How rarely a cluster loses data.
 *
 * @param stripeLosses mean data losses of one stripe in a year
 * @param lostShare mean share of the data that is lost in a year
 * @param lostBytes mean bytes of the cluster that are lost in a year
 * @param mttdlYears mean time to data loss of one stripe, in years
 * @param clusterYears mean time to the first data loss of the cluster, in years, if stripes failed
 *     independently; it is longer when they fail together
 */
public record Durability(
    double stripeLosses,
    double lostShare,
    double lostBytes,
    double mttdlYears,
    double clusterYears) {
  /** A year of 365.25 days, in seconds. */
  public static final double SECONDS_PER_YEAR = 365.25 * 86_400;

  /**
   * The durability that follows from rates a second.
   *
   * @param losses data losses of one stripe a second
   * @param lostBlocks data blocks that one stripe loses a second
   */
  public static Durability of(EncodedCluster cluster, double losses, double lostBlocks) {
    double share = lostBlocks * SECONDS_PER_YEAR / cluster.code().k();
    double years = 1 / (losses * SECONDS_PER_YEAR);
    return new Durability(
        losses * SECONDS_PER_YEAR,
        share,
        share * cluster.dataBytes(),
        years,
        years / Math.max(1, cluster.stripes()));
  }

  /** The share of data that survives a year, in nines; infinite when nothing is lost. */
  public double nines() {
    return nines(lostShare);
  }

  /** The nines of data of which a share is lost in a year. */
  public static double nines(double lostShare) {
    // The share is a rate: exponential decay never loses more than everything.
    return -Math.log10(-Math.expm1(-lostShare)) + 0.0;
  }
}
