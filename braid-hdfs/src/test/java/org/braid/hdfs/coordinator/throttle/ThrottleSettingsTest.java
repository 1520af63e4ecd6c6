package org.braid.hdfs.coordinator.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.Throttle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ThrottleSettingsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node|much|braid.throttle.node = \"much\": needed is bytes a second, as 50m, 0 to stop, or"
            + " none",
        "disk|''|braid.throttle.disk = \"\": needed is bytes a second, as 50m, 0 to stop, or none",
        "site|-5m|a throttle of -5242880 bytes a second for site: needed are 65536 (64k) or more,"
            + " or 0 to stop",
        "cluster|7|a throttle of 7 bytes a second for cluster: needed are 65536 (64k) or more, or 0"
            + " to stop",
        "repair-share|half|braid.throttle.repair-share = \"half\": needed is a number from 0 to 1",
        "repair-share|1.5|a share of 1.5 for repair: needed is a number from 0 to 1",
        "conversion-share|-0.1|a share of -0.1 for conversion: needed is a number from 0 to 1",
        "latency-target|soon|braid.throttle.latency-target = \"soon\": needed is a time, as 5ms",
        "latency-target|-5ms|a latency target of -5000 microseconds: needed is 0 or more",
        "latency-target|5|latency-target = \"5\": needed is a time with its unit, as 5ms",
        "latency-target|5h|latency-target = \"5h\": needed is a time from 100us to 10s, or 0 for"
            + " never",
        "latency-target|10001ms|latency-target = \"10001ms\": needed is a time from 100us to 10s,"
            + " or 0 for never",
        "latency-target|99us|latency-target = \"99us\": needed is a time from 100us to 10s, or 0"
            + " for never",
        "latency-target|5ns|latency-target = \"5ns\": needed is a time from 100us to 10s, or 0 for"
            + " never",
        "nodes|50m|a throttle has no \"nodes\": node, disk, uplink, site, cluster, repair-share,"
            + " conversion-share, latency-target",
      })
  void aChangeThatCannotBeIsRefusedWhateverHolds(String key, String value, String why) {
    assertRefused(why, Map.of(key, value));
  }

  private static void assertRefused(String why, Map<String, String> changes) {
    assertEquals(
        why,
        assertThrows(IllegalArgumentException.class, () -> ThrottleSettings.check(changes))
            .getMessage());
  }

  @Test
  void whatIsSetOrConfiguredBesideMayMakeItPossible() {
    ThrottleSettings.check(Map.of("repair-share", "1"));
    ThrottleSettings.check(Map.of("conversion-share", "0.9"));
    ThrottleSettings.check(Map.of("conversion-share", "none"));
    ThrottleSettings.check(Map.of("node", "none", "site", "0", "disk", "64k"));
    for (String fit : List.of("0", "0ms", "none", "100us", "5ms", "10s")) {
      ThrottleSettings.check(Map.of("latency-target", fit));
    }
  }

  @Test
  void aTargetThatAnEarlierReleaseSetKeepsNoLimitFromBeingRead() throws Exception {
    Throttle read = ThrottleSettings.throttle(ThrottleSettings.values("latency-target=5h node=1m"));
    assertEquals(OptionalLong.of(1 << 20), read.limit(Kind.NODE));
    assertEquals(5 * 3_600_000_000L, read.latencyTargetMicros());
  }

  @Test
  void noShareIsWhatIsConfiguredAndNoLimitIsSet() throws Exception {
    assertEquals(
        Map.of("conversion-share", "0.1", "node", "none"),
        ThrottleSettings.changed(
            Map.of("repair-share", "0.9", "conversion-share", "0.1", "node", "50m"),
            Map.of("repair-share", "none", "node", "none")));
    assertEquals(
        Map.of("uplink", "none"),
        ThrottleSettings.values("repair-share=none conversion-share=none uplink=none"));
    // The configured share of conversion, which is not known yet, may be small.
    ThrottleSettings.check(Map.of("repair-share", "0.9", "conversion-share", "none"));
  }

  @Test
  void bothSharesAreComparedWithEachOther() {
    assertRefused(
        "the shares of repair and conversion are 1.5 together, at most 1 can be shared:"
            + " repair-share = \"0.75\", conversion-share = \"0.75\"",
        Map.of("repair-share", "0.75", "conversion-share", "0.75"));
    ThrottleSettings.check(Map.of("repair-share", "0.75", "conversion-share", "0.25"));
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', '0.3\" (default)'",
    "0.2, '', '0.2\" (configured)'",
    "0.1, .25, '.25\" (set)'",
  })
  void aShareIsComparedWithTheOtherOneWhichIsNamedWithWhereItIsFrom(
      String configured, String set, String other) {
    Map<String, String> before =
        set.isEmpty() ? Map.of() : Map.of("conversion-share", set, "repair-share", "0.5");
    String refused =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    ThrottleSettings.throttle(
                        configured.isEmpty() ? Map.of() : Map.of("conversion-share", configured),
                        ThrottleSettings.changed(before, Map.of("repair-share", "0.9")),
                        Set.of("repair-share")))
            .getMessage();
    assertTrue(
        refused.endsWith(
            " together, at most 1 can be shared: repair-share = \"0.9\", conversion-share = \""
                + other
                + "; set both"),
        refused);
  }

  @Test
  void theSumOfSharesIsWrittenAsPeopleAdd() {
    assertRefused(
        "the shares of repair and conversion are 1.1 together, at most 1 can be shared:"
            + " repair-share = \"0.8\", conversion-share = \"0.30\"",
        Map.of("repair-share", "0.8", "conversion-share", "0.30"));
  }
}
