package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.coordinator.session.LeaseCalls;
import org.braid.hdfs.proto.BraidProtos.AcquireResponseProto;
import org.braid.hdfs.proto.BraidProtos.WorkProto;
import org.braid.hdfs.time.FakeTicker;
import org.braid.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class LeaseKeeperTest {
  private final FakeTicker ticker = new FakeTicker();
  private final long begun = ticker.millis();
  private final List<Long> asked = new ArrayList<>();
  private final List<Long> kept = new ArrayList<>();
  private final List<String> released = new ArrayList<>();
  private final List<String> ahead = new ArrayList<>();

  /** Since when the lease is free, and until when no NameNode answers, by the ticker. */
  private long freeAt;

  private long unreachableUntil;
  private long otherAt = Long.MAX_VALUE;
  private long callMillis;
  private boolean held = true;
  private Optional<WorkProto> told = Optional.empty();
  private String refusal = "";
  private @Nullable Error failure;

  private final LeaseCalls nameNode =
      new LeaseCalls() {
        @Override
        public AcquireResponseProto acquire(
            String holder, boolean standby, long keepMillis, Collection<String> paths)
            throws IOException {
          long now = ticker.millis() - begun;
          asked.add(now);
          kept.add(keepMillis);
          ticker.sleep(callMillis);
          if (!refusal.isEmpty()) {
            throw new AccessControlException(refusal);
          }
          if (now < unreachableUntil) {
            throw new IOException("connection refused");
          }
          AcquireResponseProto.Builder answer =
              AcquireResponseProto.newBuilder().setMillis(TimeUnit.HOURS.toMillis(1));
          answer.setHolder(now < otherAt ? "other at host" : "another at host");
          return now < freeAt ? answer.build() : answer.setLease("lease").build();
        }

        @Override
        public boolean renew(String lease, Optional<WorkProto> doing) {
          if (failure != null) {
            throw failure;
          }
          told = doing;
          return held;
        }

        @Override
        public void release(String lease, boolean returns) {
          released.add(lease + (returns ? " for a while" : ""));
        }
      };

  private final LeaseKeeper.Standing standing =
      new LeaseKeeper.Standing() {
        @Override
        public void alive() {}

        @Override
        public void behind(String holder) {
          ahead.add(holder);
        }
      };

  @Test
  void aLeaseThatIsGivenBackInTimeIsTaken() throws Exception {
    freeAt = 1000;
    try (LeaseKeeper keeper = LeaseKeeper.acquire(nameNode, "convert", List.of(), 1000, ticker)) {
      assertEquals("lease", keeper.id());
      assertFalse(keeper.lost());
    }
    assertEquals(List.of(0L, 200L, 400L, 600L, 800L, 1000L), asked);
    assertEquals(List.of("lease"), released);
  }

  @Test
  void otherWorkIsWaitedForSoLongAndNoLonger() {
    freeAt = Long.MAX_VALUE;
    RefusedException refused =
        assertThrows(
            RefusedException.class,
            () -> LeaseKeeper.acquire(nameNode, "convert", List.of(), 5000, ticker));
    assertEquals(
        "another coordinator (other at host) is at work on the same paths, or on all of the"
            + " cluster, and did not finish within"
            + " 5 s: wait until it has, or wait longer with -D braid.coordinator.lease-wait=1h",
        refused.getMessage());
    assertEquals(5200, asked.get(asked.size() - 1));
  }

  @Test
  void whoWatchesWaitsWithoutAnEndAlsoForANameNode() throws Exception {
    unreachableUntil = TimeUnit.HOURS.toMillis(1);
    freeAt = TimeUnit.HOURS.toMillis(2);
    LeaseKeeper keeper =
        LeaseKeeper.acquire(nameNode, "coordinator", new StopSignal(ticker), standing, ticker)
            .orElseThrow();
    keeper.close();
    assertEquals(3600 + 5 * 3600 + 1, asked.size());
  }

  @Test
  void whoStandsBySaysForWhom() throws Exception {
    otherAt = 1000;
    freeAt = 2000;
    StopSignal stop = new StopSignal(ticker);
    LeaseKeeper keeper =
        LeaseKeeper.acquire(nameNode, "daemon", stop, standing, ticker).orElseThrow();
    assertEquals(List.of("other at host", "another at host"), ahead);
    keeper.close();
    assertEquals(List.of("lease for a while"), released);
    released.clear();
    keeper = LeaseKeeper.acquire(nameNode, "daemon", stop, standing, ticker).orElseThrow();
    stop.stop();
    keeper.close();
    assertEquals(List.of("lease"), released);
  }

  @Test
  void oneThatLeavesHasNoPrecedence() throws Exception {
    LeaseKeeper keeper =
        LeaseKeeper.acquire(nameNode, "daemon", new StopSignal(ticker), standing, ticker)
            .orElseThrow();
    keeper.leave();
    keeper.close();
    assertEquals(List.of("lease"), released);
  }

  /** Otherwise somebody else would have its place before its next call arrives. */
  @Test
  void aPlaceIsKeptForAsLongAsCallsTake() throws Exception {
    callMillis = 4000;
    freeAt = 5000;
    LeaseKeeper.acquire(nameNode, "convert", List.of(), 60_000, ticker).close();
    assertEquals(List.of(1000L, 9000L, 9000L), kept);
    kept.clear();
    callMillis = 20_000;
    freeAt = ticker.millis() - begun + 1;
    LeaseKeeper.acquire(nameNode, "convert", List.of(), 60_000, ticker).close();
    assertEquals(List.of(1000L, 15_000L), kept);
  }

  @Test
  void whoWatchesCanBeStoppedWhileItWaits() throws Exception {
    freeAt = Long.MAX_VALUE;
    StopSignal stop = new StopSignal(ticker);
    LeaseCalls stopping =
        new LeaseCalls() {
          @Override
          public AcquireResponseProto acquire(
              String holder, boolean standby, long keepMillis, Collection<String> paths)
              throws IOException {
            if (asked.size() == 9) {
              stop.stop();
            }
            return nameNode.acquire(holder, standby, keepMillis, paths);
          }

          @Override
          public boolean renew(String lease, Optional<WorkProto> doing) {
            return true;
          }

          @Override
          public void release(String lease, boolean returns) {
            released.add(lease);
          }
        };
    assertTrue(LeaseKeeper.acquire(stopping, "coordinator", stop, standing, ticker).isEmpty());
    assertEquals(10, asked.size());
  }

  /** Calls that end by an interrupt alone, of acquisition or of what comes after it. */
  private final class Silent implements LeaseCalls {
    private final CountDownLatch called = new CountDownLatch(1);
    private final boolean grants;

    Silent(boolean grants) {
      this.grants = grants;
    }

    private void hang() throws IOException {
      called.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("in a test");
      }
    }

    @Override
    public AcquireResponseProto acquire(
        String holder, boolean standby, long keepMillis, Collection<String> paths)
        throws IOException {
      if (!grants) {
        hang();
      }
      return nameNode.acquire(holder, standby, keepMillis, paths);
    }

    @Override
    public boolean renew(String lease, Optional<WorkProto> doing) {
      return true;
    }

    @Override
    public void release(String lease, boolean returns) throws IOException {
      hang();
    }
  }

  /** NameNodes that are down are tried for minutes before a call fails. */
  @Test
  void whoWatchesCanBeStoppedWhileNoNameNodeAnswers() throws Exception {
    Silent silent = new Silent(false);
    StopSignal stop = new StopSignal(ticker);
    CompletableFuture<Boolean> none = new CompletableFuture<>();
    DaemonThreads.of(
            "daemon",
            () -> {
              try {
                none.complete(
                    LeaseKeeper.acquire(silent, "daemon", stop, standing, ticker).isEmpty());
              } catch (IOException e) {
                none.completeExceptionally(e);
              }
            })
        .start();
    assertTrue(silent.called.await(10, TimeUnit.SECONDS));
    stop.stop();
    assertTrue(none.get(10, TimeUnit.SECONDS));
  }

  @Tag("slow")
  @Test
  void aLeaseThatCannotBeGivenBackHoldsNothingUp() throws Exception {
    LeaseKeeper keeper = LeaseKeeper.acquire(new Silent(true), "convert", List.of(), 1000, ticker);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    DaemonThreads.of(
            "command",
            () -> {
              keeper.close();
              interrupted.complete(Thread.currentThread().isInterrupted());
            })
        .start();
    assertFalse(interrupted.get(30, TimeUnit.SECONDS));
  }

  @Test
  void whoMayNotHaveItIsNotAskedForAgain() {
    refusal = "user ann may not take the coordinator's lease: superuser needed";
    AccessControlException refused =
        assertThrows(
            AccessControlException.class,
            () ->
                LeaseKeeper.acquire(
                    nameNode, "coordinator", new StopSignal(ticker), standing, ticker));
    assertEquals(refusal, refused.getMessage());
    assertEquals(List.of(0L), asked);
  }

  @Test
  void aLeaseThatIsLostIsNotGivenBack() throws Exception {
    LeaseKeeper keeper = LeaseKeeper.acquire(nameNode, "repair", List.of(), 0, ticker);
    keeper.renew();
    assertFalse(keeper.lost());
    held = false;
    keeper.renew();
    assertTrue(keeper.lost());
    keeper.close();
    assertEquals(List.of(), released);
  }

  /** A thread that renews it ends with an error, and nobody would hear of that. */
  @Test
  void anErrorKeepsItFromBeingRenewedOnce() throws Exception {
    try (LeaseKeeper keeper = LeaseKeeper.acquire(nameNode, "repair", List.of(), 0, ticker)) {
      failure = new OutOfMemoryError("in a test");
      keeper.renew();
      assertFalse(keeper.lost());
      failure = null;
      held = false;
      keeper.renew();
      assertTrue(keeper.lost());
    }
  }

  @Test
  void theNameNodeHearsHowFarTheWorkIs() throws Exception {
    List<String> heard = new ArrayList<>();
    try (LeaseKeeper keeper = LeaseKeeper.acquire(nameNode, "convert", List.of(), 0, ticker)) {
      keeper.renew();
      assertEquals(Optional.empty(), told);
      Progress progress =
          keeper.telling((phase, done, total) -> heard.add(phase + " " + done + "/" + total));
      progress.at("planning", 1, 2);
      ticker.sleep(300);
      progress.at("encoding", 0, 10);
      ticker.sleep(700);
      progress.at("encoding", 4, 10);
      keeper.renew();
      assertEquals(
          Optional.of(
              WorkProto.newBuilder()
                  .setPhase("encoding")
                  .setDone(4)
                  .setTotal(10)
                  .setPhaseMillis(700)
                  .build()),
          told);
      // The same phase of the next batch begins anew.
      progress.at("encoding", 1, 8);
      keeper.renew();
      assertEquals(0, told.orElseThrow().getPhaseMillis());
    }
    assertEquals(List.of("planning 1/2", "encoding 0/10", "encoding 4/10", "encoding 1/8"), heard);
  }
}
