package org.braid.hdfs.policy.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.braid.hdfs.policy.ReadScopes;
import org.braid.hdfs.rpc.BraidPaths;

/**
 * The last uses of files according to audit logs. A rename counts as a use of all files at or below
 * its target, as their reads were logged under the earlier name. So the result depends neither on
 * the order of lines nor on the number of logs and NameNodes.
 */
public final class LastUses implements AuditLogReader.Lines {
  /** Unreadable lines that are named. */
  private static final int NAMED = 3;

  /** Largest difference of the clocks of hosts. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  /** Bytes of a path beside its letters. */
  private static final int ENTRY_BYTES = 160;

  private static final String RAW = "/.reserved/raw/";
  private static final String SNAPSHOT = "/.snapshot/";

  private final ReadScopes scopes;
  private final Coverage coverage;
  private final Instant now;
  private final long mostBytes;
  private final Map<String, Long> read = new HashMap<>();
  private final Map<Long, Long> readInodes = new HashMap<>();
  private final Map<String, Long> renamed = new HashMap<>();
  private final List<String> named = new ArrayList<>();
  private String log = "";
  private Instant previous = Instant.MIN;
  private long bytes;
  private long lines;
  private long opens;
  private long others;
  private long unreadable;

  /**
   * Starts without uses.
   *
   * @param tolerance longest time without a line in a complete log of a NameNode
   * @param mostBytes most memory for paths
   */
  public LastUses(ReadScopes scopes, Duration tolerance, Instant now, long mostBytes) {
    this.scopes = scopes;
    coverage = new Coverage(tolerance);
    this.now = now;
    this.mostBytes = mostBytes;
  }

  /** Begins another log. */
  public void begin(String name) {
    log = name;
    previous = Instant.MIN;
  }

  @Override
  public void unreadable(long number, String why) {
    unreadable++;
    if (named.size() < NAMED) {
      named.add("%s, line %d: %s".formatted(log, number, why));
    }
  }

  @Override
  public void line(long number, AuditLine line) {
    // Lines are in their order: the second of two equal hours comes behind the first one.
    Instant at = line.earliest().isBefore(previous) ? line.latest() : line.earliest();
    if (at.isBefore(Instant.EPOCH)) {
      unreadable(number, "its time %s is before 1970".formatted(at));
      return;
    }
    if (at.isAfter(now.plus(SKEW))) {
      unreadable(number, "its time %s is to come: is --zone right?".formatted(at));
      return;
    }
    lines++;
    previous = at;
    coverage.add(at);
    if (!line.allowed()) {
      return;
    }
    long millis = Math.min(line.latest().toEpochMilli(), now.toEpochMilli());
    if (line.command().equals("open")) {
      opens++;
      opened(line.source(), millis);
    } else if (line.command().startsWith("rename") && isFollowedBelow(line.target())) {
      put(renamed, line.target(), line.target().length(), millis);
    }
  }

  private boolean isFollowedBelow(String path) {
    return !isBraids(path) && scopes.mayFollowBelow(path);
  }

  private static boolean isBraids(String path) {
    return path.startsWith(BraidPaths.ROOT + "/");
  }

  private void opened(String source, long millis) {
    OptionalLong inode = BraidPaths.inodeAt(source);
    if (inode.isPresent()) {
      put(readInodes, inode.getAsLong(), 0, millis);
      return;
    }
    String path = current(source);
    if (scopes.follows(path) && !path.startsWith("/.reserved/") && !isBraids(path)) {
      put(read, path, path.length(), millis);
    } else {
      others++;
    }
  }

  /** The path of the file itself, for a read through a snapshot or of its encrypted bytes. */
  private static String current(String source) {
    String path = source.startsWith(RAW) ? source.substring(RAW.length() - 1) : source;
    int snapshot = path.indexOf(SNAPSHOT);
    if (snapshot < 0) {
      return path;
    }
    int below = path.indexOf('/', snapshot + SNAPSHOT.length());
    return below < 0 ? path : path.substring(0, snapshot) + path.substring(below);
  }

  private <K> void put(Map<K, Long> times, K key, int letters, long millis) {
    Long before = times.get(key);
    if (before == null) {
      weigh(letters);
    }
    if (before == null || before < millis) {
      times.put(key, millis);
    }
  }

  private void weigh(int letters) {
    bytes += ENTRY_BYTES + 2L * letters;
    if (bytes > mostBytes) {
      throw new IllegalArgumentException(
          ("%d different paths were read, more than fit into %d MiB: import fewer logs at once, the"
                  + " oldest first, or give the command more memory by HADOOP_HEAPSIZE_MAX=4g")
              .formatted(paths() + 1, mostBytes >> 20));
    }
  }

  /**
   * The last use of a file; empty when the logs show none.
   *
   * @param path its present path
   */
  public Optional<Instant> of(String path, long inode) {
    long last = Math.max(millis(read, path), millis(readInodes, inode));
    last = Math.max(last, millis(renamed, path));
    for (int at = path.lastIndexOf('/'); at > 0 && !renamed.isEmpty(); ) {
      last = Math.max(last, millis(renamed, path.substring(0, at)));
      at = path.lastIndexOf('/', at - 1);
    }
    return last == Long.MIN_VALUE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(last));
  }

  private static <K> long millis(Map<K, Long> times, K key) {
    Long millis = times.get(key);
    return millis == null ? Long.MIN_VALUE : millis;
  }

  /** The files whose reads are followed. */
  public ReadScopes scopes() {
    return scopes;
  }

  /** The times of the logs. */
  public Coverage coverage() {
    return coverage;
  }

  /** Number of lines that were read. */
  public long lines() {
    return lines;
  }

  /** Number of reads among them. */
  public long opens() {
    return opens;
  }

  /** Number of reads of files that are not followed. */
  public long others() {
    return others;
  }

  /** Number of different paths that are kept. */
  public long paths() {
    return (long) read.size() + readInodes.size() + renamed.size();
  }

  /** Number of malformed lines. */
  public long unreadable() {
    return unreadable;
  }

  /** The first malformed lines, with the reasons. */
  public List<String> named() {
    return List.copyOf(named);
  }
}
