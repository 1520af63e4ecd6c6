package org.braid.hdfs.namenode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.namenode.host.SharedTasks.Next;
import org.junit.jupiter.api.Test;

final class SharedTasksTest {
  private static final Next AGAIN = new Next(true, 5_000);
  private static final Next ENDED = new Next(false, 0);

  private record Planned(Runnable work, long millis) {}

  private final List<Planned> planned = new ArrayList<>();
  private final List<String> ran = new ArrayList<>();
  private final Map<String, Next> answers = new HashMap<>();
  private boolean closed;
  private final SharedTasks<String> tasks =
      new SharedTasks<>(new Shares(3, 2), this::later, this::run);

  private boolean later(Runnable work, long millis) {
    return !closed && planned.add(new Planned(work, millis));
  }

  private Next run(String key, int attempt) {
    ran.add(key + attempt);
    return answers.getOrDefault(key, AGAIN);
  }

  /** Runs all that is planned now; returns what tasks ran. */
  private List<String> pass() {
    List<Planned> now = List.copyOf(planned);
    planned.clear();
    ran.clear();
    now.forEach(next -> next.work().run());
    return List.copyOf(ran);
  }

  private void begin(String user, String... keys) {
    for (String key : keys) {
      tasks.begin(key, user);
    }
  }

  @Test
  void placesAreKeptBetweenAttemptsAndGivenBackOnceAtTheEnd() {
    begin("eve", "a", "b", "c");
    for (int attempt = 1; attempt < 4; attempt++) {
      assertEquals(List.of("a" + attempt, "b" + attempt), pass());
      assertEquals(List.of(5_000L, 5_000L), planned.stream().map(Planned::millis).toList());
      begin("eve", "c", "d");
    }
    begin("bob", "x", "y");
    answers.putAll(Map.of("a", ENDED, "b", ENDED, "x", ENDED));
    assertEquals(List.of("a4", "b4", "x1"), pass(), "three in all");
    assertEquals(List.of(), pass());
    begin("eve", "c", "d", "e");
    begin("bob", "y", "z");
    assertEquals(List.of("c1", "d1", "y1"), pass());
  }

  @Test
  void aTaskThatWaitsIsNotBegunAnew() {
    begin("eve", "a");
    assertEquals(List.of("a1"), pass());
    begin("eve", "a");
    begin("bob", "a");
    assertEquals(List.of("a2"), pass());
    answers.put("a", ENDED);
    assertEquals(List.of("a3"), pass());
    begin("bob", "a");
    assertEquals(List.of("a1"), pass());
  }

  @Test
  void aTaskThatIsDoneRestsWithoutAPlace() {
    answers.putAll(Map.of("a", new Next(false, 60_000), "b", ENDED, "c", ENDED));
    begin("eve", "a");
    assertEquals(List.of("a1"), pass());
    begin("eve", "a", "b", "c");
    assertEquals(List.of("b1", "c1"), pass());
    begin("eve", "a");
    assertEquals(List.of("a1"), pass());
  }

  @Test
  void aTaskThatBreaksOffHasEnded() {
    Shares places = new Shares(1, 1);
    SharedTasks<String> broken =
        new SharedTasks<>(
            places,
            this::later,
            (key, attempt) -> {
              throw new IllegalStateException(key);
            });
    for (int i = 0; i < 2; i++) {
      broken.begin("a", "eve");
      assertEquals(1, planned.size());
      assertThrows(IllegalStateException.class, this::pass);
    }
  }

  @Test
  void nothingIsHeldWhereNothingIsRunAnyMore() {
    begin("eve", "a");
    closed = true;
    assertEquals(List.of("a1"), pass());
    begin("eve", "b");
    assertEquals(List.of(), pass());
    closed = false;
    begin("eve", "a", "b");
    assertEquals(List.of("a1", "b1"), pass());
  }
}
