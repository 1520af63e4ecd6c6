package org.braid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
  void buffersOfManySizesAreUsedAgain() throws BusyException {
    BufferPool pool = new BufferPool(10_000_000);
    for (int size = 60_000; size < 70_000; size += 7) {
      try (BufferPool.Lease lease = pool.lease(1, size)) {
        ByteBuffer buffer = lease.buffers().get(0);
        assertEquals(size, buffer.capacity());
        assertEquals(size, buffer.remaining());
        assertTrue(pool.leasedBytes() <= size + size / 8, pool.leasedBytes() + " for " + size);
      }
    }
    assertTrue(pool.idleBytes() <= 4 * 80_000, pool.idleBytes() + " bytes are idle");
  }

  @Test
  void sizesAreRoundedUpByAnEighthAtMost() {
    for (int size : new int[] {4096, 4097, 5000, 131_072, 131_073, 1 << 30, (1 << 30) + 1}) {
      int rounded = BufferPool.rounded(size);
      assertTrue(rounded >= size && rounded - size <= size / 8, size + " -> " + rounded);
    }
    assertEquals(131_072, BufferPool.rounded(131_072));
    assertEquals(100, BufferPool.rounded(100));
  }

  @Test
  void roomIsWaitedForAndNeverForWhatCannotFit() throws Exception {
    BufferPool pool = new BufferPool(1000);
    BufferPool.Lease lease = pool.lease(6, 100);
    assertThrows(BusyException.class, () -> pool.awaitRoom(5, 100, 0));
    assertThrows(BusyException.class, () -> pool.awaitRoom(11, 100, Long.MAX_VALUE / 2_000_000));
    CompletableFuture<Void> waiter =
        CompletableFuture.runAsync(
            () -> {
              try {
                pool.awaitRoom(5, 100, 60_000);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    lease.close();
    waiter.get(60, TimeUnit.SECONDS);
    assertEquals(0, pool.leasedBytes(), "room is not taken");
  }

  @Test
  void anEmptyLeaseIsFree() throws BusyException {
    BufferPool pool = new BufferPool(0);
    assertEquals(4, pool.lease(4, 0).buffers().size());
    assertThrows(BusyException.class, () -> pool.lease(1, 1));
  }
}
