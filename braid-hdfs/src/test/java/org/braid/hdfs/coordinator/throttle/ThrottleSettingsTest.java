package org.braid.hdfs.coordinator.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.braid.hdfs.api.view.ThrottleView.Source;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.Throttle;
import org.braid.plan.throttle.WorkClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ThrottleSettingsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node|much|node = \"much\": needed is bytes a second, as 50m, 0 to stop, or none",
        "node|50x|node = \"50x\": needed is bytes a second, as 50m, 0 to stop, or none",
        "disk|''|disk = \"\": needed is bytes a second, as 50m, 0 to stop, or none",
        "site|-5m|site = \"-5m\": needed are 65536 (64k) or more bytes a second, 0 to stop, or"
            + " none",
        "cluster|7|cluster = \"7\": needed are 65536 (64k) or more bytes a second, 0 to stop, or"
            + " none",
        "cluster|10k|cluster = \"10k\": needed are 65536 (64k) or more bytes a second, 0 to stop,"
            + " or none",
        "repair-share|half|repair-share = \"half\": needed is a number from 0 to 1",
        "repair-share|1.5|repair-share = \"1.5\": needed is a number from 0 to 1",
        "repair-share|Infinity|repair-share = \"Infinity\": needed is a number from 0 to 1",
        "repair-share|NaN|repair-share = \"NaN\": needed is a number from 0 to 1",
        "conversion-share|-0.1|conversion-share = \"-0.1\": needed is a number from 0 to 1",
        "latency-target|soon|latency-target = \"soon\": needed is a time, as 5ms",
        "latency-target|-5ms|latency-target = \"-5ms\": needed is a time from 100us to 10s, or 0"
            + " for never",
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

  /** The configuration has changed since, or is another one where it was set. */
  @Test
  void aShareThatWasSetLeavesTheRestToTheConfiguredOne() throws Exception {
    Map<String, String> configured = Map.of("repair-share", "0.8", "conversion-share", "0.2");
    Map<String, String> set = ThrottleSettings.values("conversion-share=0.3 repair-share=none");
    assertShares(0.7, 0.3, ThrottleSettings.throttle(configured, set, Set.of()));
    Map<String, Source> sources = ThrottleSettings.sources(configured, set);
    assertEquals(Source.LIMITED, sources.get("repair_share"));
    assertEquals(Source.SET, sources.get("conversion_share"));
    assertEquals(Source.DEFAULT, sources.get("node"));
    Map<String, String> repair = Map.of("repair-share", "0.9");
    assertShares(0.9, 0.1, ThrottleSettings.throttle(Map.of(), repair, Set.of()));
    assertEquals(
        Source.LIMITED, ThrottleSettings.sources(Map.of(), repair).get("conversion_share"));
    Map<String, String> fits = Map.of("conversion-share", "0.1");
    assertShares(0.8, 0.1, ThrottleSettings.throttle(configured, fits, Set.of()));
    assertEquals(Source.SETTING, ThrottleSettings.sources(configured, fits).get("repair_share"));
    // Other parts of the throttle can be set beside it, and shares as before.
    Map<String, String> more = ThrottleSettings.changed(set, Map.of("node", "1m"));
    assertShares(0.7, 0.3, ThrottleSettings.throttle(configured, more, Set.of("node")));
    assertEquals(
        "the shares of repair and conversion are 1.1 together, at most 1 can be shared:"
            + " braid.throttle.repair-share = \"0.8\" (configured), conversion-share = \"0.3\""
            + "; set both",
        assertThrows(
                IllegalArgumentException.class,
                () -> ThrottleSettings.throttle(configured, set, Set.of("conversion-share")))
            .getMessage());
  }

  /** Nobody could set them so. */
  @Test
  void sharesThatAreBothSetAreNotLimited() {
    String refused = refusal(Map.of(), Map.of("repair-share", "0.8", "conversion-share", "0.3"));
    assertTrue(refused.startsWith("the shares of repair and conversion are 1.1 together"), refused);
  }

  private static void assertShares(double repair, double conversion, Throttle throttle) {
    assertEquals(repair, throttle.share(WorkClass.REPAIR));
    assertEquals(conversion, throttle.share(WorkClass.CONVERSION));
  }

  @Test
  void bothSharesAreComparedWithEachOther() {
    assertRefused(
        "the shares of repair and conversion are 1.5 together, at most 1 can be shared:"
            + " repair-share = \"0.75\", conversion-share = \"0.75\"",
        Map.of("repair-share", "0.75", "conversion-share", "0.75"));
    ThrottleSettings.check(Map.of("repair-share", "0.75", "conversion-share", "0.25"));
  }

  @Test
  void aPropertyHasItsFullNameAndWhatIsSetOverItHasNot() {
    assertEquals(
        "braid.throttle.node = \"7\": needed are 65536 (64k) or more bytes a second, 0 to stop, or"
            + " none",
        refusal(Map.of("node", "7"), Map.of("disk", "1m")));
    assertEquals(
        "node = \"7k\": needed are 65536 (64k) or more bytes a second, 0 to stop, or none",
        refusal(Map.of("node", "7"), Map.of("node", "7k")));
  }

  private static String refusal(Map<String, String> settings, Map<String, String> set) {
    return assertThrows(
            IllegalArgumentException.class,
            () -> ThrottleSettings.throttle(settings, set, Set.of()))
        .getMessage();
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', 'conversion-share = \"0.3\" (default)'",
    "0.2, '', 'braid.throttle.conversion-share = \"0.2\" (configured)'",
    "0.1, .25, 'conversion-share = \".25\" (set)'",
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
            " together, at most 1 can be shared: repair-share = \"0.9\", " + other + "; set both"),
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
