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
 * When files were used last, as audit logs show it. A rename is a use of what stands below its
 * target: what was read under the former name is found under the new one. So the order of lines is
 * of no matter, nor how many logs of how many NameNodes there are.
 */
public final class LastUses implements AuditLogReader.Lines {
  /** Unreadable lines that are named. */
  private static final int NAMED = 3;

  /** Clocks of hosts differ by less. */
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
   * Nothing is known yet.
   *
   * @param tolerance so long a NameNode may write no line although its log is complete
   * @param mostBytes memory that paths may take
   */
  public LastUses(ReadScopes scopes, Duration tolerance, Instant now, long mostBytes) {
    this.scopes = scopes;
    coverage = new Coverage(tolerance);
    this.now = now;
    this.mostBytes = mostBytes;
  }

  /** Lines that come now are of another log. */
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

  /** The file itself, where a snapshot of it or its encrypted bytes were read. */
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
   * When a file was used last; empty when the logs do not show it.
   *
   * @param path where it is now
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

  /** The files whose reads are kept. */
  public ReadScopes scopes() {
    return scopes;
  }

  /** The times of the logs. */
  public Coverage coverage() {
    return coverage;
  }

  /** Lines that were read. */
  public long lines() {
    return lines;
  }

  /** Reads among them. */
  public long opens() {
    return opens;
  }

  /** Reads of other files than those that are followed. */
  public long others() {
    return others;
  }

  /** Different paths that are kept. */
  public long paths() {
    return (long) read.size() + readInodes.size() + renamed.size();
  }

  /** Lines that could not be read. */
  public long unreadable() {
    return unreadable;
  }

  /** The first of them, with the reasons. */
  public List<String> named() {
    return List.copyOf(named);
  }
}
