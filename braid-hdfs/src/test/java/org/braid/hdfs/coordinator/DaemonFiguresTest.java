package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.api.RepairPreview;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairReport.Repaired;
import org.braid.hdfs.api.RepairReport.Unrepairable;
import org.braid.hdfs.api.Traffic;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.metrics.Figures;
import org.junit.jupiter.api.Test;

final class DaemonFiguresTest {
  private final DaemonFigures figures = new DaemonFigures();
  private final DaemonMetrics metrics = figures.metrics();

  private static RepairReport report(int repaired, int lost, int settled, int postponed) {
    return new RepairReport(
        "chain",
        Collections.nCopies(repaired, new Repaired("/f", "s", 0, "blk_1", "n")),
        Collections.nCopies(lost, new Unrepairable("/f", "s", 0, "blk_1", "why")),
        settled,
        postponed,
        0,
        List.of(),
        Traffic.NONE,
        RepairReport.Phases.NONE,
        0,
        List.of(),
        List.of(),
        RepairPreview.Expected.NOTHING);
  }

  private long figure(String name) {
    Map<String, Long> all = Figures.of(metrics);
    return all.get("Braid." + name + "{ProcessName=BraidDaemon}");
  }

  @Test
  void whatLooksDidAddsUpAndWhatTheyLeftIsOfTheLast() {
    figures.open(7);
    assertEquals(7, figure("RepairsOpen"));
    figures.looked(report(5, 2, 1, 3), true);
    assertEquals(0, figure("RepairsOpen"));
    figures.looked(report(4, 1, 1, 0), true);
    assertEquals(9, figure("BlocksRebuilt"));
    assertEquals(2, figure("BlocksSettled"));
    assertEquals(1, figure("BlocksUnrepairable"));
    assertEquals(0, figure("StripesPostponed"));
  }

  /** It has not looked at what the last one left. */
  @Test
  void aLookThatWasBrokenOffTakesNothingBack() {
    figures.looked(report(0, 2, 0, 3), true);
    figures.looked(report(0, 0, 0, 0), false);
    assertEquals(2, figure("BlocksUnrepairable"));
    assertEquals(3, figure("StripesPostponed"));
    figures.looked(report(0, 1, 0, 4), false);
    assertEquals(2, figure("BlocksUnrepairable"));
    assertEquals(4, figure("StripesPostponed"));
  }

  /** The repair of a node is one look, which lasts for hours and may end in a failover. */
  @Test
  void whatALookHasRebuiltCountsAtOnceAndAlsoWhenItFails() {
    int[] rebuilt = {0};
    figures.looks(() -> rebuilt[0]);
    rebuilt[0] = 3;
    assertEquals(3, figure("BlocksRebuilt"));
    figures.looked(report(3, 0, 0, 0), true);
    assertEquals(3, figure("BlocksRebuilt"));
    rebuilt[0] = 2;
    figures.looks(() -> rebuilt[0]);
    figures.open(4);
    figures.lookFailed();
    assertEquals(5, figure("BlocksRebuilt"));
    assertEquals(0, figure("RepairsOpen"));
    figures.lookFailed();
    assertEquals(5, figure("BlocksRebuilt"));
  }

  @Test
  void whatReadersGotIsCountedWhileTheLeaseIsHeldAndAfterwards() {
    int[] rebuilt = {0};
    assertEquals(0, figure("Leads"));
    figures.leads(() -> rebuilt[0], () -> 2 * rebuilt[0]);
    rebuilt[0] = 2;
    assertEquals(4, figure("BlocksRebuilt"));
    assertEquals(1, figure("Leads"));
    assertEquals(2, figure("BlocksRebuiltForReaders"));
    figures.open(3);
    figures.follows(true);
    assertEquals(0, figure("Leads"));
    assertEquals(0, figure("RepairsOpen"), "whoever has the lease now has them");
    assertEquals(2, figure("BlocksRebuiltForReaders"));
    assertEquals(1, figure("HandOvers"));
    assertEquals(4, figure("BlocksRebuilt"));
    figures.leads(() -> 1, () -> 3);
    assertEquals(7, figure("BlocksRebuilt"));
    assertEquals(3, figure("BlocksRebuiltForReaders"));
    figures.follows(false);
    assertEquals(1, figure("HandOvers"));
  }
}
