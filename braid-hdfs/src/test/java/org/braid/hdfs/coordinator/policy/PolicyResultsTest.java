package org.braid.hdfs.coordinator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import org.braid.hdfs.coordinator.policy.PolicyResults.Result;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.metrics.Figures;
import org.junit.jupiter.api.Test;

final class PolicyResultsTest {
  @Test
  void eachPolicyHasAllResultsFromTheBeginning() {
    PolicyResults results = new PolicyResults();
    DaemonMetrics metrics = new DaemonMetrics();
    results.addTo(metrics);
    results.know("cold");
    results.add("hot", Result.RESTORED, 2);
    results.add("hot", Result.RESTORED, 3);
    results.add("cold", Result.FAILED, 1);
    Map<String, Long> figures = Figures.of(metrics);
    assertEquals(2L * Result.values().length, figures.size());
    assertEquals(5, figures.get("BraidPolicy.Results{Policy=hot,Result=restored}"));
    assertEquals(0, figures.get("BraidPolicy.Results{Policy=hot,Result=left_alone}"));
    assertEquals(1, figures.get("BraidPolicy.Results{Policy=cold,Result=failed}"));
    assertEquals(0, figures.get("BraidPolicy.Results{Policy=cold,Result=converted}"));
  }

  private static long failures(PolicyResults results) {
    DaemonMetrics metrics = new DaemonMetrics();
    results.addTo(metrics);
    return Figures.of(metrics).getOrDefault("BraidPolicy.Results{Policy=hot,Result=failed}", 0L);
  }

  /** As a restoration that waits for replicas is, when it may not go on. */
  @Test
  void whatIsBrokenOffForAPauseHasNotFailed() {
    PolicyResults results = new PolicyResults();
    results.know("hot");
    IOException brokenOff = new InterruptedIOException("3 of 9 replicas exist");
    assertFalse(results.failed("hot", brokenOff, false));
    assertEquals(0, failures(results));
    assertTrue(results.failed("hot", brokenOff, true));
    assertTrue(results.failed("hot", new IOException("no NameNode answers"), false));
    assertEquals(2, failures(results));
  }
}
