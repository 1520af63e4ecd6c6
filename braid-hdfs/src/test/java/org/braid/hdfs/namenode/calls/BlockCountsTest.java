package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class BlockCountsTest {
  private final BlockCounts counts = new BlockCounts();

  /** Two removals name block 2; it is named until the second of them ends. */
  @Test
  void aBlockIsNamedUntilTheLastRemovalEnds() {
    counts.add(List.of(1L, 2L));
    counts.add(List.of(2L, 3L));
    assertEquals(Set.of(1L), counts.remove(List.of(1L, 2L)));
    assertFalse(counts.contains(1));
    assertTrue(counts.contains(2));
    assertEquals(Set.of(2L, 3L), counts.remove(List.of(2L, 3L)));
    assertFalse(counts.contains(2));
    assertFalse(counts.contains(3));
  }

  @Test
  void eachEndCountsOnce() {
    counts.add(List.of(1L));
    counts.add(List.of(1L));
    counts.add(List.of(1L));
    assertEquals(Set.of(), counts.remove(List.of(1L)));
    assertEquals(Set.of(), counts.remove(List.of(1L)));
    assertEquals(Set.of(1L), counts.remove(List.of(1L)));
  }
}
