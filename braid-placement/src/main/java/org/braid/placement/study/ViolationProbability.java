package org.braid.placement.study;

/**
 * The probability that preliminary encoding-aware replication needs relocations (EAR section 3.1.2,
 * fig. 3).
 */
public final class ViolationProbability {
  private ViolationProbability() {}

  /**
   * Equation (1): the probability that the k data blocks of a stripe cannot keep replicas in k
   * different racks, when first replicas are in the core rack and the others of each block in one
   * random rack of the R - 1 others. Between 0 and 1.
   *
   * @param racks R, 2 or more; the equation assumes R >= n
   * @param k data blocks of a stripe, 1 or more
   */
  public static double preliminary(int racks, int k) {
    if (racks < 2 || k < 1) {
      throw new IllegalArgumentException(
          "%d racks and k = %d, needed are 2 racks and k = 1 or more".formatted(racks, k));
    }
    // Ratios, not factorials: (R-1)(R-2)...(R-k+1) / (R-1)^(k-1) stays between 0 and 1.
    double others = racks - 1;
    double firstsDistinct = 1;
    for (int i = 0; i < k - 1; i++) {
      firstsDistinct *= Math.max(0, (others - i) / others);
    }
    double allDistinct = firstsDistinct * Math.max(0, (others - (k - 1)) / others);
    double onePair = k * (k - 1) / 2.0 * firstsDistinct / others;
    return Math.max(0, 1 - allDistinct - onePair);
  }
}
