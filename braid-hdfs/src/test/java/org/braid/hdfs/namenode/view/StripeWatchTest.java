package org.braid.hdfs.namenode.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.metrics.Figures;
import org.braid.hdfs.metrics.TimeHistogram;
import org.junit.jupiter.api.Test;

/** What looks at damaged stripes add up to. */
final class StripeWatchTest {
  private static final Map<Integer, String> LOST = Map.of(1, "n1", 4, "n4");

  private final TimeHistogram repairs = new TimeHistogram("Repair", "", 60, 600);
  private final DaemonMetrics metrics = new DaemonMetrics();
  private long now = 5_000_000;
  private final StripeWatch watch = new StripeWatch(() -> now, repairs, 3);

  StripeWatchTest() {
    repairs.addTo(metrics);
  }

  private void end() {
    watch.end(id -> Optional.of(Map.of(1, "n1", 4, "n4", 5, "n5")));
  }

  private long repaired(String within) {
    return Figures.of(metrics).get("BraidRepair.SecondsBucket{le=" + within + "}");
  }

  @Test
  void stripesAreCountedByStateAndBySpare() {
    watch.begin(Map.of(2, 10L, 3, 5L, 9, 1L), 2);
    watch.misplaced(9);
    watch.lacking(1, "a", 2, 1, false, LOST);
    watch.lacking(2, "b", 2, 0, false, LOST);
    watch.lacking(3, "c", 3, -1, true, LOST);
    end();
    StripeWatch.Figures found = watch.figures();
    assertEquals(12, found.of(StripeState.HEALTHY));
    assertEquals(1, found.of(StripeState.MISPLACED));
    assertEquals(1, found.of(StripeState.DEGRADED));
    assertEquals(1, found.of(StripeState.AT_RISK));
    assertEquals(1, found.of(StripeState.LOST));
    assertEquals(2, found.of(StripeState.UNREADABLE));
    assertEquals(List.of(1L, 1L, 1L, 8L, 4L, 1L), found.spares());
    assertEquals(16, found.spares().stream().mapToLong(Long::longValue).sum(), "each stripe once");
    assertEquals(1, found.ofSpare(-1));
    assertEquals(1, found.ofSpare(7), "all that survive four or more");
    assertEquals(
        Map.of(-1, "none", 0, "0", 1, "1", 2, "2", 3, "3", 4, "4_or_more"),
        StripeWatch.spareWords());
  }

  /** As where deletions left fewer blocks than it takes, and parity is lost besides. */
  @Test
  void aStripeThatCannotBeDecodedIsNotLostWhileItsDataCanBeRead() {
    watch.begin(Map.of(2, 1L), 0);
    watch.lacking(1, "a", 2, -1, false, LOST);
    end();
    assertEquals(0, watch.figures().of(StripeState.LOST));
    assertEquals(1, watch.figures().of(StripeState.AT_RISK));
    assertEquals(1, watch.figures().ofSpare(-1));
  }

  @Test
  void theAgeOfTheOldestCountsFromWhenItWasFirstSeen() {
    assertEquals(-1, watch.ageSeconds());
    assertEquals(0, watch.oldestSeconds());
    watch.begin(Map.of(2, 2L), 0);
    watch.lacking(1, "a", 2, 1, false, LOST);
    end();
    now += 100_000;
    assertEquals(100, watch.oldestSeconds());
    assertEquals(100, watch.ageSeconds());
    watch.begin(Map.of(2, 2L), 0);
    watch.lacking(1, "a", 2, 0, false, LOST);
    watch.lacking(2, "b", 2, 1, false, LOST);
    end();
    assertEquals(0, watch.ageSeconds());
    now += 10_000;
    assertEquals(110, watch.oldestSeconds());
    watch.begin(Map.of(2, 2L), 0);
    watch.lacking(2, "b", 2, 1, false, LOST);
    end();
    assertEquals(10, watch.oldestSeconds());
    watch.begin(Map.of(2, 2L), 0);
    end();
    now += 10_000;
    assertEquals(0, watch.oldestSeconds());
  }

  @Test
  void aRepairTookFromTheFirstLookThatSawTheDamageToTheFirstThatDidNot() {
    watch.begin(Map.of(2, 3L), 0);
    watch.lacking(1, "repaired", 2, 1, false, LOST);
    watch.lacking(2, "back", 2, 1, false, LOST);
    watch.lacking(3, "deleted", 2, 1, false, LOST);
    end();
    now += 61_000;
    watch.begin(Map.of(2, 2L), 0);
    watch.end(
        id ->
            switch (id) {
              case "repaired" -> Optional.of(Map.of(1, "n7", 4, "n4"));
              case "back" -> Optional.of(LOST);
              default -> Optional.empty();
            });
    assertEquals(0, repaired("60"));
    assertEquals(1, repaired("600"));
    assertEquals(1, repaired("+Inf"));
    assertEquals(1, watch.returned());
    assertEquals(61, Figures.of(metrics).get("BraidRepair.SecondsSum{}"));
  }

  /** A second loss before the first one is repaired does not make it younger. */
  @Test
  void theHomesCountThatTheBlocksHadWhenTheyWereLostLast() {
    watch.begin(Map.of(2, 1L), 0);
    watch.lacking(1, "a", 2, 1, false, Map.of(1, "n1"));
    end();
    now += 10_000;
    watch.begin(Map.of(2, 1L), 0);
    watch.lacking(1, "a", 2, 0, false, Map.of(1, "n9")); // rebuilt at n9, which was lost then
    end();
    now += 10_000;
    watch.begin(Map.of(2, 1L), 0);
    watch.end(id -> Optional.of(Map.of(1, "n9")));
    assertEquals(1, watch.returned());
    assertEquals(0, repaired("+Inf"));
  }

  /** A look may come when a block is there again and its stripe does not say so yet. */
  @Test
  void aRepairIsOverWhenTheBlockHasItsNewHome() {
    watch.begin(Map.of(2, 1L), 0);
    watch.lacking(1, "a", 2, 1, false, Map.of(1, "n1"));
    end();
    now += 10_000;
    watch.begin(Map.of(2, 1L), 0);
    watch.misplaced(1);
    watch.end(id -> Optional.of(Map.of(1, "n1")));
    assertEquals(0, repaired("+Inf"));
    assertEquals(0, watch.returned());
    assertEquals(0, watch.oldestSeconds(), "nothing is lost");
    watch.begin(Map.of(2, 1L), 0);
    watch.end(id -> Optional.of(Map.of(1, "n9")));
    assertEquals(1, repaired("60"));
    assertEquals(0, watch.returned());
  }

  /** As while another of its nodes is taken out of service, which lasts days. */
  @Test
  void aStripeThatIsOnlyMisplacedLacksNothingMeanwhile() {
    watch.begin(Map.of(2, 1L), 0);
    watch.lacking(1, "a", 2, 1, false, Map.of(1, "n1"));
    end();
    now += 30_000;
    for (int look = 0; look < 3; look++) {
      watch.begin(Map.of(2, 1L), 0);
      watch.misplaced(1);
      end();
      now += 86_400_000;
    }
    watch.begin(Map.of(2, 1L), 0);
    watch.lacking(1, "a", 2, 1, false, Map.of(4, "n4"));
    watch.end(id -> Optional.of(Map.of(1, "n9", 4, "n4")));
    now += 5000;
    assertEquals(5, watch.oldestSeconds(), "it has lacked this block for no longer");
    assertEquals(1, repaired("60"), "the first one was there after half a minute");
    assertEquals(30, Figures.of(metrics).get("BraidRepair.SecondsSum{}"));
    watch.begin(Map.of(2, 1L), 0);
    watch.end(id -> Optional.of(Map.of(1, "n9", 4, "n8")));
    assertEquals(2, repaired("60"));
    assertEquals(0, watch.returned());
  }

  @Test
  void ofVeryManyDamagedStripesAllAreCounted() {
    watch.begin(Map.of(1, 10L), 0);
    for (int i = 0; i < 10; i++) {
      watch.lacking(i, "s" + i, 1, 0, false, LOST);
    }
    end();
    assertEquals(10, watch.figures().of(StripeState.AT_RISK));
    assertEquals(0, watch.figures().of(StripeState.HEALTHY));
    watch.begin(Map.of(1, 10L), 0);
    watch.end(id -> Optional.of(Map.of(1, "n7")));
    assertEquals(3, repaired("+Inf"), "the age of no more is known");
  }

  /** What a NameNode knew before it became a standby is nothing to be alarmed by. */
  @Test
  void aStandbyKnowsNothing() {
    watch.begin(Map.of(2, 1L), 1);
    watch.lacking(1, "a", 2, -1, true, LOST);
    end();
    watch.forget();
    for (StripeState state : StripeState.values()) {
      assertEquals(0, watch.figures().of(state));
    }
    assertEquals(0, watch.figures().ofSpare(-1));
    assertEquals(-1, watch.ageSeconds());
    assertEquals(0, watch.oldestSeconds());
    watch.begin(Map.of(2, 1L), 0);
    end();
    assertEquals(0, repaired("+Inf"), "what was repaired while others decided");
  }
}
