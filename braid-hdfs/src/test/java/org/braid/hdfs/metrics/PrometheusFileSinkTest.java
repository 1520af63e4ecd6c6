package org.braid.hdfs.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.configuration2.PropertiesConfiguration;
import org.apache.commons.configuration2.SubsetConfiguration;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PrometheusFileSinkTest {
  @TempDir Path directory;

  private static PrometheusFileSink sink(String file) {
    PropertiesConfiguration all = new PropertiesConfiguration();
    if (!file.isEmpty()) {
      all.setProperty("braid.sink.x.filename", file);
    }
    PrometheusFileSink sink = new PrometheusFileSink();
    sink.init(new SubsetConfiguration(all, "braid.sink.x", "."));
    return sink;
  }

  private static void put(PrometheusFileSink sink, long value) {
    DaemonMetrics metrics = new DaemonMetrics();
    metrics.gauge("OpenThings", "What is open", () -> value);
    MetricsCollectorImpl collected = new MetricsCollectorImpl();
    metrics.getMetrics(collected, true);
    collected.getRecords().forEach(sink::putMetrics);
    sink.flush();
  }

  @Test
  void theFileHasTheFiguresOfNow() throws Exception {
    Path file = directory.resolve("braid.prom");
    PrometheusFileSink sink = sink(file.toString());
    put(sink, 3);
    put(sink, 4);
    assertEquals(
        List.of(
            "# HELP braid_open_things What is open",
            "# TYPE braid_open_things gauge",
            "braid_open_things{context=\"dfs\"} 4"),
        Files.readAllLines(file));
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(file), files.toList(), "readers of the directory see whole files only");
    }
    sink.close();
    assertFalse(Files.exists(file), "what has ended has no figures");
    put(sink, 5);
    assertFalse(Files.exists(file), "Hadoop flushes a sink once more while it closes it");
    sink.close();
  }

  @Test
  void aFileThatNobodyWouldReadIsRefused() {
    for (String file : List.of("", directory.resolve("braid.txt").toString())) {
      String message = assertThrows(MetricsException.class, () -> sink(file)).getMessage();
      assertTrue(message.contains("ends in .prom"), message);
    }
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() {
    PrometheusFileSink sink = sink(directory.resolve("no/braid.prom").toString());
    String message = assertThrows(MetricsException.class, () -> put(sink, 1)).getMessage();
    assertTrue(message.contains(directory + "/no/braid.prom"), message);
  }
}
