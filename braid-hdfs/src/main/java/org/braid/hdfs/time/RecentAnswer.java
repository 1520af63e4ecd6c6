package org.braid.hdfs.time;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a question that takes long, for calls that come thousands of times a second. The
 * question is asked again when the answer is old. Thread-safe.
 *
 * @param <T> the answers
 */
public final class RecentAnswer<T> {
  private final long millis;
  private final LongSupplier clock;
  private final Supplier<T> question;
  private volatile @Nullable Given<T> last;

  private record Given<T>(T answer, long asked) {}

  /**
   * Nothing is asked yet.
   *
   * @param millis how old an answer may be
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
