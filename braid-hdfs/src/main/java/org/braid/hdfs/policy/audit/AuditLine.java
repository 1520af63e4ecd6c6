package org.braid.hdfs.policy.audit;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line of HDFS's audit log, as {@code FSNamesystem.FSNamesystemAuditLogger} writes it behind any
 * prefix that names the time: {@code
 * allowed=true\tugi=...\tip=...\tcmd=open\tsrc=/a\tdst=null\t...}, with paths escaped as in Java.
 *
 * @param earliest when it was written; in an hour that occurs twice because clocks are put back,
 *     the first time
 * @param latest the same, the second time
 * @param allowed whether the call was carried out
 * @param command the call, as in open
 * @param source its path
 * @param target its second path; "null" when there is none
 */
public record AuditLine(
    Instant earliest,
    Instant latest,
    boolean allowed,
    String command,
    String source,
    String target) {
  private static final String BEGIN = "allowed=";

  /** Length of the prefix that is searched for the time. */
  private static final int MOST_PREFIX = 1000;

  private static final Pattern TIME =
      Pattern.compile(
          "(\\d{4})-(\\d\\d)-(\\d\\d)[ T](\\d\\d):(\\d\\d):(\\d\\d)(?:[.,](\\d{1,9}))?"
              + "(Z|[+-]\\d\\d:?\\d\\d)?(?!\\d)");

  private static final List<String> FIELDS =
      List.of("allowed=", "ugi=", "ip=", "cmd=", "src=", "dst=");

  /**
   * Reads a line.
   *
   * @param zone in which its time is, unless the time names an offset
   * @throws IllegalArgumentException when it is none
   */
  public static AuditLine parse(String line, ZoneId zone) {
    int begin = line.indexOf(BEGIN);
    if (begin < 0) {
      throw new IllegalArgumentException("it has no allowed=");
    }
    String[] values = values(line, begin);
    Matcher time = TIME.matcher(line.substring(Math.max(0, begin - MOST_PREFIX), begin));
    if (!time.find()) {
      throw new IllegalArgumentException(
          "no time such as 2026-11-25 10:11:12,345 stands in front of allowed=");
    }
    List<Instant> moments = moments(time, zone);
    return new AuditLine(
        moments.get(0),
        moments.get(moments.size() - 1),
        values[0].equals("true"),
        values[3],
        unescape(values[4]),
        unescape(values[5]));
  }

  private static String[] values(String line, int begin) {
    String[] values = new String[FIELDS.size()];
    int at = begin;
    for (int i = 0; i < values.length; i++) {
      String field = FIELDS.get(i);
      int end = line.indexOf('\t', at);
      if (!line.startsWith(field, at)) {
        throw new IllegalArgumentException("field %d is not %s".formatted(i + 1, field));
      }
      if (end < 0) {
        throw new IllegalArgumentException("it ends within " + field);
      }
      values[i] = line.substring(at + field.length(), end);
      at = end + 1;
    }
    if (!values[0].equals("true") && !values[0].equals("false")) {
      throw new IllegalArgumentException("allowed is neither true nor false");
    }
    return values;
  }

  private static List<Instant> moments(Matcher time, ZoneId zone) {
    try {
      LocalDateTime local =
          LocalDateTime.of(
                  number(time, 1),
                  number(time, 2),
                  number(time, 3),
                  number(time, 4),
                  number(time, 5),
                  number(time, 6))
              .plusNanos(nanos(time.group(7)));
      String offset = time.group(8);
      if (offset != null) {
        return List.of(local.toInstant(ZoneOffset.of(offset)));
      }
      List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
      return offsets.size() < 2
          ? List.of(local.atZone(zone).toInstant())
          : offsets.stream().map(local::toInstant).sorted().toList();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("its time is none: " + e.getMessage(), e);
    }
  }

  private static int number(Matcher time, int group) {
    return Integer.parseInt(time.group(group));
  }

  private static long nanos(@Nullable String fraction) {
    return fraction == null ? 0 : Long.parseLong((fraction + "00000000").substring(0, 9));
  }

  /** Reverts {@code StringEscapeUtils.escapeJava} of Commons Text. */
  static String unescape(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    int at = 0;
    for (int slash = text.indexOf('\\'); slash >= 0; slash = text.indexOf('\\', at)) {
      out.append(text, at, slash);
      char kind = slash + 1 < text.length() ? text.charAt(slash + 1) : ' ';
      at = slash + 2;
      switch (kind) {
        case 't' -> out.append('\t');
        case 'n' -> out.append('\n');
        case 'r' -> out.append('\r');
        case 'b' -> out.append('\b');
        case 'f' -> out.append('\f');
        case '\\', '"' -> out.append(kind);
        case 'u' -> {
          out.append(unicode(text, at));
          at += 4;
        }
        default ->
            throw new IllegalArgumentException("a path has an escape that is none of Java's");
      }
    }
    out.append(text, at, text.length());
    return out.toString();
  }

  private static char unicode(String text, int at) {
    int value = 0;
    for (int i = at; i < at + 4; i++) {
      int digit = i < text.length() ? Character.digit(text.charAt(i), 16) : -1;
      if (digit < 0) {
        throw new IllegalArgumentException("a path has an escape of less than 4 digits");
      }
      value = value * 16 + digit;
    }
    return (char) value;
  }
}
