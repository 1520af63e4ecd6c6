package org.braid.hdfs.namenode.view;

/**
 * Number of stripes by state.
 *
 * @param ageSeconds age of the counts; -1 when they are unknown, as on a standby
 * @param misplaced stripes with all blocks, some of them in wrong places
 * @param degraded stripes with lost blocks that survive further losses
 * @param atRisk stripes with lost blocks whose next loss may cost data
 * @param lost stripes with lost blocks that cannot be rebuilt
 * @param unreadable stripes whose description this release cannot read
 * @param oldestSeconds longest time for which a stripe has lacked blocks
 */
public record StripeCounts(
    long ageSeconds,
    long healthy,
    long misplaced,
    long degraded,
    long atRisk,
    long lost,
    long unreadable,
    long oldestSeconds) {
  /** Whether the counts are known. */
  public boolean known() {
    return ageSeconds >= 0;
  }

  /** Number of stripes that lack blocks or are unreadable. */
  public long damaged() {
    return degraded + atRisk + lost + unreadable;
  }
}
