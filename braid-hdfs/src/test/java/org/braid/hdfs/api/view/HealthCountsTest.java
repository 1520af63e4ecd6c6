package org.braid.hdfs.api.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.braid.hdfs.api.view.Health.Cause;
import org.braid.hdfs.api.view.Health.Word;
import org.junit.jupiter.api.Test;

final class HealthCountsTest {
  private static final HealthCounts.Nodes NODES = new HealthCounts.Nodes(0, 0, 0);
  private static final HealthCounts.Service SERVICE = new HealthCounts.Service(false, "", false, 0);

  private static Health of(HealthCounts.Stripes stripes) {
    return new HealthCounts(stripes, 0, NODES, SERVICE).health();
  }

  @Test
  void nothingWrongIsHealthy() {
    assertEquals(new Health(Word.HEALTHY, List.of()), of(HealthCounts.Stripes.NONE));
  }

  @Test
  void theWordIsThatOfTheWorstCause() {
    assertEquals(Word.DEGRADED, of(new HealthCounts.Stripes(0, 0, 0, 1, 0, 0, true)).word());
    assertEquals(Word.AT_RISK, of(new HealthCounts.Stripes(0, 0, 2, 1, 1, 1, true)).word());
    Health lost = of(new HealthCounts.Stripes(1, 2, 0, 3, 0, 0, true));
    assertEquals(Word.LOST, lost.word());
    assertEquals(
        List.of(Word.LOST, Word.AT_RISK, Word.DEGRADED),
        lost.causes().stream().map(Cause::word).toList());
    assertEquals(
        "1 stripe with blocks that can neither be read nor rebuilt now: bring their DataNodes"
            + " back; braid fsck --list names them",
        lost.causes().get(0).what());
    assertEquals(
        "2 stripes with lost blocks and no spare one: run braid repair",
        lost.causes().get(1).what());
  }

  @Test
  void whatWasNotCountedToTheEndIsALeastNumber() {
    assertEquals(
        "at least 3 stripes with lost blocks and no spare one: run braid repair",
        of(new HealthCounts.Stripes(0, 3, 0, 0, 0, 0, false)).causes().get(0).what());
  }

  @Test
  void nodesAndServiceDegrade() {
    Health health =
        new HealthCounts(
                HealthCounts.Stripes.NONE,
                0,
                new HealthCounts.Nodes(1, 2, 0),
                new HealthCounts.Service(true, "2030-01-01T00:00:00Z", true, 4))
            .health();
    assertEquals(Word.DEGRADED, health.word());
    assertEquals(
        List.of("1 DataNode dead", "2 DataNodes not answering", "repair is paused until 2030"),
        health.causes().stream()
            .map(cause -> cause.what().replaceAll("-01-01T.*", ""))
            .limit(3)
            .toList());
    assertEquals("4 calls of clients waiting for lost blocks", health.causes().get(5).what());
  }
}
