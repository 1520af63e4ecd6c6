package org.braid.hdfs.coordinator.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
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

  @Test
  void aThrottleOfZeroIsToldOnceSomethingStandsStill() {
    assertEquals(List.of(), notes.after(STOPPED, "", false));
    assertEquals(STANDS, notes.after(STOPPED, "", true));
    assertEquals(List.of(), notes.after(STOPPED, "", true));
    assertEquals(List.of(), notes.after(STOPPED, "", false));
    assertEquals(List.of(), notes.after(STOPPED, "", true));
    assertEquals(
        List.of("the throttle is " + Throttle.NONE), notes.after(Throttle.NONE, "", false));
    assertEquals(STANDS, notes.after(STOPPED, "", true));
  }

  @Test
  void whatHoldsFromTheBeginningIsNoChange() {
    assertEquals(List.of(), notes.after(SLOW, "", true));
    assertEquals(List.of("the throttle is " + Throttle.NONE), notes.after(Throttle.NONE, "", true));
    assertEquals(List.of(), notes.after(Throttle.NONE, "", true));
  }

  @Test
  void oneThatCannotBeReadIsToldOfOnce() {
    assertEquals(
        List.of("the throttle cannot be read, what held before holds: gone"),
        notes.after(SLOW, "gone", false));
    assertEquals(List.of(), notes.after(SLOW, "gone", false));
    assertEquals(List.of(), notes.after(SLOW, "", false));
    assertEquals(1, notes.after(SLOW, "gone", false).size());
  }
}
