package org.braid.hdfs.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.impl.MsInfo;

/** What sources of metrics say, as {@code Record.Name{Label=value}}. */
public final class Figures {
  private Figures() {}

  /** The figures of a daemon, its families among them. */
  public static Map<String, Long> of(DaemonMetrics metrics) {
    Map<String, Long> figures = new TreeMap<>();
    for (MetricsSource source : metrics.sources()) {
      MetricsCollectorImpl collected = new MetricsCollectorImpl();
      source.getMetrics(collected, true);
      for (MetricsRecord record : collected.getRecords()) {
        String labels =
            record.tags().stream()
                .filter(tag -> !tag.name().equals(MsInfo.Context.name()))
                .map(tag -> tag.name() + "=" + tag.value())
                .collect(Collectors.joining(","));
        for (AbstractMetric metric : record.metrics()) {
          figures.put(
              record.name() + "." + metric.name() + "{" + labels + "}", metric.value().longValue());
        }
      }
    }
    return figures;
  }
}
