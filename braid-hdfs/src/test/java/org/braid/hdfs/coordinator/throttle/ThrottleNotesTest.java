package org.braid.hdfs.coordinator.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.braid.hdfs.coordinator.throttle.ThrottleNotes.Notes;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.Throttle;
import org.junit.jupiter.api.Test;

final class ThrottleNotesTest {
  private static final Throttle STOPPED =
      new Throttle(Map.of(Kind.DISK, 0L, Kind.CLUSTER, 0L), Throttle.NONE.shares(), 0);
  private static final Throttle SLOW =
      new Throttle(Map.of(Kind.NODE, 1L << 20), Throttle.NONE.shares(), 0);
  private static final List<String> STANDS =
      List.of(
          "work stands still: the throttle of disk, cluster is 0; braid throttle set or clear lets"
              + " it go on");

  private final ThrottleNotes notes = new ThrottleNotes();

  private void assertWarns(List<String> warnings, Throttle throttle, boolean holdsBack) {
    assertEquals(new Notes(warnings, List.of()), notes.after(throttle, "", holdsBack));
  }

  private void assertChanges(String words, Throttle throttle, boolean holdsBack) {
    assertEquals(
        new Notes(List.of(), List.of("the throttle is now: " + words)),
        notes.after(throttle, "", holdsBack));
  }

  @Test
  void aThrottleOfZeroIsToldOnceSomethingStandsStill() {
    assertWarns(List.of(), STOPPED, false);
    assertWarns(STANDS, STOPPED, true);
    assertWarns(List.of(), STOPPED, true);
    assertWarns(List.of(), STOPPED, false);
    assertWarns(List.of(), STOPPED, true);
    assertChanges("none", Throttle.NONE, false);
    assertWarns(STANDS, STOPPED, true);
  }

  @Test
  void whatHoldsFromTheBeginningIsNoChange() {
    assertWarns(List.of(), SLOW, true);
    assertChanges("none", Throttle.NONE, true);
    assertWarns(List.of(), Throttle.NONE, true);
  }

  @Test
  void aChangeIsToldInWordsAndIsNoWarning() {
    assertWarns(List.of(), Throttle.NONE, true);
    assertChanges("node 1.0 MiB/s, shares 0.7 of repair and 0.3 of conversion", SLOW, true);
    assertChanges(
        "uplink 64.0 KiB/s, cluster 1.5 GiB/s, nodes give way above 5 ms a packet, shares 0.7 of"
            + " repair and 0.3 of conversion",
        new Throttle(
            Map.of(Kind.CLUSTER, 3L << 29, Kind.UPLINK, 64L << 10), Throttle.NONE.shares(), 5000),
        false);
  }

  @Test
  void oneThatCannotBeReadIsToldOfOnce() {
    Notes gone =
        new Notes(List.of("the throttle cannot be read, what held before holds: gone"), List.of());
    assertEquals(gone, notes.after(SLOW, "gone", false));
    assertEquals(new Notes(List.of(), List.of()), notes.after(SLOW, "gone", false));
    assertWarns(List.of(), SLOW, false);
    assertEquals(gone, notes.after(SLOW, "gone", false));
  }
}
