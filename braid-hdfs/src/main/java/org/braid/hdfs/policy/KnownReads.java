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
 * The period for which reads of files are known, and their source.
 *
 * @param since by path of a policy, the begin of the known reads of its files; {@link #ALL} is all
 *     files
 * @param until the last moment at which reads are known; {@link Instant#MAX}: they are always known
 * @param problem why reads are not known; empty when they are
 * @param precision how much earlier than the last read the recorded one may be; zero when unknown
 */
public record KnownReads(
    Source source, Map<String, Instant> since, Instant until, String problem, Duration precision) {
  /** The path of all files. */
  public static final String ALL = "/";

  /** Least time between a recorded read and the next one that is recorded, the default of HDFS. */
  public static final Duration LOG_PRECISION = Duration.ofHours(1);

  /** The least meaningful age, in multiples of the precision. */
  private static final int FINEST = 2;

  /** HDFS records reads itself, with unknown precision. */
  public static final KnownReads HDFS = fromAccessTimes(Duration.ZERO);

  /** HDFS records no reads, and no audit log was imported. */
  public static final KnownReads NONE =
      unknown(
          "dfs.namenode.accesstime.precision of the NameNode is 0, and no audit log was imported:"
              + " see braid policy import-reads --help");

  /** The source of known reads. */
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

  /** The begin of the known reads of some files; empty when reads are not known. */
  public Optional<Instant> since(Glob path) {
    return since(path.toString());
  }

  private Optional<Instant> since(String path) {
    return Stream.of(path, ALL)
        .map(name -> Optional.ofNullable(since.get(name)))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  /** The moment up to which a file can count as unread: after the last import nothing is known. */
  public Instant judged(Instant now) {
    return now.isBefore(until) ? now : until;
  }

  /** The same under the assumption that logs are imported from now on without a gap. */
  KnownReads continued() {
    return source == Source.AUDIT_LOGS ? fromLogs(since, Instant.MAX) : this;
  }

  /**
   * Why an age of a policy is too small for the precision of recorded reads, in a sentence without
   * its full stop; empty when none is. A file that is read all the time seems unread for as long as
   * the precision, so that such a policy and another one would convert and restore it by turns.
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

  /** Describes the precision of recorded reads. */
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

  /** Describes the known reads of all files, in a sentence without its full stop. */
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

  /** Describes the known reads of the files of a policy. */
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
   * The known reads after an import.
   *
   * @param known the known reads
   * @param gaps times without an imported log, after which the known reads begin anew
   * @param unknown paths whose reads are not known up to the end, as this import lacks later logs
   */
  public record Extension(KnownReads known, List<Coverage.Span> gaps, List<String> unknown) {
    public Extension {
      gaps = List.copyOf(gaps);
      unknown = List.copyOf(unknown);
    }
  }

  /**
   * Computes the known reads after an import of logs. A path that the import did not follow becomes
   * unknown when the import extends the end of the known reads.
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
