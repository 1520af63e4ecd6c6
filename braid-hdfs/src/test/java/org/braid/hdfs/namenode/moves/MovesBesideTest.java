package org.braid.hdfs.namenode.moves;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.RetriableException;
import org.braid.hdfs.namenode.moves.MovesBeside.Move;
import org.braid.hdfs.namenode.moves.MovesBeside.Taking;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MovesBesideTest {
  private static final long LONG = 60_000;

  private final MovesBeside moves = new MovesBeside(LONG);

  private static Taking looking(MovesBeside moves, String top) {
    Taking taking = moves.take();
    taking.looks(top, Optional.empty());
    return taking;
  }

  private static CompletableFuture<Move> elsewhere(MovesBeside moves, String from, String to) {
    CompletableFuture<Move> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                done.complete(moves.move(List.of(from), to));
              } catch (IOException e) {
                done.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return done;
  }

  /** A thread of its own for a call, which waits for others by now. */
  private static <T> CompletableFuture<T> waiting(Callable<T> call) {
    CompletableFuture<T> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                done.complete(call.call());
              } catch (Exception e) {
                done.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    Await.until(
        "it to wait, or to be done",
        () -> done.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
    return done;
  }

  /** It neither ends nor fails while somebody else is to go first. */
  private static void assertWaits(String what, CompletableFuture<?> done) {
    Await.stays(what + "'s end", Duration.ofMillis(50), false, done::isDone);
  }

  private static Move begun(MovesBeside moves, String from, String to) throws Exception {
    return elsewhere(moves, from, to).get(LONG, TimeUnit.MILLISECONDS);
  }

  private static void moved(MovesBeside moves, String from, String to) throws Exception {
    try (Move move = begun(moves, from, to)) {
      move.made();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/x, /d/x, false",
    "/d/x, /x, false",
    "/d, /e, false",
    "/, /e, false",
    "/x, /d, false",
    "/x, /dx, true",
    "/e/d/x, /x, true"
  })
  void aRemovalLooksAgainWhenSomethingComesOrLeaves(String from, String to, boolean holds)
      throws Exception {
    try (Taking taking = looking(moves, "/d")) {
      moved(moves, from, to);
      assertTrue(holds == taking.hold());
      taking.looks("/d", Optional.empty());
      assertTrue(taking.hold());
    }
  }

  /** HDFS may make it before or after the look. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsUnderWayWhenItLooksIsWaitedFor(boolean made) throws Exception {
    Move move = begun(moves, "/x", "/d/x");
    try (Taking taking = looking(moves, "/d")) {
      CompletableFuture<Boolean> held = holding(taking);
      assertWaits("the removal", held);
      if (made) {
        move.made();
      }
      move.close();
      assertEquals(!made, held.get(LONG, TimeUnit.MILLISECONDS));
      taking.looks("/d", Optional.empty());
      assertTrue(taking.hold());
    }
  }

  private static CompletableFuture<Boolean> holding(Taking taking) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return taking.hold();
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** Else whoever may rename nothing there could keep others from removing what is theirs. */
  @Test
  void whatIsRefusedOfMovesStirsNothing() throws Exception {
    try (Taking taking = looking(moves, "/d")) {
      begun(moves, "/x", "/d/x").close();
      assertTrue(taking.hold());
    }
  }

  /** However many come, it waits for those alone that came before. */
  @Test
  void whatComesAllTheTimeDoesNotKeepARemovalFromBeingMade() throws Exception {
    Move first = begun(moves, "/x", "/d/x");
    try (Taking taking = looking(moves, "/d")) {
      CompletableFuture<Boolean> held = holding(taking);
      assertWaits("the removal", held);
      CompletableFuture<Move> next = elsewhere(moves, "/y", "/d/y");
      assertWaits("the other move", next);
      first.close();
      assertTrue(held.get(LONG, TimeUnit.MILLISECONDS));
      assertFalse(next.isDone());
    }
  }

  @Test
  void whatWouldComeWaitsUntilTheRemovalWasMade() throws Exception {
    Taking taking = looking(moves, "/d");
    assertTrue(taking.hold());
    CompletableFuture<Move> coming = elsewhere(moves, "/x", "/d/x");
    moved(moves, "/x", "/y");
    assertWaits("the move", coming);
    taking.close();
    coming.get(LONG, TimeUnit.MILLISECONDS).close();
  }

  @Test
  void aRemovalThatIsPutOffKeepsNobodyWaiting() throws Exception {
    try (Taking taking = looking(moves, "/d")) {
      assertTrue(taking.hold());
      taking.letGo();
      moved(moves, "/x", "/d/x");
      assertFalse(taking.hold());
    }
  }

  @Test
  void whatLooksInVainHasItsTurn() throws Exception {
    Move move = begun(moves, "/x", "/d/x");
    try (Taking taking = looking(moves, "/d")) {
      CompletableFuture<Void> held =
          CompletableFuture.runAsync(
              () -> {
                try {
                  taking.holdFirst();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      assertWaits("the removal", held);
      move.close();
      held.get(LONG, TimeUnit.MILLISECONDS);
      taking.looks("/d", Optional.empty());
      assertTrue(taking.hold());
      assertFalse(elsewhere(moves, "/x", "/d/x").isDone());
    }
  }

  /** A rename onto a file removes it first, and moves then. */
  @Test
  void aCallDoesNotWaitForItself() throws Exception {
    try (Taking taking = moves.take()) {
      taking.looks("/d/x", Optional.of("/x"));
      assertTrue(taking.hold());
      taking.carries();
      moves.move(List.of("/x"), "/d/x").close();
      assertTrue(taking.hold());
    }
  }

  /** Else whoever removes something above it all the time keeps others from renaming. */
  @Test
  void aRenameWaitsForThoseRemovalsAloneThatCameBefore() throws Exception {
    Taking first = looking(moves, "/");
    assertTrue(first.hold());
    CompletableFuture<Move> coming = waiting(() -> moves.move(List.of("/x"), "/d/x"));
    assertFalse(coming.isDone());
    Taking looked = looking(moves, "/");
    CompletableFuture<Boolean> second = waiting(looked::hold);
    assertFalse(second.isDone(), "it waits for the rename, which came before");
    first.close();
    Move move = coming.get(LONG, TimeUnit.MILLISECONDS);
    move.made();
    assertFalse(second.isDone());
    move.close();
    assertFalse(second.get(LONG, TimeUnit.MILLISECONDS), "it is to look again");
    looked.close();
  }

  /** Else whoever renames onto files all the time keeps others from removing what is theirs. */
  @Test
  void aRemovalWaitsForThoseRenamesOntoFilesAloneThatCameBefore() throws Exception {
    Taking first = moves.take();
    first.looks("/x", Optional.of("/a/one"));
    assertTrue(first.hold());
    Taking looked = looking(moves, "/a");
    CompletableFuture<Boolean> second = waiting(looked::hold);
    assertFalse(second.isDone());
    Taking third = moves.take();
    third.looks("/y", Optional.of("/a/two"));
    CompletableFuture<Boolean> next = waiting(third::hold);
    assertFalse(next.isDone(), "it would move what goes that waits already");
    first.close();
    assertTrue(second.get(LONG, TimeUnit.MILLISECONDS));
    assertFalse(next.isDone());
    looked.close();
    assertTrue(next.get(LONG, TimeUnit.MILLISECONDS));
    third.close();
  }

  /** What a removal waits for goes on, also when the removal is not made after all. */
  @Test
  void aRenameThatWaitedIsSeenByARemovalThatWasPutOff() throws Exception {
    try (Taking taking = looking(moves, "/d")) {
      assertTrue(taking.hold());
      CompletableFuture<Move> coming = waiting(() -> moves.move(List.of("/x"), "/d/x"));
      assertFalse(coming.isDone());
      taking.letGo();
      try (Move move = coming.get(LONG, TimeUnit.MILLISECONDS)) {
        CompletableFuture<Boolean> held = waiting(taking::hold);
        assertFalse(held.isDone());
        move.made();
        move.close();
        assertFalse(held.get(LONG, TimeUnit.MILLISECONDS));
      }
    }
  }

  /** What has looked by a number, of which the directory was renamed, waits for nobody twice. */
  @Test
  void aRemovalThatLooksElsewhereHoldsNothingThere() throws Exception {
    try (Taking taking = looking(moves, "/d")) {
      assertTrue(taking.hold());
      CompletableFuture<Move> coming = waiting(() -> moves.move(List.of("/x"), "/d/x"));
      taking.looks("/e", Optional.empty());
      coming.get(LONG, TimeUnit.MILLISECONDS).close();
      assertTrue(taking.hold());
      assertFalse(waiting(() -> moves.move(List.of("/x"), "/e/x")).isDone());
    }
  }

  /** The longer the list, the longer everybody's calls would take. */
  @Test
  void ofManyFilesThatMoveTheDirectoryAboveThemCounts() throws Exception {
    List<String> many = new ArrayList<>();
    for (int i = 0; i <= MovesBeside.MANY; i++) {
      many.add("/d/e" + i % 2 + "/f" + i);
    }
    try (Taking beside = looking(moves, "/d/other");
        Taking elsewhere = looking(moves, "/dx");
        Move move = CompletableFuture.supplyAsync(() -> moved(many)).get()) {
      assertTrue(move.covers("/d/other"));
      move.made();
      move.close();
      assertFalse(beside.hold());
      assertTrue(elsewhere.hold());
    }
  }

  private Move moved(List<String> many) {
    try {
      return moves.move(many, "/t");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Blocks that had copies when it was judged may need what goes by now. */
  @Test
  void whatDropsCopiesMakesARemovalLookAgainOrWaits() throws Exception {
    try (Taking taking = looking(moves, "/d")) {
      Move drop = waiting(() -> moves.drop(List.of("/d/x", "/y"))).get();
      drop.made();
      drop.close();
      assertFalse(taking.hold());
      taking.looks("/d", Optional.empty());
      assertTrue(taking.hold());
      assertFalse(waiting(() -> moves.drop(List.of("/y", "/d/x"))).isDone());
      assertTrue(waiting(() -> moves.drop(List.of("/y"))).isDone());
    }
  }

  /** Whoever holds on to something else meanwhile cannot wait. */
  @Test
  void whatDropsCopiesAtOnceIsRefusedWhereItWouldWait() throws Exception {
    try (Taking taking = looking(moves, "/d")) {
      Move drop = waiting(() -> moves.dropAtOnce(List.of("/d/x"))).get();
      drop.made();
      drop.close();
      assertFalse(taking.hold());
      taking.looks("/d", Optional.empty());
      assertTrue(taking.hold());
      CompletableFuture<Move> refused = waiting(() -> moves.dropAtOnce(List.of("/y", "/d/x")));
      assertInstanceOf(
          RetriableException.class,
          assertThrows(ExecutionException.class, refused::get).getCause());
      waiting(() -> moves.dropAtOnce(List.of("/y"))).get().close();
      // What was refused is not waited for.
      assertTrue(taking.hold());
    }
    waiting(() -> moves.dropAtOnce(List.of("/d/x"))).get().close();
  }

  /** Only what waits would wait for itself. */
  @Test
  void noDropAtOnceIsAPartOfARemoval() throws Exception {
    try (Taking own = looking(moves, "/own");
        Taking other = moves.take()) {
      CompletableFuture.runAsync(() -> other.looks("/d", Optional.empty())).get();
      assertTrue(own.hold());
      assertTrue(holding(other).get(LONG, TimeUnit.MILLISECONDS));
      assertThrows(RetriableException.class, () -> moves.dropAtOnce(List.of("/d/x")));
      moves.dropAtOnce(List.of("/own/x")).close();
    }
  }

  /** Each of them takes what the other one moves. */
  @Test
  void twoRenamesOntoEachOtherAreMadeOneAfterTheOther() throws Exception {
    Taking one = moves.take();
    one.looks("/a", Optional.of("/b"));
    try (Taking other = moves.take()) {
      CompletableFuture.runAsync(() -> other.looks("/b", Optional.of("/a"))).get();
      assertTrue(one.hold());
      CompletableFuture<Boolean> held = holding(other);
      one.carries();
      try (Move move = moves.move(List.of("/b"), "/a")) {
        move.made();
      }
      assertFalse(held.isDone());
      one.close();
      assertFalse(held.get(LONG, TimeUnit.MILLISECONDS), "what it takes was moved");
    }
  }

  @Test
  void nobodyWaitsForLong() throws Exception {
    MovesBeside short100 = new MovesBeside(100);
    Taking taking = looking(short100, "/d");
    assertTrue(taking.hold());
    CompletableFuture<Move> coming = elsewhere(short100, "/x", "/d/x");
    ExecutionException failed = assertThrows(ExecutionException.class, coming::get);
    assertInstanceOf(IOException.class, failed.getCause());
    taking.close();
    try (Move move = begun(short100, "/x", "/d/x");
        Taking next = looking(short100, "/d")) {
      assertThrows(IOException.class, next::holdFirst);
    }
  }

  /** Each has a thread that others need, too. */
  @Test
  void onlySomeWait() throws Exception {
    Taking taking = looking(moves, "/d");
    assertTrue(taking.hold());
    List<CompletableFuture<Move>> coming = new ArrayList<>();
    for (int i = 0; i <= MovesBeside.MOST_WAITING; i++) {
      coming.add(elsewhere(moves, "/x" + i, "/d/x" + i));
    }
    Await.until("one to be refused", () -> coming.stream().anyMatch(CompletableFuture::isDone));
    taking.close();
    int made = 0;
    for (CompletableFuture<Move> move : coming) {
      try {
        move.get(LONG, TimeUnit.MILLISECONDS).close();
        made++;
      } catch (ExecutionException e) {
        assertInstanceOf(IOException.class, e.getCause());
      }
    }
    assertTrue(made == MovesBeside.MOST_WAITING, made + " were made");
  }
}
