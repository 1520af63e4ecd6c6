package org.braid.hdfs.datanode.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who makes many notes forgets own ones. */
final class RunNotesTest {
  private final RunNotes notes = new RunNotes(6, 4);

  private void addMany(String user, int count) {
    for (int i = 0; i < count; i++) {
      notes.add(user, user + i, "note " + i);
    }
  }

  @Test
  void aUserPushesOutOwnNotesOnly() {
    notes.add("adam", "first", "cancelled");
    addMany("eve", 100);
    assertEquals(Optional.of("cancelled"), notes.of("first"));
    assertEquals(Optional.empty(), notes.of("eve95"));
    assertEquals(Optional.of("note 96"), notes.of("eve96"));
    assertEquals(5, notes.count());
  }

  /** Many users, who have few each, have those give way that have most. */
  @Test
  void whoHasMostGivesWay() {
    addMany("eve", 4);
    addMany("adam", 2);
    assertEquals(6, notes.count());
    notes.add("cain", "one", "x");
    assertEquals(6, notes.count());
    assertEquals(Optional.empty(), notes.of("eve0"));
    assertEquals(Optional.of("note 0"), notes.of("adam0"));
    assertEquals(Optional.of("x"), notes.of("one"));
  }

  /** A run that is cancelled again is remembered longer. */
  @Test
  void aNoteIsMadeAnew() {
    addMany("eve", 4);
    notes.add("eve", "eve0", "again");
    assertEquals(4, notes.count());
    notes.add("eve", "more", "x");
    assertEquals(Optional.of("again"), notes.of("eve0"));
    assertEquals(Optional.empty(), notes.of("eve1"));
  }

  /** Why a run failed may repeat what its user has sent. */
  @Test
  void ofALongNoteTheMiddleIsForgotten() {
    notes.add("eve", "run", "first" + "x".repeat(8 << 20) + "last");
    String kept = notes.of("run").orElseThrow();
    assertTrue(kept.length() < 3000, kept.length() + " characters are kept");
    assertTrue(kept.startsWith("first") && kept.endsWith("last"), kept);
  }

  @Test
  void forgetsNotesOfThatUser() {
    notes.add("eve", "run", "hers");
    notes.forget("adam", "run");
    assertEquals(Optional.of("hers"), notes.of("run"));
    notes.forget("eve", "run");
    notes.forget("eve", "run");
    assertEquals(Optional.empty(), notes.of("run"));
    assertEquals(0, notes.count());
  }
}
