package org.braid.hdfs.namenode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PagesTest {
  @Test
  void holdAllInOrderAndNoMoreThanTheLimit() {
    assertEquals(List.of(), Pages.of(List.of(), 2));
    assertEquals(List.of(List.of(1, 2)), Pages.of(List.of(1, 2), 2));
    assertEquals(
        List.of(List.of(5, 3), List.of(9, 1), List.of(2)),
        Pages.of(new LinkedHashSet<>(List.of(5, 3, 9, 1, 2)), 2));
  }
}
