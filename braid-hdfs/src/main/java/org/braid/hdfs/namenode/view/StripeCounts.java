package org.braid.hdfs.namenode.view;

/**
 * How many stripes are in which state.
 *
 * @param ageSeconds for how long this has been known; -1: it is not, as on a standby
 * @param misplaced all blocks are there, not all where they are to be
 * @param degraded blocks are lost, further ones may be
 * @param atRisk blocks are lost, and the next loss may cost data
 * @param lost blocks are lost that those left do not give back
 * @param unreadable this release cannot read what describes them
 * @param oldestSeconds for how long the stripe that has lacked blocks longest has done so
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
  /** Whether it is known at all. */
  public boolean known() {
    return ageSeconds >= 0;
  }

  /** Stripes that lack blocks, or that cannot be read. */
  public long damaged() {
    return degraded + atRisk + lost + unreadable;
  }
}
