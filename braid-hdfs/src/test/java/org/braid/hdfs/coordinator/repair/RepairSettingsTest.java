package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.api.RepairPolicy;
import org.junit.jupiter.api.Test;

final class RepairSettingsTest {
  private final Configuration conf = new Configuration(false);

  private static RepairPolicy delayed(long millis) {
    return new RepairPolicy(
        Optional.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalLong.of(millis),
        OptionalLong.empty());
  }

  @Test
  void whoWatchesGivesANodeAQuarterOfAnHour() throws Exception {
    RepairSettings settings =
        RepairSettings.of(conf, RepairPolicy.CONFIGURED, RepairSettings.WATCH_DELAY_MILLIS);
    assertEquals(900_000, settings.manager(1).delayMillis());
    // Stripes without a spare block do not wait.
    assertEquals(0, settings.manager(1).urgentSpare());
  }

  @Test
  void anOptionComesBeforeThePropertyAndThatBeforeTheDefault() throws Exception {
    assertEquals(7, RepairSettings.of(conf, RepairPolicy.CONFIGURED, 7).delayMillis());
    conf.set("braid.repair.delay", "2m");
    assertEquals(120_000, RepairSettings.of(conf, RepairPolicy.CONFIGURED, 7).delayMillis());
    assertEquals(5, RepairSettings.of(conf, delayed(5), 7).delayMillis());
  }
}
