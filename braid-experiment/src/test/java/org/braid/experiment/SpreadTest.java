package org.braid.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SpreadTest {
  @Test
  void quartilesAreThoseOfNumPy() {
    assertEquals(new Spread(1, 1.75, 2.5, 3.25, 4, 4), Spread.of(List.of(4.0, 1.0, 3.0, 2.0)));
    assertEquals(new Spread(1, 2, 3, 4, 5, 5), Spread.of(List.of(5.0, 4.0, 3.0, 2.0, 1.0)));
    assertEquals(new Spread(7, 7, 7, 7, 7, 1), Spread.of(List.of(7.0)));
    assertEquals(new Spread(1, 1.5, 2, 2.5, 3, 2), Spread.of(List.of(3.0, 1.0)));
    assertThrows(IllegalArgumentException.class, () -> Spread.of(List.of()));
  }
}
