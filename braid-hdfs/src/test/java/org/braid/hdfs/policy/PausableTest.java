package org.braid.hdfs.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PausableTest {
  @Test
  void namesHaveTheirVerb() {
    assertEquals("repair is", Pausable.subject(Pausable.named("repair")));
    assertEquals(
        "convert and repair are", Pausable.subject(List.of(Pausable.CONVERT, Pausable.REPAIR)));
    assertEquals("convert, restore, repair and scrub are", Pausable.subject(Pausable.named("all")));
  }

  @Test
  void otherWorkIsRefusedWithAllNames() {
    assertEquals(
        "\"move\" cannot be paused: convert, restore, repair, scrub or all",
        assertThrows(IllegalArgumentException.class, () -> Pausable.named("move")).getMessage());
  }

  @Test
  void pausesKeepTheOrderOfTheirNamesHoweverTheyCame() {
    PolicyDocument document = PolicyDocument.NONE;
    for (Pausable work :
        List.of(Pausable.SCRUB, Pausable.RESTORE, Pausable.CONVERT, Pausable.REPAIR)) {
      document = document.pausing(work, Instant.MAX);
    }
    assertEquals(Pausable.named("all"), List.copyOf(document.pauses().keySet()));
    document = document.resuming(Pausable.RESTORE);
    assertEquals(
        List.of(Pausable.CONVERT, Pausable.REPAIR, Pausable.SCRUB),
        List.copyOf(document.pauses().keySet()));
  }

  @Test
  void aPauseThatIsOverHoldsNoMore() {
    Instant end = Instant.parse("2026-12-24T06:00:00Z");
    PolicyDocument document =
        PolicyDocument.NONE.pausing(Pausable.SCRUB, Instant.MAX).pausing(Pausable.REPAIR, end);
    assertEquals(
        Map.of(Pausable.REPAIR, end, Pausable.SCRUB, Instant.MAX),
        document.pausesAt(end.minusMillis(1)));
    assertEquals(Map.of(Pausable.SCRUB, Instant.MAX), document.pausesAt(end));
    assertEquals(2, document.pauses().size());
  }
}
