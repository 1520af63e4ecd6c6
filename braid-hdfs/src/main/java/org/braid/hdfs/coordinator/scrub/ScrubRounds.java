package org.braid.hdfs.coordinator.scrub;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.braid.hdfs.api.ScrubReport.Finding;
import org.braid.hdfs.api.ScrubReport.Kind;
import org.braid.hdfs.api.ScrubReport.StripeCounts;
import org.braid.hdfs.api.ScrubReport.Unchecked;
import org.braid.hdfs.api.view.Amounts;
import org.braid.hdfs.coordinator.session.NameNodeCalls.StripePage;
import org.braid.hdfs.rpc.ScrubRecord;
import org.braid.hdfs.rpc.ScrubRecord.Round;
import org.braid.hdfs.stripe.StripeStatus;

/**
 * Scrubs all stripes in rounds, a step at a time; each step reads the stripes that are due. Saves
 * its position in the namespace every ten minutes, or fifty times a round if that is more often,
 * and at the end of a round. A new coordinator goes on from the saved position.
 */
final class ScrubRounds {
  /** Stripes of a step; after a kill, those read since the position was saved are read again. */
  static final int PAGE = 100;

  /** How often the position is written in a long round. */
  static final long SAVE_MILLIS = 600_000;

  /** How often it is written in a short round. */
  private static final int SAVES = 50;

  /**
   * A hand-over does not save the position again within one part in this many of the save interval
   * after the last save.
   */
  private static final int LATELY = 10;

  /** Longest wait before the next due stripe is determined anew. */
  private static final long WAIT_MILLIS = 3_600_000;

  private static final long AGAIN_MILLIS = 1000;
  private static final int NAMED = 20;
  private static final long SAY_MILLIS = 3_600_000;

  /**
   * Number of consecutive steps without any readable replica after which the scrub skips the
   * stripes.
   */
  private static final int MOST_VAIN = 30;

  private final Port port;
  private final ScrubSchedule schedule;
  private final InstantSource clock;
  private final Consumer<String> journal;
  private final long saveMillis;
  private Optional<ScrubRecord> known = Optional.empty();
  private long saved;
  private int vain;
  private long said = -SAY_MILLIS;

  /** The calls of rounds. */
  interface Port {
    /** Loads the saved record. */
    ScrubRecord load() throws IOException;

    /** Saves a record; returns the record that is in force then. */
    ScrubRecord save(ScrubRecord record) throws IOException;

    /** The next stripes. */
    StripePage after(String stripe, int most) throws IOException;

    /** Reads some stripes. */
    Done read(List<StripeStatus> stripes) throws IOException;
  }

  /**
   * The result of reading some stripes.
   *
   * @param stripes number of leading stripes that are done
   * @param unread replicas that could not be read
   * @param lost number of these that are blocks without a good copy
   */
  record Done(
      int stripes,
      long blocks,
      long bytes,
      StripeCounts parity,
      List<Finding> findings,
      List<Unchecked> unread,
      long lost) {}

  ScrubRounds(Port port, ScrubSchedule schedule, InstantSource clock, Consumer<String> journal) {
    this.port = port;
    this.schedule = schedule;
    this.clock = clock;
    this.journal = journal;
    saveMillis = Math.min(SAVE_MILLIS, schedule.span() / SAVES);
  }

  /**
   * Reads the stripes that are due. Tries stripes without any readable replica again for some
   * minutes before it skips them.
   *
   * @throws IOException also when none of several replicas could be read
   * @return milliseconds until something may be due again
   */
  long step() throws IOException {
    long now = clock.millis();
    ScrubRecord record = known.isPresent() ? known.get() : begin(now);
    Round round = schedule.round(record, now);
    if (now < round.begun()) {
      if (!isAfterNothing(record) || port.after("", 1).stripes().isEmpty()) {
        return Math.min(WAIT_MILLIS, round.begun() - now);
      }
      // What has come since is as old as this moment, and nothing else is there.
      round = Round.from(now, schedule.span());
      known = Optional.of(record.with(round));
      save();
      record = known.orElseThrow();
    }
    StripePage page = port.after(round.after(), PAGE);
    if (page.stripes().isEmpty()) {
      end(schedule.ended(record, round, now));
      return 0;
    }
    List<String> ids = page.stripes().stream().map(status -> status.stripe().id()).toList();
    int due = schedule.due(round, ids, now);
    if (due == 0) {
      known = Optional.of(record.with(round));
      return Math.max(1, Math.min(WAIT_MILLIS, schedule.due(round, ids.get(0)) - now));
    }
    Done done = port.read(page.stripes().subList(0, due));
    say(done.findings());
    sayUnread(done.unread(), now);
    vain = isVain(done) ? vain + 1 : 0;
    if (vain > 0 && vain <= MOST_VAIN) {
      throw new IOException(
          "none of %d replicas could be read, the first: %s"
              .formatted(done.unread().size(), described(done.unread().get(0))));
    }
    String after = done.stripes() == 0 ? round.after() : ids.get(done.stripes() - 1);
    known =
        Optional.of(
            record.with(
                round
                    .at(after, done.blocks(), done.bytes(), done.findings().size())
                    .compared(done.parity().checked(), done.parity().unfit())
                    .missing(done.unread().size())));
    if (isOver(saved, saveMillis, clock.millis())) {
      save();
    }
    return done.stripes() < due ? AGAIN_MILLIS : 0;
  }

  /** Whether no replica could be read, and some may be readable later. */
  private static boolean isVain(Done done) {
    return done.blocks() == 0
        && done.findings().isEmpty() // workers that find something are within reach
        && done.unread().size() > done.lost(); // what is lost does not come back by waiting
  }

  /** Whether a period has passed since a moment, or the clock was set back. */
  private static boolean isOver(long since, long millis, long now) {
    return now < since || now - since >= millis;
  }

  private ScrubRecord begin(long now) throws IOException {
    ScrubRecord record = port.load();
    Round round = schedule.round(record, now);
    saved = now;
    known = Optional.of(record.with(round));
    if (record.present().isEmpty()) {
      save(); // from now on it is known how long nothing was read
    }
    return known.get();
  }

  /** Whether there was no stripe in the last round. */
  private static boolean isAfterNothing(ScrubRecord record) {
    return record
        .last()
        .map(round -> round.blocks() == 0 && round.unread() == 0 && round.checked() == 0)
        .orElse(false);
  }

  private void end(ScrubRecord record) throws IOException {
    known = Optional.of(record);
    save();
    Round last = record.last().orElseThrow();
    journal.accept(
        ("all stripes are scrubbed: %d blocks, %s since %s, %d findings; %d stripes checked"
                + " against their parity, %d of them do not fit; %d replicas could not be read; the next round begins %s")
            .formatted(
                last.blocks(),
                Amounts.bytes(last.bytes()),
                Instant.ofEpochMilli(last.begun()),
                last.findings(),
                last.checked(),
                last.unfit(),
                last.unread(),
                record.present().map(round -> Instant.ofEpochMilli(round.begun())).orElseThrow()));
  }

  private void say(List<Finding> findings) {
    for (Finding finding : findings.subList(0, Math.min(NAMED, findings.size()))) {
      journal.accept(
          finding.kind() == Kind.PARITY
              ? "scrub: stripe %s: %s (%s of %s at %s)"
                  .formatted(
                      finding.stripe(),
                      finding.detail(),
                      finding.block(),
                      finding.path(),
                      finding.node())
              : "scrub: %s of %s at %s is bad, %s: %s"
                  .formatted(
                      finding.block(),
                      finding.path(),
                      finding.node(),
                      finding.kind(),
                      finding.detail()));
    }
    if (findings.size() > NAMED) {
      journal.accept("scrub: %d more are bad".formatted(findings.size() - NAMED));
    }
  }

  /** Logs at most one unread replica an hour. */
  private void sayUnread(List<Unchecked> unread, long now) {
    if (!unread.isEmpty() && isOver(said, SAY_MILLIS, now)) {
      said = now;
      journal.accept("scrub: could not be read: " + described(unread.get(0)));
    }
  }

  private static String described(Unchecked replica) {
    return "%s of %s at %s: %s"
        .formatted(replica.block(), replica.path(), replica.node(), replica.reason());
  }

  private void save() throws IOException {
    known = Optional.of(port.save(known.orElseThrow()));
    saved = clock.millis();
  }

  /** Saves the position at a hand-over or stop, unless it was saved lately. */
  void handOver() throws IOException {
    if (known.isPresent() && isOver(saved, saveMillis / LATELY, clock.millis())) {
      save();
    }
    known = Optional.empty(); // another one may go on meanwhile
  }
}
