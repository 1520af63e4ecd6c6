package org.braid.cli.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.codec.bench.Contender;
import org.braid.codec.bench.Task;

/**
 * Contenders measured by turns: each round lets everyone run once for a moment, so that whatever
 * else the machine does hits all of them. Before the first round everyone's result is verified and
 * everyone warms up.
 */
public final class Race {
  private final Clock clock;
  private final int rounds;
  private final long nanosARun;
  private final long nanosToWarmUp;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  private static final class Entry {
    final Contender.Work work;
    final long bytes;
    final double[] speeds;
    long repeats = 1;

    Entry(Contender.Work work, long bytes, int rounds) {
      this.work = work;
      this.bytes = bytes;
      this.speeds = new double[rounds];
    }
  }

  /**
   * A race without contenders.
   *
   * @param rounds runs of each contender
   * @param seconds time that each run takes, about
   * @param warmUp seconds that each contender runs before, until the JVM's compilers are done
   */
  public Race(Clock clock, int rounds, double seconds, double warmUp) {
    this.clock = clock;
    this.rounds = rounds;
    this.nanosARun = Math.max(1, Math.round(seconds * 1e9));
    this.nanosToWarmUp = Math.round(warmUp * 1e9);
  }

  /**
   * Enters a contender under a name.
   *
   * @return whether it can do the task
   * @throws IllegalStateException when it computes something else than it should
   */
  public boolean enter(String name, Contender contender, Task task) {
    Optional<Contender.Work> work = contender.prepare(task);
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

  /** Doubles the repeats until they fill a run, and goes on for a while. */
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

  /** The names of those who take part, in the order of their entering. */
  public List<String> names() {
    return new ArrayList<>(entries.keySet());
  }

  /** GB/s, 10^9 of the task's bytes a second; empty for who does not take part. */
  public Optional<Speed> speed(String name) {
    return Optional.ofNullable(entries.get(name)).map(entry -> Speed.of(entry.speeds));
  }

  /**
   * How many times as fast as another one is, in the median of the rounds; empty when one of them
   * does not take part.
   */
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
