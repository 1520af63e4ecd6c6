package org.braid.lab.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.SourceLocation;
import org.braid.experiment.WorkloadSettings;
import org.braid.experiment.WorkloadSettings.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TrialThrottleTest {
  private static WorkloadSettings with(String throttle) throws ExperimentException {
    return WorkloadSettings.defaults(new ConversionWorkload())
        .with(Map.of("throttle", new Value(throttle, new SourceLocation("test", 1))));
  }

  @Test
  void limitsAreThoseOfTheCommand() throws ExperimentException {
    assertEquals(Map.of(), TrialThrottle.limits(with("none")));
    assertEquals(
        Map.of("cluster", "750k", "node", "192k", "site", "0", "latency-target", "5ms"),
        TrialThrottle.limits(with("cluster:750k, node:192k site:0,latency-target:5ms")));
  }

  /** With the place in the experiment's file, and not in a lab that has started. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node|\"node\" is not of the form cluster:4m",
        "nodes:4m|a throttle has no \"nodes\": node, disk, uplink, site, cluster, repair-share,"
            + " conversion-share, latency-target",
        "node:much|node = \"much\": needed is bytes a second, as 50m, 0 to stop, or none",
        "cluster:4m,node:|node = \"\": needed is bytes a second, as 50m, 0 to stop, or none",
        "latency-target:5|latency-target = \"5\": needed is a time with its unit, as 5ms",
        "cluster:none|\"none\" is not a size: write bytes, or a number with k, m or g, as in 256k",
        "cluster:0|\"0\" is out of range: a size is from 1 to 2^62 bytes"
      })
  void whatCannotBeSetIsRefusedWithItsPlace(String throttle, String why)
      throws ExperimentException {
    WorkloadSettings settings = with(throttle);
    ExperimentException refused =
        assertThrows(ExperimentException.class, () -> TrialThrottle.check(settings));
    assertEquals("test:1: throttle: " + why, refused.getMessage());
  }
}
