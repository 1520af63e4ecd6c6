package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.setting.EarSetting;
import org.braid.hdfs.setting.Setting;
import org.braid.hdfs.setting.Settings;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicatedStripe;
import org.braid.placement.rule.StripeRule;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EarSettingTest {
  @Test
  void aDefaultThatIsNoSettingIsNamedWithItsProperty() {
    Configuration conf = new Configuration(false);
    Settings.check(conf, Setting.Reader.NAME_NODE);
    conf.set("braid.ear.default", "rs-104", "hdfs-site.xml");
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> Settings.check(conf, Setting.Reader.NAME_NODE));
    assertTrue(
        refused.getMessage().startsWith("braid.ear.default = \"rs-104\" (hdfs-site.xml): "),
        refused.getMessage());
  }

  @Test
  void optionsAreRead() {
    EarSetting plain = EarSetting.parse(" rs-10-4 ");
    assertEquals("rs-10-4", plain.code().name());
    assertTrue(plain.perRack().isEmpty() && plain.targetRacks().isEmpty());
    assertFalse(plain.across());
    assertEquals("ear", plain.policy().name());
    assertEquals(ReplicaLayout.HDFS, plain.layout());
    EarSetting full =
        EarSetting.parse("lrc-12-2-2, c=2 ,racks=9,across,policy=preliminary,layout=all-different");
    assertEquals(2, full.perRack().getAsInt());
    assertEquals(9, full.targetRacks().getAsInt());
    assertTrue(full.across());
    assertEquals("preliminary", full.policy().name());
    assertEquals(ReplicaLayout.ALL_DIFFERENT, full.layout());
    assertTrue(plain.sites().isEmpty());
    assertTrue(EarSetting.parse("rs-10-4,placement=racks").sites().isEmpty());
    EarSetting sites = EarSetting.parse("lrc-10-2-2,placement=code-aware,c=2,across");
    assertEquals("code-aware", sites.sites().orElseThrow().name());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|begins with no code",
        "c=1|begins with no code",
        "rs-4-2;c=1|begins with no code",
        "rs-4-2,c=0|not a number",
        "rs-4-2,c=1,c=2|stands twice",
        "rs-4-2,across=1|is no option",
        "rs-4-2,racks|is no option",
        "rs-4-2,colour=red|is no option",
        "rs-4-2,|is no option",
        "rs-4-2,policy=best|unknown placement policy",
        "rs-4-2,layout=best|unknown replica layout",
        "fountain-3|fountain-3",
        "rstair-n4-r2-m1-e1-l1,across|stay within files",
        "rs-4-2,placement|is no option",
        "rs-4-2,placement=best|unknown placement \"best\"; known: racks, even, code-aware",
        "rs-4-2,placement=unaware|unknown placement",
        "rs-4-2,placement=even,placement=even|stands twice",
        "rs-4-2,placement=even,racks=3|chooses racks itself: leave out racks=3",
        "rs-4-2,placement=even,policy=random|leave out policy=random",
        "lrc-4-2-1,placement=code-aware,policy=preliminary|leave out policy=preliminary",
        "rstair-n4-r2-m1-e1-l1,placement=even|keeps its 4 columns",
      })
  void whatIsNoSettingIsRefused(String text, String message) {
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> EarSetting.parse(text)).getMessage();
    assertTrue(String.valueOf(refusal).contains(message), refusal);
  }

  /** Conversion would relocate the blocks of files that were written under this policy. */
  @Test
  void aPolicyOfStudiesIsRefused() {
    assertEquals(
        "policy=ear-lrc is for studies only, as conversion keeps other conditions and would"
            + " relocate blocks: use policy=ear",
        assertThrows(
                IllegalArgumentException.class, () -> EarSetting.parse("lrc-10-2-2,policy=ear-lrc"))
            .getMessage());
  }

  /** Where files cannot be converted with a placement, they are not written for it. */
  @Test
  void placementsThatSitesCannotKeepAreRefused() {
    EarSetting setting = EarSetting.parse("lrc-10-2-2,placement=code-aware");
    StripeRule rule = setting.rule(EligibleNodes.all(Topology.of(3, 3, 3)), 1);
    assertEquals("code-aware", rule.sites().orElseThrow().policy());
    assertEquals(6, rule.sites().orElseThrow().perSite());
    assertEquals(2, rule.perRack());
    for (var wrong :
        Map.of(
                Topology.of(9, 3), "needs racks at 2 sites or more, the cluster has 1",
                Topology.of(3, 1, 3), "needs places for 14 blocks",
                Topology.of(2, 1, 9), "eligible nodes of 2 sites give 6")
            .entrySet()) {
      PlacementException e =
          assertThrows(
              PlacementException.class, () -> setting.rule(EligibleNodes.all(wrong.getKey()), 1));
      assertTrue(e.getMessage().contains(wrong.getValue()), e.getMessage());
    }
    PlacementException e =
        assertThrows(
            PlacementException.class,
            () ->
                EarSetting.parse("lrc-10-2-2,placement=code-aware,c=4")
                    .rule(EligibleNodes.all(Topology.of(3, 3, 3)), 1));
    assertTrue(e.getMessage().contains("more than the 3 losses"), e.getMessage());
  }

  /** Every policy that files can be written under, with each layout and 2 to 8 replicas. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rs-4-2,policy=random,layout=two-racks",
        "rs-4-2,policy=preliminary",
        "rs-4-2,policy=ear,layout=all-different",
        "rs-4-2,policy=ear,layout=two-racks,across",
        "lrc-4-2-1,policy=ear"
      })
  void policiesAndLayoutsPlaceReplicas(String text) {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(8, 3);
    EligibleNodes all = EligibleNodes.all(topology);
    EarSetting setting = EarSetting.parse(text);
    StripeRule rule = setting.rule(all, 1);
    for (int replicas : new int[] {2, 3, 8}) {
      if (replicas == 8 && text.contains("two-racks")) {
        continue; // racks have 3 nodes
      }
      ReplicatedStripe stripe = setting.placer(rule).placeStripe(4, all, replicas, random);
      for (int[] nodes : stripe.replicas()) {
        assertEquals(replicas, Arrays.stream(nodes).distinct().count());
        Set<Integer> racks = new HashSet<>();
        Arrays.stream(nodes).forEach(node -> racks.add(topology.rackOf(node)));
        int expected = text.contains("all-different") ? replicas : 2;
        assertTrue(replicas == 8 || racks.size() == expected, replicas + " in " + racks);
        assertTrue(text.contains("policy=random") || racks.contains(stripe.coreRack()));
      }
      assertTrue(
          !text.contains("policy=ear") || rule.keeps(all, stripe.replicas(), 4),
          "blocks must move");
    }
  }

  @Test
  void targetRacksAreThoseOfTheStripe() {
    Topology topology = Topology.of(9, 3);
    EarSetting setting = EarSetting.parse("rs-4-2,racks=3");
    Set<Set<Integer>> seen = new HashSet<>();
    for (long stripe = 0; stripe < 50; stripe++) {
      StripeRule rule = setting.rule(EligibleNodes.all(topology), stripe);
      assertEquals(2, rule.perRack());
      assertEquals(3, rule.targetRacks().size());
      assertEquals(rule, setting.rule(EligibleNodes.all(topology), stripe));
      seen.add(rule.targetRacks());
    }
    assertTrue(seen.size() > 20, seen.size() + " choices of racks");
    PlacementException few =
        assertThrows(
            PlacementException.class,
            () -> EarSetting.parse("rs-4-2,racks=2").rule(EligibleNodes.all(topology), 1));
    assertTrue(few.getMessage().contains("more than the 2 losses"), few.getMessage());
  }
}
