package org.braid.hdfs.time;

/**
 * When the next step of a pass through very many things is due: passes come again and again, and
 * each goes in steps, so that they take a small part of the time at any moment. Not thread-safe.
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
   * Passes of which the first one may begin at once.
   *
   * @param everyMillis the least time between the end of a pass and the next one
   * @param stepMillis how long a step is meant to take
   * @param firstShare a step of the first pass is followed by so many times its own time
   * @param share the same of later passes
   */
  public Passes(long everyMillis, long stepMillis, int firstShare, int share) {
    this.everyMillis = everyMillis;
    this.stepMillis = stepMillis;
    this.firstShare = firstShare;
    this.share = share;
  }

  /** Whether a step may be made. */
  public boolean isDue(long now) {
    return now >= next;
  }

  /**
   * A step was made.
   *
   * @param last whether it was the last one of its pass
   */
  public void stepped(long begun, long ended, boolean last) {
    long took = Math.min(ended - begun, MOST_STEPS * stepMillis);
    long pause = (first ? firstShare : share) * took;
    next = ended + (last ? Math.max(everyMillis, pause) : pause);
    first &= !last;
  }

  /** The next step is the first one of all. */
  public void clear() {
    first = true;
    next = Long.MIN_VALUE;
  }
}
