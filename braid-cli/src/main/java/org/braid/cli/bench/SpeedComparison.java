package org.braid.cli.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.testkit.bench.BenchCoder;
import org.braid.hdfs.testkit.bench.BenchTask;

/**
 * Measures contenders in interleaved rounds: each round runs every contender once, so that other
 * load on the machine affects all alike. Before the first round, it verifies every result and warms
 * up every contender.
 */
public final class SpeedComparison {
  private final Clock clock;
  private final int rounds;
  private final long nanosARun;
  private final long nanosToWarmUp;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  private static final class Entry {
    final BenchCoder.Work work;
    final long bytes;
    final double[] speeds;
    long repeats = 1;

    Entry(BenchCoder.Work work, long bytes, int rounds) {
      this.work = work;
      this.bytes = bytes;
      this.speeds = new double[rounds];
    }
  }

  /**
   * A comparison without contenders.
   *
   * @param rounds runs of each contender
   * @param seconds approximate time of a run
   * @param warmUp seconds of warm-up for each contender, for the JVM's compilers
   */
  public SpeedComparison(Clock clock, int rounds, double seconds, double warmUp) {
    this.clock = clock;
    this.rounds = rounds;
    this.nanosARun = Math.max(1, Math.round(seconds * 1e9));
    this.nanosToWarmUp = Math.round(warmUp * 1e9);
  }

  /**
   * Adds a contender under a name.
   *
   * @return whether it can do the task
   * @throws IllegalStateException when its result is wrong
   */
  public boolean enter(String name, BenchCoder contender, BenchTask task) {
    Optional<BenchCoder.Work> work = contender.prepare(task);
    work.ifPresent(
        w -> {
          task.verify(name, w);
          entries.put(name, new Entry(w, task.bytes(), rounds));
        });
    return work.isPresent();
  }

  /** Runs all rounds. */
  public void run() {
    for (Entry entry : entries.values()) {
      warmUp(entry);
    }
    for (int round = 0; round < rounds; round++) {
      for (Entry entry : entries.values()) {
        long nanos = time(entry, entry.repeats);
        entry.speeds[round] = (double) entry.bytes * entry.repeats / Math.max(1, nanos);
      }
    }
  }

  /** Doubles the repeats until they fill a run, and runs until the warm-up ends. */
  private void warmUp(Entry entry) {
    long spent = 0;
    long nanos = time(entry, entry.repeats);
    while (nanos < nanosARun || spent < nanosToWarmUp) {
      spent += nanos;
      if (nanos < nanosARun) {
        entry.repeats *= 2;
      }
      nanos = time(entry, entry.repeats);
    }
    entry.repeats = Math.max(1, entry.repeats * nanosARun / Math.max(1, nanos));
  }

  private long time(Entry entry, long repeats) {
    long start = clock.nanos().getAsLong();
    for (long i = 0; i < repeats; i++) {
      entry.work.run();
    }
    return clock.nanos().getAsLong() - start;
  }

  /** Names of the contenders, in the order of adding. */
  public List<String> names() {
    return new ArrayList<>(entries.keySet());
  }

  /** Speed in GB/s, 10^9 bytes of the task a second; empty for an unknown contender. */
  public Optional<Speed> speed(String name) {
    return Optional.ofNullable(entries.get(name)).map(entry -> Speed.of(entry.speeds));
  }

  /** Ratio of the speeds of two contenders, the median over rounds; empty if one is unknown. */
  public Optional<Double> ratio(String name, String other) {
    Entry mine = entries.get(name);
    Entry theirs = entries.get(other);
    if (mine == null || theirs == null) {
      return Optional.empty();
    }
    double[] ratios = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      ratios[i] = mine.speeds[i] / theirs.speeds[i];
    }
    return Optional.of(Speed.of(ratios).median());
  }
}
