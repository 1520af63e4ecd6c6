package org.braid.hdfs.time;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches the answer to an expensive question for thousands of calls a second. Asks again when the
 * answer is too old. Thread-safe.
 *
 * @param <T> type of the answer
 */
public final class RecentAnswer<T> {
  private final long millis;
  private final LongSupplier clock;
  private final Supplier<T> question;
  private volatile @Nullable Given<T> last;

  private record Given<T>(T answer, long asked) {}

  /**
   * Starts without an answer.
   *
   * @param millis maximum age of the answer
   * @param clock milliseconds that never run backwards
   */
  public RecentAnswer(long millis, LongSupplier clock, Supplier<T> question) {
    this.millis = millis;
    this.clock = clock;
    this.question = question;
  }

  /** The answer. */
  public T get() {
    long now = clock.getAsLong();
    Given<T> known = last;
    if (known == null || now - known.asked > millis) {
      known = new Given<>(question.get(), now);
      last = known;
    }
    return known.answer;
  }
}
