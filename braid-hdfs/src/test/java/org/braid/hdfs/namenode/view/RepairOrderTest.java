package org.braid.hdfs.namenode.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RepairOrderTest {
  private static final long ALL = Long.MAX_VALUE;

  /** Parity files count from 1000 on; stripe 7 is gone. */
  private static long fileOf(int stripe) {
    return stripe == 7 ? 0 : 1000 + stripe;
  }

  private static List<Long> files(long[] places) {
    return Arrays.stream(places).map(RepairOrder::fileAt).boxed().toList();
  }

  private static RepairOrder order(int... lost) {
    RepairOrder.Found found = new RepairOrder.Found();
    for (int stripe = 0; stripe < lost.length; stripe++) {
      found.add(stripe, false);
      for (int i = 0; i < lost[stripe]; i++) {
        found.add(stripe, true);
      }
    }
    return found.order(RepairOrderTest::fileOf);
  }

  @Test
  void thoseThatLackMostComeFirst() {
    assertEquals(
        List.of(1003L, 1001L, 1005L, 1000L, 1002L, 1004L),
        files(order(1, 2, 1, 3, 0, 2).next(0, ALL, 10)));
    assertEquals(List.of(), files(order().next(0, ALL, 10)));
  }

  @Test
  void stripesThatAreGoneAreLeftOut() {
    int[] lost = new int[9];
    lost[7] = 1;
    lost[8] = 1;
    assertEquals(List.of(1008L, 1000L), files(order(lost).next(0, ALL, 2)));
  }

  @Test
  void pagesMeet() {
    RepairOrder order = order(0, 1, 2, 3, 200, 2, 1);
    List<Long> seen = new ArrayList<>();
    long[] page = order.next(0, ALL, 2);
    while (page.length > 0) {
      seen.addAll(files(page));
      page = order.next(page[page.length - 1], ALL, 2);
    }
    assertEquals(List.of(1004L, 1003L, 1002L, 1005L, 1001L, 1006L, 1000L), seen);
  }

  /** Between two pages stripes are repaired, or lose more. */
  @Test
  void aLaterListIsGoneOnWith() {
    long[] page = order(1, 2, 1, 3, 1).next(0, ALL, 3);
    assertEquals(List.of(1003L, 1001L, 1000L), files(page));
    assertEquals(List.of(1002L, 1004L), files(order(0, 0, 1, 0, 1).next(page[2], ALL, 2)));
    assertEquals(List.of(1004L), files(order(0, 0, 2, 0, 1).next(page[2], ALL, 1)));
  }

  /** Those that got worse were passed over, and are asked for by themselves. */
  @Test
  void onlyThoseThatLackMoreAreListed() {
    long place = order(1, 2, 1, 3, 1).next(0, ALL, 4)[3];
    assertEquals(1002, RepairOrder.fileAt(place));
    RepairOrder later = order(2, 0, 1, 3, 2, 1);
    long before = RepairOrder.alike(place);
    assertEquals(List.of(1003L, 1000L, 1004L), files(later.next(0, before, 10)));
    assertEquals(List.of(1003L, 1000L), files(later.next(0, before, 2)));
    assertEquals(List.of(), files(later.next(place, before, 2)));
  }
}
