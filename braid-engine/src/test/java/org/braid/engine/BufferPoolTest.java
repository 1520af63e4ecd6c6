package org.braid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;

final class BufferPoolTest {
  @Test
  void refusesWhatDoesNotFitWithNumbers() throws BusyException {
    BufferPool pool = new BufferPool(1000);
    try (BufferPool.Lease lease = pool.lease(3, 200)) {
      assertEquals(3, lease.buffers().size());
      assertEquals(600, pool.leasedBytes());
      BusyException refused = assertThrows(BusyException.class, () -> pool.lease(5, 100));
      assertEquals(
          "buffers of 500 bytes needed, 400 of 1000 bytes free;"
              + " try later, use smaller slices or allow more memory",
          refused.getMessage());
      assertEquals(500, refused.needed());
      assertEquals(400, refused.available());
      assertEquals(1000, refused.limit());
    }
    assertEquals(0, pool.leasedBytes());
    pool.lease(5, 100).close();
  }

  /** Who reads from front to back does so with a short buffer, too. */
  @Test
  void aSmallPoolLeasesAShorterBuffer() throws BusyException {
    BufferPool pool = new BufferPool(1000);
    try (BufferPool.Lease whole = pool.leaseUpTo(5000)) {
      assertEquals(1000, whole.buffers().get(0).capacity());
      assertThrows(BusyException.class, () -> pool.leaseUpTo(1));
    }
    try (BufferPool.Lease part = pool.leaseUpTo(10)) {
      assertEquals(10, part.buffers().get(0).capacity());
    }
  }

  @Test
  void givesBuffersAgainButNeverTwiceAtATime() throws BusyException {
    BufferPool pool = new BufferPool(1000);
    BufferPool.Lease first = pool.lease(1, 100);
    first.close();
    first.close();
    assertEquals(0, pool.leasedBytes(), "a lease given back twice counts once");
    BufferPool.Lease second = pool.lease(2, 100);
    assertSame(first.buffers().get(0), second.buffers().get(0));
    assertNotSame(second.buffers().get(0), second.buffers().get(1));
    assertTrue(second.buffers().get(0).isDirect());
    second.close();
  }

  @Test
  void idleBuffersOfOtherSizesMakeRoom() throws BusyException {
    BufferPool pool = new BufferPool(1000);
    BufferPool.Lease first = pool.lease(10, 100);
    ByteBuffer old = first.buffers().get(0);
    first.close();
    pool.lease(1, 1000).close();
    try (BufferPool.Lease again = pool.lease(1, 100)) {
      assertNotSame(old, again.buffers().get(0), "idle buffers count towards the limit");
    }
  }

  /** Reads of any length in a lost block, one after the other. */
  @Test
  void buffersOfSizesThatWereLeasedLongAgoAreFreed() throws BusyException {
    BufferPool pool = new BufferPool(10_000_000);
    for (int size = 60_000; size < 70_000; size += 7) {
      pool.lease(1, size).close();
    }
    assertTrue(pool.idleBytes() <= 8 * 70_000, pool.idleBytes() + " bytes are idle");
    BufferPool.Lease often = pool.lease(1, 5000);
    ByteBuffer buffer = often.buffers().get(0);
    often.close();
    for (int size = 1; size < 100; size++) {
      pool.lease(1, size).close();
      try (BufferPool.Lease again = pool.lease(1, 5000)) {
        assertSame(buffer, again.buffers().get(0), "what is leased often is kept");
      }
    }
  }

  @Test
  void roomIsWaitedForAndNeverForWhatCannotFit() throws Exception {
    BufferPool pool = new BufferPool(1000);
    BufferPool.Lease lease = pool.lease(6, 100);
    assertThrows(BusyException.class, () -> pool.awaitRoom(5, 100, 0));
    assertThrows(BusyException.class, () -> pool.awaitRoom(11, 100, Long.MAX_VALUE / 2_000_000));
    CompletableFuture<Void> found = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                pool.awaitRoom(5, 100, 60_000);
                found.complete(null);
              } catch (IOException e) {
                found.completeExceptionally(e);
              }
            });
    waiter.start();
    Await.until("it waits", () -> waiter.getState() == Thread.State.TIMED_WAITING);
    lease.close();
    found.get(30, TimeUnit.SECONDS);
    assertEquals(0, pool.leasedBytes(), "room is not taken");
  }

  @Test
  void anEmptyLeaseIsFree() throws BusyException {
    BufferPool pool = new BufferPool(0);
    assertEquals(4, pool.lease(4, 0).buffers().size());
    assertThrows(BusyException.class, () -> pool.lease(1, 1));
  }
}
