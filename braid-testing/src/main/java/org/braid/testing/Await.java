package org.braid.testing;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Waits for what other threads or processes do, at most until a deadline. What does not come to
 * pass is an {@link AwaitException} that says what was seen last.
 */
public final class Await {
  /** The deadline of those who name none: much longer than anything should take. */
  public static final Duration USUAL = Duration.ofSeconds(60);

  private static final long PAUSE_MILLIS = 10;

  /** Looks cost time that others need: what takes long is looked at less often. */
  private static final long MOST_PAUSE_MILLIS = 50;

  /** A pause is at most this part of what has been waited. */
  private static final long PAUSE_PART = 20;

  /**
   * What passes between two looks counts as no more than this: the machine may have stood still.
   */
  private static final long GAP_NANOS = Duration.ofSeconds(1).toNanos();

  private Await() {}

  /** What is waited for. */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    boolean holds() throws E;
  }

  /** What is looked at again and again. */
  @FunctionalInterface
  public interface Look<T, E extends Exception> {
    T look() throws E;
  }

  /**
   * Waits until a condition holds.
   *
   * @param what completes the sentence "waited in vain for ..."
   */
  public static <E extends Exception> void until(String what, Condition<E> condition) throws E {
    until(what, USUAL, condition);
  }

  /** Waits until a condition holds, at most so long. */
  public static <E extends Exception> void until(String what, Duration most, Condition<E> condition)
      throws E {
    Patience patience = new Patience(most, System::nanoTime);
    while (!condition.holds()) {
      patience.pause(what);
    }
  }

  /**
   * Waits until what is looked at is right.
   *
   * @return what was right
   */
  public static <T, E extends Exception> T until(
      String what, Look<T, E> look, Predicate<? super T> right) throws E {
    return until(what, USUAL, look, right);
  }

  /** Waits until what is looked at is right, at most so long. */
  public static <T, E extends Exception> T until(
      String what, Duration most, Look<T, E> look, Predicate<? super T> right) throws E {
    Patience patience = new Patience(most, System::nanoTime);
    T seen = look.look();
    while (!right.test(seen)) {
      patience.pause(what + ", last seen: " + seen);
      seen = look.look();
    }
    return seen;
  }

  /** Waits until what is looked at equals what is expected. */
  public static <T, E extends Exception> void untilEqual(String what, T expected, Look<T, E> look)
      throws E {
    until(what + " to be " + expected, look, seen -> Objects.equals(seen, expected));
  }

  /**
   * Looks for some time whether what is looked at stays as expected.
   *
   * @throws AwaitException as soon as it does not
   */
  public static <T, E extends Exception> void stays(
      String what, Duration time, T expected, Look<T, E> look) throws E {
    long end = System.nanoTime() + time.toNanos();
    do {
      T seen = look.look();
      if (!Objects.equals(seen, expected)) {
        throw new AwaitException(what + " should stay " + expected + ", but is " + seen);
      }
      sleep(what, PAUSE_MILLIS);
    } while (System.nanoTime() - end < 0);
  }

  /** How long is waited, without what a pause of the machine takes. */
  static final class Patience {
    private final Duration most;
    private final LongSupplier clock;
    private long last;
    private long waited;

    /**
     * Begins to wait.
     *
     * @param clock nanoseconds
     */
    Patience(Duration most, LongSupplier clock) {
      this.most = most;
      this.clock = clock;
      this.last = clock.getAsLong();
    }

    /** Waits for the next look, or ends. */
    void pause(String what) {
      long now = clock.getAsLong();
      waited += Math.min(now - last, GAP_NANOS);
      last = now;
      if (waited > most.toNanos()) {
        throw new AwaitException(
            "waited %.1f s in vain for %s".formatted(most.toMillis() / 1000.0, what));
      }
      long pause = TimeUnit.NANOSECONDS.toMillis(waited) / PAUSE_PART;
      sleep(what, Math.min(MOST_PAUSE_MILLIS, Math.max(PAUSE_MILLIS, pause)));
    }
  }

  private static void sleep(String what, long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AwaitException("interrupted while waiting for " + what);
    }
  }
}
