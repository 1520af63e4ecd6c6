package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.namenode.ear.LateReports;
import org.junit.jupiter.api.Test;

final class LateReportsTest {
  private static final long PATIENCE = 4000;

  private long transition = 7;
  private long now = 100_000;
  private final LateReports reports = new LateReports(() -> transition, () -> now, PATIENCE, 1);

  /** How often it is looked when word comes at a time; each look takes a second. */
  private int looks(long knownAt) throws IOException {
    int[] looks = new int[1];
    reports.await(
        () -> {
          looks[0]++;
          boolean known = now >= knownAt;
          now += known ? 0 : 1000;
          return known;
        });
    return looks[0];
  }

  @Test
  void aYoungNameNodeWaitsForWordAndNotForEver() throws Exception {
    assertEquals(1, looks(now));
    assertEquals(3, looks(now + 2000));
    assertEquals(PATIENCE / 1000, looks(Long.MAX_VALUE));
  }

  @Test
  void anOldOneKnowsAllThereIsUntilAnotherTakesItsPlace() throws Exception {
    assertEquals(1, looks(now));
    now += LateReports.YOUNG_MILLIS;
    assertEquals(0, looks(Long.MAX_VALUE));
    transition++;
    assertEquals(PATIENCE / 1000, looks(Long.MAX_VALUE));
  }

  /** Whoever waits holds one of the NameNode's handlers. */
  @Test
  void nobodyWaitsWhereOthersDoAlready() throws Exception {
    List<Integer> others = new ArrayList<>();
    int[] mine = new int[1];
    reports.await(
        () -> {
          if (mine[0]++ > 0) {
            others.add(looks(Long.MAX_VALUE));
          }
          return others.size() == 2;
        });
    assertEquals(List.of(1, 1), others, "looks of others");
    assertEquals(PATIENCE / 1000, looks(Long.MAX_VALUE), "the place is free again");
  }

  @Test
  void whatIsReadInTheBackgroundIsAwaitedAtAnyTimeButBriefly() throws Exception {
    now += LateReports.YOUNG_MILLIS;
    long begun = now;
    reports.awaitBriefly(
        () -> {
          now += 100;
          return false;
        });
    assertEquals(LateReports.MOMENT_MILLIS, now - begun);
  }
}
