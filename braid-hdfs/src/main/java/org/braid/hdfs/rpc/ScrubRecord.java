package org.braid.hdfs.rpc;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;

/**
 * The progress of the scrub of all stripes: the value of {@link BraidPaths#SCRUB_XATTR}, its only
 * record. Stripes are read in the order of their ids. These are random, so an id tells which
 * fraction of all stripes comes before it.
 *
 * @param present the round in progress, or the next one; empty before the first one
 * @param last the last complete round; empty before there is one
 */
public record ScrubRecord(Optional<Round> present, Optional<Round> last) {
  /** Nothing was ever scrubbed. */
  public static final ScrubRecord NONE = new ScrubRecord(Optional.empty(), Optional.empty());

  private static final String VERSION = "1";
  private static final int DIGITS = 12;

  /** Maximum difference between the clocks of hosts. */
  public static final long SKEW_MILLIS = 3_600_000;

  /** Behind the last stripe. */
  private static final String ALL = "g";

  /**
   * A round through all stripes.
   *
   * @param begun time of its beginning, in milliseconds since 1970
   * @param span shortest planned duration, in milliseconds; 0 without a plan
   * @param ended time of its end; 0 while it is in progress
   * @param after id of the stripe behind which it continues; empty before the first one
   * @param blocks number of replicas that were read
   * @param bytes bytes of these replicas
   * @param findings number of findings on replicas and stripes
   * @param checked number of stripes that were checked against their parity
   * @param unfit number of these stripes whose parity does not match
   * @param unread number of replicas that could not be read
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

    /** The round with another planned duration, if that is shorter. */
    public Round within(long newSpan) {
      return timed(begun, Math.min(span, newSpan));
    }

    /**
     * The round with its beginning moved back, for a clock that is behind the clock of its
     * beginning.
     */
    public Round earlier(long millis) {
      return timed(Math.max(0, begun - millis), span);
    }

    private Round timed(long newBegun, long newSpan) {
      return new Round(
          newBegun, newSpan, ended, after, blocks, bytes, findings, checked, unfit, unread);
    }

    /** The round with more progress. */
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

    /** The round with more replicas that could not be read. */
    public Round missing(long moreUnread) {
      return new Round(
          begun, span, ended, after, blocks, bytes, findings, checked, unfit, unread + moreUnread);
    }

    /** The round with more stripes checked against their parity. */
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

    /** The round at its end. */
    public Round ended(long now) {
      return new Round(
          begun, span, Math.max(1, now), ALL, blocks, bytes, findings, checked, unfit, unread);
    }

    /** The fraction of all stripes that is done, 0 to 1. */
    public double done() {
      return after.equals(ALL) ? 1 : fraction(after);
    }
  }

  /** The fraction of all stripes before a stripe, 0 to 1; 0 for an empty id. */
  public static double fraction(String stripe) {
    if (stripe.length() < DIGITS) {
      return 0;
    }
    return Long.parseLong(stripe.substring(0, DIGITS), 16) / (double) (1L << (4 * DIGITS));
  }

  /** The record with this present round. */
  public ScrubRecord with(Round round) {
    return new ScrubRecord(Optional.of(round), last);
  }

  /**
   * The record with this last round, unless it has a later one, which another process may have
   * recorded.
   */
  public ScrubRecord withLast(Round round) {
    return last.isPresent() && last.get().ended > round.ended
        ? this
        : new ScrubRecord(present, Optional.of(round));
  }

  /**
   * The record without a last round that ended in the future: the clock was wrong, and the round
   * would count as later than all rounds until then.
   *
   * @param now milliseconds since 1970
   */
  public ScrubRecord asOf(long now) {
    return last.isPresent() && last.get().ended > now + SKEW_MILLIS
        ? new ScrubRecord(present, Optional.empty())
        : this;
  }

  /**
   * The longest time for which a stripe was not read: an upper bound after the first complete
   * round; during the first round a lower bound, for stripes that it has not reached; empty before
   * it.
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

  /** The stored form. */
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
   * Parses the stored form.
   *
   * @throws IllegalArgumentException when it is unreadable, or a later version wrote it
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
