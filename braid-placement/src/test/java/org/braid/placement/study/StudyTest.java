package org.braid.placement.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.placement.Topology;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicationPolicies;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRules;
import org.braid.placement.study.PolicyStudy.Result;
import org.braid.placement.study.PolicyStudy.Setting;
import org.braid.placement.study.ViolationStudy.Point;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class StudyTest {
  private static Setting setting(int blocks, int racks, int replicas, ReplicaLayout layout) {
    return new Setting(
        Topology.of(racks, 20),
        StripeRules.of(Codes.named("rs-10-4"), StripeLimits.perRack(racks < 14 ? 2 : 1)),
        layout,
        replicas,
        blocks,
        List.of(10, 1000, blocks, blocks + 1));
  }

  /** Experiments 8 and 9: EAR stores and serves as evenly as random replication. */
  @Test
  void encodingAwareReplicationIsAsEvenAsRandom() {
    Random random = Seeds.random(getClass());
    Setting setting = setting(8000, 20, 3, ReplicaLayout.HDFS);
    Result blind = PolicyStudy.run(setting, ReplicationPolicies.RANDOM, random);
    Result ear = PolicyStudy.run(setting, ReplicationPolicies.EAR, random);
    for (Result result : List.of(blind, ear)) {
      assertEquals(1, result.shares().stream().mapToDouble(s -> s).sum(), 1e-9);
      // The standard error of a share is 0.0018 with 8000 blocks: six of them.
      assertTrue(result.shares().get(0) < 0.061, result.toString());
      assertTrue(result.shares().get(19) > 0.039, result.toString());
      assertEquals(3, result.hotness().size());
      assertEquals(1, result.hotness().get(2).files());
    }
    for (int size = 0; size < 3; size++) {
      assertEquals(blind.hotness().get(size).index(), ear.hotness().get(size).index(), 0.03);
    }
    assertEquals(800, blind.stripes());
    assertTrue(ear.stripes() > 780 && ear.stripes() <= 800, ear.toString());
    assertEquals(0, ear.downloads());
    assertEquals(0, ear.relocations());
    assertEquals(9, blind.randomDownloads(), 0.2); // k - 2k/R
  }

  /** What only writes places as what encodes, too; a block counts once in a rack. */
  @Test
  void blocksCountOnceInARack() {
    long seed = Seeds.random(getClass()).nextLong();
    Setting setting = setting(4000, 20, 3, ReplicaLayout.HDFS);
    var spread = PolicyStudy.spread(setting, ReplicationPolicies.RANDOM, new Random(seed));
    assertEquals(1, spread.blockShares().stream().mapToDouble(s -> s).sum(), 1e-9);
    // All files of one size have the same blocks: H of all of them is the largest share of blocks.
    assertEquals(spread.blockShares().get(0), spread.hotness().get(2).index(), 1e-9);
    // Two of a block's three replicas are in one rack, so that replicas are spread less evenly.
    double replicas = spread.shares().get(0) - spread.shares().get(19);
    double blocks = spread.blockShares().get(0) - spread.blockShares().get(19);
    assertTrue(replicas > blocks * 0.7, replicas + " and " + blocks);
  }

  /** Blocks on every rack are served by every rack alike: H is 1/R whatever the file. */
  @Test
  void hotnessOfReplicasEverywhereIsTheMean() {
    Result result =
        PolicyStudy.run(
            setting(1000, 8, 8, ReplicaLayout.ALL_DIFFERENT),
            ReplicationPolicies.RANDOM,
            Seeds.random(getClass()));
    result.hotness().forEach(h -> assertEquals(1 / 8.0, h.index(), 1e-9));
    result.shares().forEach(share -> assertEquals(1 / 8.0, share, 1e-9));
  }

  @Test
  void violationsAreThoseOfTheEquation() {
    check(ViolationStudy.run(List.of(6, 12), List.of(16, 40), 400, Seeds.random(getClass())));
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void violationsOfManyStripesAreThoseOfTheEquation() {
    check(
        ViolationStudy.run(
            List.of(6, 8, 10, 12),
            List.of(14, 16, 20, 24, 28, 32, 36, 40),
            10_000,
            Seeds.random(getClass())));
  }

  private static void check(List<Point> points) {
    for (Point point : points) {
      assertTrue(point.held(), point.toString());
      if (point.k() == 12 && point.racks() == 16) {
        assertEquals(0.97, point.equation(), 0.005);
      }
    }
  }
}
