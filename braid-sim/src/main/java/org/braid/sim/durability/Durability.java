package org.braid.sim.durability;

/**
 * What rates of loss mean for a cluster.
 *
 * @param stripeLosses of a stripe in a year
 * @param lostShare part of the data that is lost in a year, on average
 * @param lostBytes of the cluster in a year, on average
 * @param mttdlYears mean time until a stripe loses data, in years
 * @param clusterYears mean time until some stripe of the cluster does, if stripes failed
 *     independently; it is longer when they fail together
 */
public record Durability(
    double stripeLosses,
    double lostShare,
    double lostBytes,
    double mttdlYears,
    double clusterYears) {
  /**
   * From rates in a second.
   *
   * @param losses of a stripe
   * @param lostBlocks data blocks of a stripe
   */
  public static Durability of(Cluster cluster, double losses, double lostBlocks) {
    double share = lostBlocks * Times.YEAR / cluster.code().k();
    double years = 1 / (losses * Times.YEAR);
    return new Durability(
        losses * Times.YEAR,
        share,
        share * cluster.dataBytes(),
        years,
        years / Math.max(1, cluster.stripes()));
  }

  /** The share of data that survives a year, as a count of nines; infinite when all does. */
  public double nines() {
    return nines(lostShare);
  }

  /** The nines of a share that is lost in a year. */
  public static double nines(double lostShare) {
    // Lost at this rate for a year; never more than all.
    return -Math.log10(-Math.expm1(-lostShare)) + 0.0;
  }
}
