package org.braid.hdfs.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;

final class DaemonMetricsTest {
  @Test
  void labelsOfTheDaemonAreOnAllFigures() {
    DaemonMetrics metrics = new DaemonMetrics();
    String[] state = {"standby"};
    AtomicLong grown = new AtomicLong(3);
    metrics.label("HAState", "", () -> state[0]);
    metrics.gauge("Level", "", () -> 7);
    metrics.counter("Grown", "", grown::get);
    metrics.family(
        "Fam", rows -> rows.row("Kind", "a").gauge("G", "", 1).counter("C", "", grown.get()));
    assertEquals(
        Map.of(
            "Braid.Level{HAState=standby}", 7L,
            "Braid.Grown{HAState=standby}", 3L,
            "BraidFam.G{HAState=standby,Kind=a}", 1L,
            "BraidFam.C{HAState=standby,Kind=a}", 3L),
        Figures.of(metrics));
    state[0] = "active";
    grown.set(4);
    assertEquals(4L, Figures.of(metrics).get("BraidFam.C{HAState=active,Kind=a}"));
  }

  /** Hadoop's page for Prometheus quotes nothing: one bad label would make all of it unreadable. */
  @Test
  void whatWouldEndALabelIsReplaced() {
    assertEquals(
        "daemon at h.example:12:ab-cd", DaemonMetrics.label("daemon at h.example:12:ab-cd"));
    assertEquals("a_b_c_d_", DaemonMetrics.label("a\"b\nc\\d}"));
    assertEquals(120, DaemonMetrics.label("x".repeat(500)).length());
  }

  @Test
  void eachDaemonOfAProcessHasSourcesOfItsOwnAsLongAsItIsThere() {
    DaemonMetrics first = new DaemonMetrics();
    DaemonMetrics second = new DaemonMetrics();
    first.family("Fam", rows -> {});
    second.family("Fam", rows -> {});
    try (DaemonMetrics.Published one = first.publish("h:1");
        DaemonMetrics.Published two = second.publish("h:2")) {
      assertEquals(List.of("Braid", "BraidFam"), one.names());
      assertEquals(List.of("Braid-h-2", "BraidFam-h-2"), two.names());
      assertNotNull(DefaultMetricsSystem.instance().getSource("BraidFam-h-2"));
    }
    assertNull(DefaultMetricsSystem.instance().getSource("BraidFam"));
    assertNull(DefaultMetricsSystem.instance().getSource("BraidFam-h-2"));
  }
}
