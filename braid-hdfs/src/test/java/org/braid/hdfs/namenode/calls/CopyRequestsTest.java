package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

final class CopyRequestsTest {
  private final List<String> done = new ArrayList<>();
  private boolean failing;

  /** Blocks that are to keep their copies for now. */
  private final Set<Long> held = new HashSet<>();

  /** What is to be done in a moment. */
  private final Deque<Runnable> later = new ArrayDeque<>();

  private final CopyRequests copies =
      new CopyRequests(blocks -> note("more", blocks), this::fewer, later::add);

  private Set<Long> fewer(Collection<Long> blocks) throws IOException {
    note("fewer", blocks);
    Set<Long> kept = new HashSet<>(blocks);
    kept.retainAll(held);
    return kept;
  }

  private void note(String what, Collection<Long> blocks) throws IOException {
    done.add(what + " " + blocks.stream().sorted().toList());
    if (failing) {
      throw new IOException("no");
    }
  }

  private void assertDone(String... expected) {
    assertEquals(List.of(expected), done);
    done.clear();
  }

  @Test
  void onlyWhatNobodyAsksForAnyMoreIsGivenBack() throws Exception {
    Set<Long> first = copies.ask(List.of(1L, 2L), Set.of());
    Set<Long> second = copies.ask(List.of(2L, 3L), Set.of());
    assertDone("more [1, 2]", "more [2, 3]");
    copies.giveBack(first);
    assertDone("fewer [1]");
    copies.giveBack(second);
    assertDone("fewer [2, 3]");
  }

  /** Every deletion of a file gives back, and holds a handler of the NameNode meanwhile. */
  @Test
  void whoAskedForNothingWaitsForNobody() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    CopyRequests slow =
        new CopyRequests(
            blocks -> {
              begun.countDown();
              assertDoesNotThrow(() -> end.await());
            },
            this::fewer,
            later::add);
    FutureTask<Set<Long>> asking = new FutureTask<>(() -> slow.ask(List.of(1L), Set.of()));
    new Thread(asking).start();
    begun.await();
    try {
      assertTimeoutPreemptively(Duration.ofSeconds(10), () -> slow.giveBack(Set.of()));
    } finally {
      end.countDown();
    }
    assertEquals(Set.of(1L), asking.get());
  }

  /** A removal looks again and again; what it finds later is given back, too, and all only once. */
  @Test
  void whoAsksAgainCountsOnce() throws Exception {
    Set<Long> first = copies.ask(List.of(1L), Set.of());
    Set<Long> later = copies.ask(List.of(1L, 2L), first);
    assertEquals(Set.of(1L, 2L), later);
    assertEquals(later, copies.ask(List.of(), later));
    assertDone("more [1]", "more [1, 2]");
    copies.giveBack(later);
    assertDone("fewer [1, 2]");
    copies.giveBack(copies.ask(List.of(1L), Set.of()));
    assertDone("more [1]", "fewer [1]");
  }

  @Test
  void whoCouldNotAskDoesNotCount() throws Exception {
    Set<Long> first = copies.ask(List.of(1L), Set.of());
    failing = true;
    assertThrows(IOException.class, () -> copies.ask(List.of(1L, 2L), Set.of()));
    failing = false;
    // Some may have been given copies before it failed.
    assertDone("more [1]", "more [1, 2]", "fewer [2]");
    copies.giveBack(first);
    assertDone("fewer [1]");
  }

  /** A NameNode that is no longer active takes nothing back; the next one never asked. */
  @Test
  void whatCannotBeTakenBackIsForgotten() throws Exception {
    Set<Long> first = copies.ask(List.of(1L), Set.of());
    failing = true;
    copies.giveBack(first);
    failing = false;
    copies.giveBack(copies.ask(List.of(1L), Set.of()));
    assertDone("more [1]", "fewer [1]", "more [1]", "fewer [1]");
  }

  @Test
  void whatCannotBeTakenBackYetIsTakenBackLater() throws Exception {
    held.addAll(List.of(1L, 3L));
    copies.giveBack(copies.ask(List.of(1L, 2L), Set.of()));
    assertDone("more [1, 2]", "fewer [1, 2]");
    copies.giveBack(copies.ask(List.of(3L), Set.of()));
    assertDone("more [3]", "fewer [3]");
    assertEquals(1, later.size(), "one task for all");
    held.remove(3L);
    later.remove().run();
    assertDone("fewer [1, 3]");
    held.clear();
    later.remove().run();
    assertDone("fewer [1]");
    assertEquals(0, later.size());
  }

  @Test
  void whatIsAskedForAgainMeanwhileIsLeftToWhoeverAsks() throws Exception {
    held.add(1L);
    copies.giveBack(copies.ask(List.of(1L), Set.of()));
    Set<Long> again = copies.ask(List.of(1L), Set.of());
    assertDone("more [1]", "fewer [1]", "more [1]");
    held.clear();
    later.remove().run();
    assertDone();
    copies.giveBack(again);
    assertDone("fewer [1]");
  }
}
