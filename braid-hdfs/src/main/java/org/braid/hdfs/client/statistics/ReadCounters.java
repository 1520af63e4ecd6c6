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
 * What reading through lost blocks took, of a stream or of all streams of a file system; programs
 * ask for it as {@code IOStatistics}. Thread-safe.
 */
public final class ReadCounters implements IOStatisticsSource {
  private final @Nullable ReadCounters all;
  private final IOStatisticsStore store;
  private final Map<Counter, AtomicLong> counters = new EnumMap<>(Counter.class);

  /** What is counted. */
  public enum Counter {
    /** Ranges of lost blocks that were rebuilt. */
    DEGRADED_READS,
    /** Bytes of those ranges. */
    DEGRADED_BYTES,
    /** Bytes that helpers sent for them. */
    DEGRADED_BYTES_MOVED,
    /** Of these, bytes that crossed racks. */
    DEGRADED_BYTES_CROSS_RACK,
    /** Of these, bytes that crossed sites. */
    DEGRADED_BYTES_CROSS_SITE,
    /** Further plans that were started because a helper held up the first. */
    HEDGES,
    /** Those of them that finished first. */
    HEDGES_WON,
    /** Bytes that were read ahead and then read. */
    READ_AHEAD_BYTES,
    /** Times that blocks began to be read ahead. */
    READ_AHEAD_STARTS;

    /** The name by which programs know it. */
    public String key() {
      return "braid_" + name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Counters, all zero.
   *
   * @param all counts the same for many; null for none
   */
  public ReadCounters(@Nullable ReadCounters all) {
    this.all = all;
    String[] keys = Stream.of(Counter.values()).map(Counter::key).toArray(String[]::new);
    store = IOStatisticsBinding.iostatisticsStore().withCounters(keys).build();
    for (Counter counter : Counter.values()) {
      counters.put(counter, store.getCounterReference(counter.key()));
    }
  }

  /** Counts. */
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
