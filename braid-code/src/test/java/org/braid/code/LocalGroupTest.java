package org.braid.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LocalGroupTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void aGroupOfThreeBlocksRebuildsOneOrTwo(int losses) {
    List<Integer> blocks = List.of(0, 1, 2);
    assertEquals(
        "g: " + losses + " losses of 3 blocks, needs 1..2",
        assertThrows(IllegalArgumentException.class, () -> new LocalGroup("g", blocks, losses))
            .getMessage());
  }
}
