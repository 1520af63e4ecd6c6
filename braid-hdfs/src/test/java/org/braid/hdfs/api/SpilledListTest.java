package org.braid.hdfs.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.hdfs.api.FsckReport.BlockState;
import org.braid.hdfs.api.FsckReport.FileState;
import org.braid.hdfs.api.FsckReport.State;
import org.junit.jupiter.api.Test;

final class SpilledListTest {
  private static FileState entry(int number) {
    BlockState block = new BlockState(number, "blk_" + number, "s", State.LOST, 0, "é\n" + number);
    return new FileState("/f" + number, State.LOST, true, 1, List.of(block), number % 2 == 0);
  }

  private static SpilledList<FileState> of(int entries) {
    SpilledList<FileState> list = new SpilledList<>();
    IntStream.range(0, entries).forEach(i -> list.add(entry(i)));
    return list;
  }

  @Test
  void entriesComeBackInOrder() {
    for (int size : new int[] {0, 1, SpilledList.CHUNK, SpilledList.CHUNK + 1, 3500}) {
      List<FileState> all = IntStream.range(0, size).mapToObj(SpilledListTest::entry).toList();
      SpilledList<FileState> list = of(size);
      assertEquals(size > SpilledList.CHUNK, list.isSpilled());
      assertEquals(all, new ArrayList<>(list));
      assertEquals(all, list);
      assertEquals(size, list.stream().filter(f -> f.state() == State.LOST).count());
    }
  }

  @Test
  void entriesAreFoundByTheirPosition() {
    SpilledList<FileState> list = of(2500);
    for (int i : new int[] {2499, 0, 1999, 1000, 999, 2000}) {
      assertEquals(entry(i), list.get(i));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> list.get(2500));
    list.add(entry(2500));
    assertEquals(entry(2500), list.get(2500));
  }

  @Test
  void aSmallListIsInMemory() {
    assertFalse(of(SpilledList.CHUNK).isSpilled());
    assertTrue(of(SpilledList.CHUNK + 1).isSpilled());
  }

  @Test
  void entriesThatCannotBeWrittenAreNamed() {
    SpilledList<Object> list = new SpilledList<>();
    List<Object> first = IntStream.range(0, SpilledList.CHUNK).mapToObj(i -> new Object()).toList();
    list.addAll(first);
    Exception e = assertThrows(RuntimeException.class, () -> list.add(new Object()));
    assertTrue(e.getMessage().contains("java.lang.Object"), e.getMessage());
    String cause = String.valueOf(e.getCause());
    assertTrue(cause.startsWith("java.io.IOException: a report of 1000 entries"), cause);
    assertEquals(first, list);
  }
}
