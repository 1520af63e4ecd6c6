package org.braid.hdfs.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The known bounds of the time since the last use of a file.
 *
 * @param least milliseconds for which the file was certainly unused, up to the end of the known
 *     reads
 * @param most milliseconds since the last known use, the longest time for which the file can be
 *     unused; {@link Long#MAX_VALUE} when no use is known
 * @param limit why no longer time is certain; empty when the file was used then
 */
record ReadAge(long least, long most, Optional<String> limit) {
  private static final String WORDS = "it was read %s ago";

  /** Computes the bounds for a file at the path of a policy. */
  static ReadAge of(Glob path, FileFacts file, Instant now) {
    KnownReads reads = file.reads();
    Optional<Instant> since = reads.since(path);
    if (file.accessed().isEmpty()) {
      return new ReadAge(0, Long.MAX_VALUE, Optional.of(reads.sentence(path)));
    }
    Instant accessed = file.accessed().get();
    long most = age(accessed, now);
    if (since.isEmpty()) {
      return new ReadAge(0, most, Optional.of(reads.sentence(path)));
    }
    Instant judged = reads.judged(now);
    boolean seen = !accessed.isBefore(since.get());
    long least = age(seen ? accessed : since.get(), judged);
    return new ReadAge(
        least,
        most,
        seen && judged.equals(now) ? Optional.empty() : Optional.of(reads.sentence(path)));
  }

  private static long age(Instant since, Instant now) {
    return Math.max(0, Duration.between(since, now).toMillis());
  }

  /** Why the age is not certainly in a range; empty when it is. */
  Optional<String> againstSurely(Range range) {
    if (least < range.least()) {
      return Optional.of(
          limit
              .map(
                  sentence ->
                      "it is known to be unread for %s, at least %s is needed: %s"
                          .formatted(time(least), time(range.least()), sentence))
              .orElseGet(
                  () ->
                      "it was read %s ago, at least %s is needed"
                          .formatted(time(least), time(range.least()))));
    }
    return most == Long.MAX_VALUE && range.isBounded()
        ? limit
        : new Range(0, range.below()).against(WORDS, PolicyQuantity.TIME, most);
  }

  /** Why the age cannot be in a range; empty when it may be. */
  Optional<String> againstPossibly(Range range) {
    return new Range(range.least(), Long.MAX_VALUE)
        .against(WORDS, PolicyQuantity.TIME, most)
        .or(() -> new Range(0, range.below()).against(WORDS, PolicyQuantity.TIME, least));
  }

  private static String time(long millis) {
    return PolicyQuantity.TIME.format(millis - millis % 1000);
  }
}
