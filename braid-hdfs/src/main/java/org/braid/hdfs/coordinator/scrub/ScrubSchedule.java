package org.braid.hdfs.coordinator.scrub;

import java.util.List;
import java.util.Optional;
import org.braid.hdfs.rpc.ScrubRecord;
import org.braid.hdfs.rpc.ScrubRecord.Round;

/**
 * When each stripe is read. The id of a stripe, which is random, determines its time within each
 * round. So stripes are spread evenly over a round, and two reads of a stripe are one round apart.
 * Late stripes are read as fast as the rate allows. Has no clock; times are in milliseconds since
 * 1970.
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

  /** The current round, or the next one, which may begin later. */
  Round round(ScrubRecord record, long now) {
    Optional<Round> present = record.present().map(round -> asOf(round.within(span), now));
    // A clock that was wrong when the next round was set must not end all scrubs.
    if (present.isPresent() && present.get().begun() <= now + span) {
      return present.get();
    }
    return Round.from(now, span);
  }

  /**
   * The round by the present clock. No stripe is read early, so that a position ahead of the clock
   * means that the clock was set back.
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

  /** Number of leading stripes that are due now. */
  int due(Round round, List<String> stripes, long now) {
    int count = 0;
    while (count < stripes.size() && due(round, stripes.get(count)) <= now) {
      count++;
    }
    return count;
  }

  /**
   * The record after the last stripe of a round: the next round begins at the planned end of this
   * one, or now if that is past.
   */
  ScrubRecord ended(ScrubRecord record, Round round, long now) {
    return record
        .asOf(now)
        .withLast(round.ended(now))
        .with(Round.from(Math.max(now, round.begun() + span), span));
  }
}
