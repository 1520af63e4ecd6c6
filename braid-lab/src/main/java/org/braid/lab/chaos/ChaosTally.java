package org.braid.lab.chaos;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.testkit.lab.Command;

/** Counts and logs the events of a run. Thread-safe. */
final class ChaosTally implements AutoCloseable {
  private final PrintWriter journal;
  private final Map<String, Integer> operations = new TreeMap<>();
  private final Map<String, Integer> commands = new TreeMap<>();
  private final Map<String, Integer> faults = new TreeMap<>();
  private final Map<String, Integer> crossings = new TreeMap<>();
  private final Map<String, Integer> failures = new TreeMap<>();
  private final Map<String, Integer> met = new TreeMap<>();
  private final List<String> running = new ArrayList<>();

  /** The kinds of the faults that go on, by what they befell, or by themselves. */
  private final Map<String, String> faulty = new HashMap<>();

  private final List<String> violations = new ArrayList<>();
  private long bytes;
  private int calms;
  private int helped;

  /** Writes the journal to a file. */
  ChaosTally(Path file) throws ExperimentException {
    try {
      journal = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw ExperimentException.failed("cannot write to " + file, e);
    }
  }

  /** The name of a command's kind, as in {@code set-replication}. */
  static String kind(Command command) {
    if (command instanceof Command.Compare compare) {
      return compare.positioned() ? "positioned-read" : "read";
    }
    return command
        .getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
        .toLowerCase(Locale.ROOT);
  }

  /** Writes a line into the journal. */
  synchronized void note(String who, String what) {
    journal.println(
        LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MILLIS) + " " + who + " " + what);
    journal.flush();
  }

  /** A client begins an operation. */
  synchronized void operation(String who, Command command) {
    String kind = kind(command);
    operations.merge(kind, 1, Integer::sum);
    crossed(kind);
    faulty.values().stream().distinct().forEach(fault -> met.merge(fault, 1, Integer::sum));
    note(who, command.toString());
  }

  /** A fault happens. */
  synchronized void fault(Fault fault) {
    if (!(fault instanceof Fault.Quiet)) {
      faults.merge(fault.kind(), 1, Integer::sum);
      crossed(fault.kind());
      if (fault.endsAt().isEmpty()) {
        faulty.put(fault.lastsAt().isEmpty() ? fault.toString() : fault.lastsAt(), fault.kind());
      }
    }
    note("fault", fault.toString());
  }

  /** A fault was brought about, which ends it unless it lasts. */
  synchronized void ended(Fault fault) {
    faulty.remove(fault.toString());
    faulty.remove(fault.endsAt());
  }

  /** All nodes are well again. */
  synchronized void mended() {
    faulty.clear();
  }

  private void crossed(String kind) {
    running.stream().distinct().forEach(c -> crossings.merge(kind + "/" + c, 1, Integer::sum));
  }

  /** A command of Braid begins; {@link #ended} says when it ends. */
  synchronized void begun(String who, Command command) {
    String kind = kind(command);
    commands.merge(kind, 1, Integer::sum);
    crossed(kind);
    running.add(kind);
    note(who, command.toString());
  }

  synchronized void ended(String who, Command command, Reply reply) {
    String kind = kind(command);
    running.remove(kind);
    if (!reply.ok()) {
      failures.merge(kind, 1, Integer::sum);
    }
    note(who, kind + " ended: " + reply);
  }

  synchronized void compared(long count) {
    bytes += count;
  }

  /** All was found to be as it is to be; {@code after} a repair was asked for or by itself. */
  synchronized void calm(boolean repaired) {
    calms++;
    helped += repaired ? 1 : 0;
  }

  /** Something is not as promised. */
  synchronized void violation(String what) {
    violations.add(what);
    note("VIOLATION", what);
  }

  synchronized boolean violated() {
    return !violations.isEmpty();
  }

  /** The counts after a given time. */
  synchronized ChaosReport report(ChaosSettings settings, int rounds, long nanos) {
    return new ChaosReport(
        settings.seed(),
        nanos / (double) TimeUnit.SECONDS.toNanos(1),
        rounds,
        calms,
        helped,
        operations,
        commands,
        failures,
        faults,
        crossings,
        met,
        bytes,
        violations);
  }

  @Override
  public void close() {
    journal.close();
  }
}
