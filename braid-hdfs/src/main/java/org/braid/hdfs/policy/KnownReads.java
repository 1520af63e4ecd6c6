package org.braid.hdfs.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.braid.hdfs.policy.audit.Coverage;

/**
 * From when until when reads of files are known, and from where.
 *
 * @param since by paths of policies, from when on reads of these files are known; {@link #ALL} is
 *     all files
 * @param until the last moment at which reads are known; {@link Instant#MAX}: they are always known
 * @param problem why they are not known; empty when they are
 * @param precision so much earlier than the last read the recorded one may be; zero: that is not
 *     known
 */
public record KnownReads(
    Source source, Map<String, Instant> since, Instant until, String problem, Duration precision) {
  /** The path of all files. */
  public static final String ALL = "/";

  /** A read is recorded when the recorded one is earlier by more, as HDFS has it by default. */
  public static final Duration LOG_PRECISION = Duration.ofHours(1);

  /** Ages of fewer times the precision mean nothing. */
  private static final int FINEST = 2;

  /** HDFS records reads itself, how exactly is not known. */
  public static final KnownReads HDFS = fromAccessTimes(Duration.ZERO);

  /** HDFS records no reads, and no audit log was imported. */
  public static final KnownReads NONE =
      unknown(
          "dfs.namenode.accesstime.precision of the NameNode is 0, and no audit log was imported:"
              + " see braid policy import-reads --help");

  /** Where reads are known from. */
  public enum Source {
    /** HDFS's own access times. */
    ACCESS_TIMES,
    /** Imported audit logs. */
    AUDIT_LOGS,
    /** Nowhere. */
    UNKNOWN
  }

  public KnownReads {
    since = Map.copyOf(since);
  }

  /** Reads that are not known. */
  public static KnownReads unknown(String why) {
    return new KnownReads(Source.UNKNOWN, Map.of(), Instant.EPOCH, why, Duration.ZERO);
  }

  /** Reads that HDFS records itself, with its precision. */
  public static KnownReads fromAccessTimes(Duration precision) {
    return new KnownReads(
        Source.ACCESS_TIMES, Map.of(ALL, Instant.EPOCH), Instant.MAX, "", precision);
  }

  /** Reads that are known from audit logs. */
  public static KnownReads fromLogs(Map<String, Instant> since, Instant until) {
    return new KnownReads(Source.AUDIT_LOGS, since, until, "", LOG_PRECISION);
  }

  /** From when on reads of files are known; empty when they are not. */
  public Optional<Instant> since(Glob path) {
    return since(path.toString());
  }

  private Optional<Instant> since(String path) {
    return Stream.of(path, ALL)
        .map(name -> Optional.ofNullable(since.get(name)))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  /** The moment at which a file counts as unread: behind the last import nothing is known. */
  public Instant judged(Instant now) {
    return now.isBefore(until) ? now : until;
  }

  /** The same if logs are imported from now on without a gap. */
  KnownReads continued() {
    return source == Source.AUDIT_LOGS ? fromLogs(since, Instant.MAX) : this;
  }

  /**
   * Why a policy tells hot files from cold ones by ages that recorded reads do not show, in a
   * sentence without its full stop; empty when it does not. A file that is read all the time seems
   * to be unread for as long as the precision: such a policy, and one beside it, convert and
   * restore it by turns.
   */
  public Optional<String> tooFine(Policy policy) {
    long least = FINEST * precision.toMillis();
    return policy.accessAges().entrySet().stream()
        .filter(age -> age.getValue() < least)
        .findFirst()
        .map(
            age ->
                "policy %s: %s %s means nothing: %s, so that at least %s is needed"
                    .formatted(
                        policy.name(),
                        age.getKey(),
                        PolicyQuantity.TIME.format(age.getValue()),
                        recorded(),
                        PolicyQuantity.TIME.format(least)));
  }

  /** How exactly reads are recorded. */
  private String recorded() {
    String to = PolicyQuantity.TIME.format(precision.toMillis());
    return source == Source.AUDIT_LOGS
        ? "imports of audit logs record reads to " + to
        : "HDFS records reads to %s (dfs.namenode.accesstime.precision of the NameNode)"
            .formatted(to);
  }

  /** Why there is nothing to import; empty when there may be. */
  public Optional<String> needlessImport() {
    return source == Source.ACCESS_TIMES
        ? Optional.of(
            "HDFS records reads itself (dfs.namenode.accesstime.precision is not 0): there is"
                + " nothing to import")
        : Optional.empty();
  }

  /** What holds for all files, in a sentence without its full stop. */
  public String sentence() {
    return switch (source) {
      case ACCESS_TIMES -> "reads are known from HDFS's access times";
      case UNKNOWN -> "reads are not known: " + problem;
      case AUDIT_LOGS -> {
        List<String> parts = new ArrayList<>();
        new TreeMap<>(since)
            .forEach((path, from) -> parts.add("of %s from %s".formatted(path, from)));
        yield "reads are known from audit logs, %s to %s"
            .formatted(parts.isEmpty() ? "of no file" : String.join(", ", parts), until);
      }
    };
  }

  /** What holds for the files of a policy. */
  public String sentence(Glob path) {
    if (source != Source.AUDIT_LOGS) {
      return sentence();
    }
    return since(path)
        .map(from -> "reads are known from audit logs, from %s to %s".formatted(from, until))
        .orElse(
            ("reads are not known: the imports of audit logs until %s did not follow %s; the next"
                    + " braid policy import-reads does")
                .formatted(until, path));
  }

  /**
   * What an import makes of them.
   *
   * @param known reads as they are known then
   * @param gaps times of which no log was imported, so that reads are known anew behind them
   * @param unknown paths whose reads are not known until the end, as this import lacks later logs
   */
  public record Extension(KnownReads known, List<Coverage.Span> gaps, List<String> unknown) {
    public Extension {
      gaps = List.copyOf(gaps);
      unknown = List.copyOf(unknown);
    }
  }

  /**
   * What is known when logs were imported. A path that the import did not follow is known no more
   * once the import reaches further.
   *
   * @param imported times of the logs, at least one
   * @param followed the paths whose reads were recorded
   */
  public Extension importing(Coverage imported, ReadScopes followed) {
    boolean before = source == Source.AUDIT_LOGS;
    Instant last = imported.last().to();
    Instant end = before && until.isAfter(last) ? until : last;
    Map<String, Instant> next = new TreeMap<>();
    TreeSet<Coverage.Span> gaps = new TreeSet<>();
    List<String> unknown = new ArrayList<>();
    for (String path : followed.names()) {
      Coverage all = imported.copy();
      if (before) {
        since(path).ifPresent(from -> all.add(new Coverage.Span(from, until)));
      }
      if (all.last().to().equals(end)) {
        next.put(path, all.last().from());
        all.lastGap().ifPresent(gaps::add);
      } else {
        unknown.add(path);
      }
    }
    if (before && end.equals(until)) {
      since.forEach(next::putIfAbsent);
    }
    return new Extension(fromLogs(next, end), List.copyOf(gaps), unknown);
  }
}
