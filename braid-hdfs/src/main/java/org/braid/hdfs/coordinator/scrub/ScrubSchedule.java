package org.braid.hdfs.coordinator.scrub;

import java.util.List;
import java.util.Optional;
import org.braid.hdfs.rpc.ScrubRecord;
import org.braid.hdfs.rpc.ScrubRecord.Round;

/**
 * When which stripe is read. Ids of stripes are random, so that in each round each stripe has a
 * time of its own by its id: all stripes are spread evenly over the round, and each of them is read
 * at the same time of the next one. What is late is read as fast as may be. Has no clock of its
 * own; times are in milliseconds since 1970.
 */
final class ScrubSchedule {
  private final long span;

  /**
   * A schedule.
   *
   * @param spanMillis how long a round takes
   */
  ScrubSchedule(long spanMillis) {
    span = spanMillis;
  }

  /** How long a round takes. */
  long span() {
    return span;
  }

  /** The round that goes on, or the next one, which may begin later. */
  Round round(ScrubRecord record, long now) {
    Optional<Round> present = record.present().map(round -> asOf(round.within(span), now));
    // A clock that was wrong when the next round was set must not end all scrubs.
    if (present.isPresent() && present.get().begun() <= now + span) {
      return present.get();
    }
    return Round.from(now, span);
  }

  /**
   * A round by the present clock: no stripe is read before its time, so that one whose position is
   * ahead of its time was read by a clock that has been set back.
   */
  private static Round asOf(Round round, long now) {
    long reached = round.begun() + (long) (round.done() * round.span());
    return !round.after().isEmpty() && reached > now + ScrubRecord.SKEW_MILLIS
        ? round.earlier(reached - now)
        : round;
  }

  /** When a stripe is to be read. */
  long due(Round round, String stripe) {
    return round.begun() + (long) (ScrubRecord.fraction(stripe) * span);
  }

  /** How many of some stripes, in their order, are to be read now. */
  int due(Round round, List<String> stripes, long now) {
    int count = 0;
    while (count < stripes.size() && due(round, stripes.get(count)) <= now) {
      count++;
    }
    return count;
  }

  /** The record after the last stripe of a round: the next one begins when this one was to end. */
  ScrubRecord ended(ScrubRecord record, Round round, long now) {
    return record
        .asOf(now)
        .withLast(round.ended(now))
        .with(Round.from(Math.max(now, round.begun() + span), span));
  }
}
