package org.braid.hdfs.client.statistics;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;
import org.jspecify.annotations.Nullable;

/**
 * Counters of the work of degraded reads and read-ahead, for a stream or for all streams of a file
 * system; programs get them as {@code IOStatistics}. Thread-safe.
 */
public final class ReadCounters implements IOStatisticsSource {
  private final @Nullable ReadCounters all;
  private final IOStatisticsStore store;
  private final Map<Counter, AtomicLong> counters = new EnumMap<>(Counter.class);

  /** The counters. */
  public enum Counter {
    /** Ranges of lost blocks that were rebuilt. */
    DEGRADED_READS,
    /** Rebuilt bytes. */
    DEGRADED_BYTES,
    /** Bytes that helpers sent for degraded reads. */
    DEGRADED_BYTES_MOVED,
    /** Those of these bytes that crossed racks. */
    DEGRADED_BYTES_CROSS_RACK,
    /** Those of these bytes that crossed sites. */
    DEGRADED_BYTES_CROSS_SITE,
    /** Further plans that were started because a helper delayed the first one. */
    HEDGES,
    /** Further plans that finished first. */
    HEDGES_WON,
    /** Bytes that were read ahead and then read. */
    READ_AHEAD_BYTES,
    /** Number of times that read-ahead began. */
    READ_AHEAD_STARTS;

    /** The counter's name in {@code IOStatistics}. */
    public String key() {
      return "braid_" + name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Creates counters at zero.
   *
   * @param all counters that also count each event; null for none
   */
  public ReadCounters(@Nullable ReadCounters all) {
    this.all = all;
    String[] keys = Stream.of(Counter.values()).map(Counter::key).toArray(String[]::new);
    store = IOStatisticsBinding.iostatisticsStore().withCounters(keys).build();
    for (Counter counter : Counter.values()) {
      counters.put(counter, store.getCounterReference(counter.key()));
    }
  }

  /** Adds to a counter. */
  public void add(Counter counter, long count) {
    AtomicLong value = counters.get(counter);
    if (value != null) {
      value.addAndGet(count);
    }
    if (all != null) {
      all.add(counter, count);
    }
  }

  @Override
  public IOStatistics getIOStatistics() {
    return store;
  }
}
