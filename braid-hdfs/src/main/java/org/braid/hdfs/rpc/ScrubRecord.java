package org.braid.hdfs.rpc;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;

/**
 * How far the scrub of all stripes is: the value of {@link BraidPaths#SCRUB_XATTR}, all that is
 * kept of it. Stripes are read in the order of their ids, which are random, so that an id says
 * which part of all stripes comes before it.
 *
 * @param present the round that goes on, or that begins next; empty before the first one
 * @param last the last round that ended; empty when none has
 */
public record ScrubRecord(Optional<Round> present, Optional<Round> last) {
  /** Nothing was ever scrubbed. */
  public static final ScrubRecord NONE = new ScrubRecord(Optional.empty(), Optional.empty());

  private static final String VERSION = "1";
  private static final int DIGITS = 12;

  /** Clocks of hosts differ by less. */
  public static final long SKEW_MILLIS = 3_600_000;

  /** Behind the last stripe. */
  private static final String ALL = "g";

  /**
   * A round through all stripes.
   *
   * @param begun when it began, in milliseconds since 1970
   * @param span how long it was to take, at the shortest plan, in milliseconds; 0 when there was
   *     none
   * @param ended when it ended; 0 while it goes on
   * @param after the stripe behind which it goes on; empty before the first one
   * @param blocks replicas that were read
   * @param bytes of these
   * @param findings of these and of stripes
   * @param checked stripes that were checked against their parity
   * @param unfit of these, whose parity does not fit
   * @param unread replicas that could not be read
   */
  public record Round(
      long begun,
      long span,
      long ended,
      String after,
      long blocks,
      long bytes,
      long findings,
      long checked,
      long unfit,
      long unread) {
    /** A round that begins. */
    public static Round from(long begun, long span) {
      return new Round(begun, span, 0, "", 0, 0, 0, 0, 0, 0);
    }

    /** The same round by another plan. */
    public Round within(long newSpan) {
      return timed(begun, Math.min(span, newSpan));
    }

    /** The same round by a clock that is behind the one by which it began. */
    public Round earlier(long millis) {
      return timed(Math.max(0, begun - millis), span);
    }

    private Round timed(long newBegun, long newSpan) {
      return new Round(
          newBegun, newSpan, ended, after, blocks, bytes, findings, checked, unfit, unread);
    }

    /** The same round, further on. */
    public Round at(String stripe, long moreBlocks, long moreBytes, long moreFindings) {
      return new Round(
          begun,
          span,
          ended,
          stripe,
          blocks + moreBlocks,
          bytes + moreBytes,
          findings + moreFindings,
          checked,
          unfit,
          unread);
    }

    /** The same round with more replicas that could not be read. */
    public Round missing(long moreUnread) {
      return new Round(
          begun, span, ended, after, blocks, bytes, findings, checked, unfit, unread + moreUnread);
    }

    /** The same round with more stripes checked against their parity. */
    public Round compared(long moreChecked, long moreUnfit) {
      return new Round(
          begun,
          span,
          ended,
          after,
          blocks,
          bytes,
          findings,
          checked + moreChecked,
          unfit + moreUnfit,
          unread);
    }

    /** The same round at its end. */
    public Round ended(long now) {
      return new Round(
          begun, span, Math.max(1, now), ALL, blocks, bytes, findings, checked, unfit, unread);
    }

    /** Which part of all stripes is done, 0 to 1. */
    public double done() {
      return after.equals(ALL) ? 1 : fraction(after);
    }
  }

  /** Which part of all stripes comes before a stripe, 0 to 1; 0 for an empty id. */
  public static double fraction(String stripe) {
    if (stripe.length() < DIGITS) {
      return 0;
    }
    return Long.parseLong(stripe.substring(0, DIGITS), 16) / (double) (1L << (4 * DIGITS));
  }

  /** The same with the present round further on. */
  public ScrubRecord with(Round round) {
    return new ScrubRecord(Optional.of(round), last);
  }

  /** The same after a round, which another may have recorded a later one of. */
  public ScrubRecord withLast(Round round) {
    return last.isPresent() && last.get().ended > round.ended
        ? this
        : new ScrubRecord(present, Optional.of(round));
  }

  /**
   * The same without a last round that is still to come: the clock by which it ended was wrong, and
   * it would count as later than all rounds until then.
   *
   * @param now milliseconds since 1970
   */
  public ScrubRecord asOf(long now) {
    return last.isPresent() && last.get().ended > now + SKEW_MILLIS
        ? new ScrubRecord(present, Optional.empty())
        : this;
  }

  /**
   * For how long the stripe that was read before all others was not read again, at most. Before the
   * first round has ended: for how long stripes that it has not reached were not read, at least;
   * empty when no round has begun.
   *
   * @param now milliseconds since 1970
   */
  public OptionalLong oldestMillis(long now) {
    if (last.isEmpty()) {
      return present
          .filter(round -> round.ended == 0 && round.begun <= now)
          .map(round -> OptionalLong.of(now - round.begun))
          .orElse(OptionalLong.empty());
    }
    Round before = last.get();
    // Of the stripes behind the present position the next one was read first, and not before its
    // time in that round. After the clock was set back the present round may have begun before the
    // last one ended.
    double done = present.filter(round -> round.begun > before.begun).map(Round::done).orElse(0.0);
    double since = before.begun + done * Math.min(before.span, before.ended - before.begun);
    return OptionalLong.of(Math.max(0, now - (long) since));
  }

  /** As it is stored. */
  public byte[] bytes() {
    StringJoiner text = new StringJoiner(" ");
    text.add("version=" + VERSION);
    present.ifPresent(round -> add(text, "", round));
    last.ifPresent(round -> add(text, "last-", round));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void add(StringJoiner text, String prefix, Round round) {
    text.add(prefix + "begun=" + round.begun);
    text.add(prefix + "span=" + round.span);
    text.add(prefix + "ended=" + round.ended);
    text.add(prefix + "after=" + round.after);
    text.add(prefix + "blocks=" + round.blocks);
    text.add(prefix + "bytes=" + round.bytes);
    text.add(prefix + "findings=" + round.findings);
    text.add(prefix + "checked=" + round.checked); // earlier releases pass over these
    text.add(prefix + "unfit=" + round.unfit);
    text.add(prefix + "unread=" + round.unread);
  }

  /**
   * Reads what was stored.
   *
   * @throws IllegalArgumentException when it cannot be understood, or a later version wrote it
   */
  public static ScrubRecord parse(byte[] stored) {
    Map<String, String> fields = new HashMap<>();
    for (String field : new String(stored, StandardCharsets.UTF_8).split(" ", -1)) {
      int sign = field.indexOf('=');
      if (sign < 1 || fields.put(field.substring(0, sign), field.substring(sign + 1)) != null) {
        throw new IllegalArgumentException("\"" + field + "\" is no field of a scrub's record");
      }
    }
    if (!VERSION.equals(fields.get("version"))) {
      throw new IllegalArgumentException(
          "a scrub's record of version %s: this release knows version %s"
              .formatted(fields.get("version"), VERSION));
    }
    return new ScrubRecord(round(fields, ""), round(fields, "last-"));
  }

  private static Optional<Round> round(Map<String, String> fields, String prefix) {
    if (!fields.containsKey(prefix + "begun")) {
      return Optional.empty();
    }
    String after = fields.getOrDefault(prefix + "after", "");
    if (!after.isEmpty() && !after.equals(ALL) && !after.matches("[0-9a-f]{32}")) {
      throw new IllegalArgumentException("\"" + after + "\" is no stripe that a scrub has reached");
    }
    return Optional.of(
        new Round(
            number(fields, prefix + "begun"),
            number(fields, prefix + "span"),
            number(fields, prefix + "ended"),
            after,
            number(fields, prefix + "blocks"),
            number(fields, prefix + "bytes"),
            number(fields, prefix + "findings"),
            later(fields, prefix + "checked"),
            later(fields, prefix + "unfit"),
            later(fields, prefix + "unread")));
  }

  /** A number that earlier releases do not write. */
  private static long later(Map<String, String> fields, String name) {
    return fields.containsKey(name) ? number(fields, name) : 0;
  }

  private static long number(Map<String, String> fields, String name) {
    String text = fields.getOrDefault(name, "");
    if (!text.matches("\\d{1,18}")) {
      throw new IllegalArgumentException(
          "the field %s of a scrub's record is \"%s\", which is no number".formatted(name, text));
    }
    return Long.parseLong(text);
  }
}
