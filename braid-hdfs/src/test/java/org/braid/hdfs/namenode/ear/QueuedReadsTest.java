package org.braid.hdfs.namenode.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;

final class QueuedReadsTest {
  private final Deque<Runnable> thread = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private final List<String> putOff = new ArrayList<>();
  private final QueuedReads<String> reads =
      new QueuedReads<>(new Shares(3, 3), thread::add, putOff::add);

  private void ask(String subject, String name) {
    reads.read(subject, "user", () -> done.add(name));
  }

  private void run() {
    while (!thread.isEmpty()) {
      thread.remove().run();
    }
  }

  @Test
  void ofEachSubjectOneReadingWaitsAndThatIsTheLast() {
    ask("a", "a1");
    ask("b", "b1");
    ask("a", "a2");
    assertEquals(2, thread.size());
    run();
    assertEquals(List.of("a2", "b1"), done);
    ask("a", "a3");
    run();
    assertEquals(List.of("a2", "b1", "a3"), done);
  }

  @Test
  void moreThanFitIsPutOffAndThatIsSaidOnce() {
    for (String subject : List.of("a", "b", "c")) {
      ask(subject, subject);
    }
    for (String subject : List.of("d", "e", "d")) {
      assertThrows(RejectedExecutionException.class, () -> ask(subject, subject));
    }
    ask("a", "a again");
    assertEquals(3, thread.size());
    assertEquals(List.of("d"), putOff);
    thread.remove().run();
    ask("d", "d");
    assertThrows(RejectedExecutionException.class, () -> ask("e", "e"));
    assertEquals(List.of("d"), putOff, "some wait still");
    run();
    assertEquals(List.of("a again", "b", "c", "d"), done);
    for (String subject : List.of("a", "b", "c")) {
      ask(subject, subject);
    }
    assertThrows(RejectedExecutionException.class, () -> ask("e", "e"));
    assertEquals(List.of("d", "e"), putOff);
  }

  /** What is read now may have begun too early for whoever asks. */
  @Test
  void whatIsBeingReadMayBeAskedForAgain() {
    reads.read("a", "user", () -> ask("a", "a again"));
    run();
    assertEquals(List.of("a again"), done);
  }

  @Test
  void nothingIsReadAfterTheEnd() {
    List<String> read = new CopyOnWriteArrayList<>();
    Shares one = new Shares(1, 1);
    try (QueuedReads<String> own = new QueuedReads<>(one, "test", putOff::add)) {
      own.read("a", "user", () -> read.add("a"));
      Await.until("a reading", () -> read.size() == 1);
      own.close();
      for (String subject : List.of("a", "b")) {
        assertThrows(
            RejectedExecutionException.class, () -> own.read(subject, "user", () -> read.add("b")));
      }
    }
    assertEquals(List.of(), putOff, "there is room");
  }

  @Test
  void oneUserTakesNotAllPlaces() {
    Shares shared = new Shares(3, 2);
    try (QueuedReads<String> users = new QueuedReads<>(shared, thread::add, putOff::add)) {
      users.read("a", "eve", () -> done.add("a"));
      users.read("b", "eve", () -> done.add("b"));
      assertThrows(
          RejectedExecutionException.class, () -> users.read("c", "eve", () -> done.add("c")));
      users.read("d", "adam", () -> done.add("d"));
      users.read("a", "adam", () -> done.add("a again"));
      run();
      assertEquals(List.of("a again", "b", "d"), done);
      assertEquals(List.of("c"), putOff);
      users.read("c", "eve", () -> done.add("c"));
      assertEquals(1, thread.size());
    }
  }
}
