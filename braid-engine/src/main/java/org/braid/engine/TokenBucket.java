package org.braid.engine;

/**
 * Lets bytes pass at a rate that may change at any time: in each time t at most rate * t bytes, and
 * those of {@value #BURST_MILLIS} ms or of one slice, whichever is more. Has no clock of its own.
 * Not thread-safe.
 */
public final class TokenBucket {
  /** Credit for so long is kept when nothing passes. */
  public static final long BURST_MILLIS = 100;

  private static final double SECOND = 1e9;

  private double rate;
  private double credit;

  /** Bytes that wait for credit; 0 when none do. */
  private double waiting;

  private long since;

  /**
   * A bucket without credit.
   *
   * @param rate bytes a second; infinite: no limit, 0: nothing passes
   * @param now in nanoseconds from any origin
   */
  public TokenBucket(double rate, long now) {
    this.rate = rate;
    since = now;
  }

  /** Changes the rate from now on; waiting bytes keep the tokens that they have collected. */
  public void rate(double changed, long now) {
    fill(now, waiting);
    rate = changed;
  }

  /** The rate. */
  public double rate() {
    return rate;
  }

  /**
   * Takes bytes if they may pass now.
   *
   * @return 0 when they are taken; else nanoseconds until they may pass at this rate, {@link
   *     Long#MAX_VALUE} for never
   */
  public long take(int bytes, long now) {
    if (Double.isInfinite(rate)) {
      since = now;
      credit = 0;
      waiting = 0;
      return 0;
    }
    fill(now, bytes);
    if (credit >= bytes) {
      credit -= bytes;
      waiting = 0;
      return 0;
    }
    waiting = bytes;
    double nanos = rate == 0 ? Double.POSITIVE_INFINITY : (bytes - credit) / rate * SECOND;
    return nanos >= Long.MAX_VALUE ? Long.MAX_VALUE : (long) Math.ceil(nanos);
  }

  /** Adds the credit of the time that has passed, up to that of a burst or the bytes wanted. */
  private void fill(long now, double wanted) {
    if (!Double.isInfinite(rate)) {
      double most = Math.max(wanted, rate * BURST_MILLIS / 1000);
      double earned = rate * Math.max(0, now - since) / SECOND;
      credit = Math.max(credit, Math.min(most, credit + earned));
    }
    since = now;
  }
}
