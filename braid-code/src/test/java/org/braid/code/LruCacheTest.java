package org.braid.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LruCacheTest {
  private final List<String> made = new ArrayList<>();
  private final LruCache<String, Object> last = new LruCache<>(2);

  private Object get(String name) {
    return last.get(
        name,
        asked -> {
          made.add(asked);
          return new Object();
        });
  }

  @Test
  void whatWasNotUsedForLongestGoes() {
    Object a = get("a");
    get("b");
    assertSame(a, get("a"));
    get("c");
    assertSame(a, get("a"), "used after b, which is gone");
    assertEquals(List.of("a", "b", "c"), made);
    get("b");
    assertEquals(List.of("a", "b", "c", "b"), made);
  }

  @Test
  void whatCannotBeMadeIsAskedForAgain() {
    assertThrows(
        UnknownCodeException.class,
        () ->
            last.get(
                "a",
                name -> {
                  throw UnknownCodeException.unknown(name, List.of());
                }));
    get("a");
    assertEquals(List.of("a"), made);
  }

  /** A maker may need others of the same kind; the first one that was made stays. */
  @Test
  void aMakerMayAskForOthers() {
    Object inner = new Object();
    Object outer = last.get("a", a -> List.of(get("b"), last.get("a", again -> inner)));
    assertSame(inner, outer);
    assertEquals(List.of("b"), made);
  }

  @Test
  void nothingKeptIsRefused() {
    assertEquals(
        "a capacity of 0, needs at least 1",
        assertThrows(IllegalArgumentException.class, () -> new LruCache<String, String>(0))
            .getMessage());
  }
}
