package org.braid.hdfs.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class TimeHistogramTest {
  @Test
  void eachBucketCountsWhatTookAtMostSoLong() {
    TimeHistogram times = new TimeHistogram("Time", "Waits", 10, 60);
    DaemonMetrics metrics = new DaemonMetrics();
    times.addTo(metrics);
    times.add(10_000);
    times.add(10_001);
    times.add(700_500);
    Map<String, Long> figures = Figures.of(metrics);
    assertEquals(1, figures.get("BraidTime.SecondsBucket{le=10}"));
    assertEquals(2, figures.get("BraidTime.SecondsBucket{le=60}"));
    assertEquals(3, figures.get("BraidTime.SecondsBucket{le=+Inf}"));
    assertEquals(3, figures.get("BraidTime.SecondsCount{}"));
    assertEquals(720, figures.get("BraidTime.SecondsSum{}"));
  }
}
