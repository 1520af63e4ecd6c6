package org.braid.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TurnTest {
  private final List<Exception> failures = new ArrayList<>();

  @Test
  void aTurnThatSucceedsTellsNothing() {
    List<String> done = new ArrayList<>();
    Turn.take(() -> done.add("it"), failures::add);
    assertEquals(List.of("it"), done);
    assertEquals(List.of(), failures);
  }

  @Test
  void exceptionsAreToldAsTheyAre() {
    IOException one = new IOException("no answer");
    RuntimeException other = new IllegalStateException("no index");
    Turn.take(
        () -> {
          throw one;
        },
        failures::add);
    Turn.take(
        () -> {
          throw other;
        },
        failures::add);
    assertEquals(List.of(one, other), failures);
  }

  @Test
  void anErrorIsToldAsACause() {
    Error error = new OutOfMemoryError("unable to create native thread");
    Turn.take(
        () -> {
          throw error;
        },
        failures::add);
    assertEquals(1, failures.size());
    assertSame(error, failures.get(0).getCause());
    assertEquals(
        "java.lang.OutOfMemoryError: unable to create native thread", failures.get(0).getMessage());
  }

  /** There may be no memory to tell it either. */
  @Test
  void anErrorOfWhoeverHearsOfItIsNotLetThrough() {
    boolean taken =
        Turn.take(
            () -> {
              throw new OutOfMemoryError("no room");
            },
            failure -> {
              failures.add(failure);
              throw new OutOfMemoryError("nor for that");
            });
    assertFalse(taken);
    assertEquals(1, failures.size());
  }

  /** Whoever is interrupted is to end, and not to begin the next turn. */
  @Test
  void anInterruptEndsTheWork() {
    assertThrows(
        InterruptedException.class,
        () ->
            Turn.take(
                () -> {
                  throw new InterruptedException();
                },
                failures::add));
    assertEquals(List.of(), failures);
  }
}
