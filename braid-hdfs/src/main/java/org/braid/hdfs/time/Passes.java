package org.braid.hdfs.time;

/**
 * Schedules the steps of repeated passes through very many elements, so that the steps take a small
 * part of the time at any moment. Not thread-safe.
 */
public final class Passes {
  /** A step that took more times as long as one is meant to has waited for others. */
  private static final int MOST_STEPS = 2;

  private final long everyMillis;
  private final long stepMillis;
  private final int firstShare;
  private final int share;
  private boolean first = true;
  private long next = Long.MIN_VALUE;

  /**
   * Starts; the first pass may begin at once.
   *
   * @param everyMillis minimum time between the end of a pass and the beginning of the next one
   * @param stepMillis intended duration of a step
   * @param firstShare pause after a step of the first pass, as a multiple of the step's duration
   * @param share the same for later passes
   */
  public Passes(long everyMillis, long stepMillis, int firstShare, int share) {
    this.everyMillis = everyMillis;
    this.stepMillis = stepMillis;
    this.firstShare = firstShare;
    this.share = share;
  }

  /** Whether a step is due. */
  public boolean isDue(long now) {
    return now >= next;
  }

  /**
   * Records a step.
   *
   * @param last whether it was the last step of its pass
   */
  public void stepped(long begun, long ended, boolean last) {
    long took = Math.min(ended - begun, MOST_STEPS * stepMillis);
    long pause = (first ? firstShare : share) * took;
    next = ended + (last ? Math.max(everyMillis, pause) : pause);
    first &= !last;
  }

  /** Makes the next step the first step of a first pass. */
  public void clear() {
    first = true;
    next = Long.MIN_VALUE;
  }
}
