package org.braid.hdfs.metrics;

import java.util.concurrent.atomic.LongAdder;

/**
 * How long something took, as a histogram of Prometheus: each bucket counts what took at most so
 * many seconds. Thread-safe.
 */
public final class TimeHistogram {
  private static final long SECOND = 1000;

  private final String name;
  private final String about;
  private final long[] seconds;
  private final LongAdder[] buckets;
  private final LongAdder count = new LongAdder();
  private final LongAdder millis = new LongAdder();

  /**
   * Nothing was measured yet.
   *
   * @param name of the family of metrics
   * @param seconds upper ends of the buckets, ascending
   */
  public TimeHistogram(String name, String about, long... seconds) {
    this.name = name;
    this.about = about;
    this.seconds = seconds.clone();
    buckets = new LongAdder[seconds.length];
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  /** Something took so long. */
  public void add(long took) {
    for (int i = 0; i < buckets.length; i++) {
      if (took <= seconds[i] * SECOND) {
        buckets[i].increment();
      }
    }
    count.increment();
    millis.add(took);
  }

  /** Adds it to the metrics of a daemon. */
  public void addTo(DaemonMetrics metrics) {
    metrics.family(
        name,
        rows -> {
          rows.row()
              .counter("SecondsCount", about + ": their number", count.sum())
              .counter("SecondsSum", about + ": seconds of all", millis.sum() / SECOND);
          long all = count.sum();
          for (int i = 0; i < buckets.length; i++) {
            bucket(rows, Long.toString(seconds[i]), buckets[i].sum());
          }
          bucket(rows, "+Inf", all);
        });
  }

  private void bucket(DaemonMetrics.Rows rows, String end, long within) {
    rows.row("le", end).counter("SecondsBucket", about + ": those of at most so long", within);
  }
}
