package org.braid.sim.durability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PlannedRepairsTest {
  private static PlannedRepairs plan(EncodedCluster cluster, String shape, double failures) {
    return PlannedRepairs.of(
        cluster,
        Samples.repairs(shape),
        new ErasurePatterns(cluster.code()),
        failures,
        6,
        Samples.random(1));
  }

  @Test
  void aFlatClusterIsLimitedByWhatPlansMove() {
    EncodedCluster cluster = Samples.cluster("rs-6-3", "1x100");
    PlannedRepairs.Level one = plan(cluster, "star", 0).levels().get(0);
    double block = 128 << 20;
    assertEquals(6, one.total(), 1e-9);
    assertEquals(0, one.crossRack(), 1e-9);
    assertEquals(6 * block / 1.25e9, one.seconds(), 0.02);
    // Six blocks a repair over a hundred links; four repairs a node give 100*4/7 at once.
    double links = 100 * 1.25e9 / (6 * block);
    double budgets = 100 * 4 / 7.0 / one.seconds();
    assertEquals(Math.min(links, budgets), one.rate(), 0.01 * links);
    assertEquals(links < budgets ? "links" : "budgets", one.limit());
    double blocks = 16e12 / block;
    assertEquals(blocks / one.rate(), plan(cluster, "star", 0).nodeSeconds(), 1e-3 * blocks);
  }

  @Test
  void shapesChangeTimesAndTraffic() {
    EncodedCluster cluster = Samples.cluster("rs-10-4", "10x10");
    PlannedRepairs.Level star = plan(cluster, "star", 0).levels().get(0);
    PlannedRepairs.Level ppr = plan(cluster, "ppr", 0).levels().get(0);
    PlannedRepairs.Level chain = plan(cluster, "chain", 0).levels().get(0);
    PlannedRepairs.Level racks = plan(cluster, "racktree", 0).levels().get(0);
    assertTrue(chain.seconds() < ppr.seconds() && ppr.seconds() < star.seconds());
    assertTrue(racks.crossRack() < star.crossRack(), racks + " " + star);
    assertEquals("uplinks", chain.limit());
    assertTrue(racks.rate() > star.rate());
  }

  @Test
  void theMoreIsLostTheFewerStripesAreBefore() {
    PlannedRepairs repairs = plan(Samples.cluster("rs-10-4", "20x50"), "chain", 1e-6);
    List<RepairTimes.Wait> waits =
        List.of(repairs.of(1, 1), repairs.of(2, 2), repairs.of(3, 3), repairs.of(4, 4));
    for (int i = 1; i < waits.size(); i++) {
      assertTrue(waits.get(i).queue() < waits.get(i - 1).queue(), waits.toString());
    }
    assertTrue(repairs.of(2, 20).queue() > repairs.of(2, 2).queue());
    assertTrue(repairs.background() > 0);
  }

  @Test
  void delayedUnlessUrgent() {
    PlannedRepairs repairs = delayed("rs-6-3", 1);
    assertEquals(960, repairs.of(1, 1).before());
    assertEquals(60, repairs.of(2, 2).before());
  }

  /** Also of stripes that lost one block more than the code promises to survive. */
  @Test
  void nothingIsUrgentWithoutUrgentRepairs() {
    PlannedRepairs none = delayed("lrc-6-2-2", -1);
    PlannedRepairs last = delayed("lrc-6-2-2", 0);
    assertEquals(960, none.of(3, 3).before());
    assertEquals(960, none.of(4, 4).before());
    assertEquals(60, last.of(4, 4).before());
  }

  private static PlannedRepairs delayed(String code, int urgentSpare) {
    EncodedCluster cluster = Samples.cluster(code, "10x5");
    RepairParameters plain = Samples.repairs("chain");
    RepairParameters delayed =
        new RepairParameters(
            plain.planner(),
            plain.rates(),
            plain.slice(),
            plain.disk(),
            plain.budgets(),
            1,
            60,
            900,
            urgentSpare);
    return PlannedRepairs.of(
        cluster, delayed, new ErasurePatterns(cluster.code()), 0, 3, Samples.random(1));
  }

  @Test
  void refusesAClusterThatNeverCatchesUp() {
    EncodedCluster cluster = Samples.cluster("rs-10-4", "10x10");
    OverloadException e =
        assertThrows(OverloadException.class, () -> plan(cluster, "star", 1.0 / 3600));
    assertTrue(String.valueOf(e.getMessage()).contains("never catch up"), e.getMessage());
  }
}
