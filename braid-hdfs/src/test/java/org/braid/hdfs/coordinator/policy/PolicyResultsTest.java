package org.braid.hdfs.coordinator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
