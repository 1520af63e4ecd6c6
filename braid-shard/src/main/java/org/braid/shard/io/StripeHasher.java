package org.braid.shard.io;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.braid.thread.DaemonThreads;

/**
 * Computes the SHA-256 of a file, stripe by stripe, in a second thread: it hashes one stripe while
 * the caller prepares the next one.
 */
public final class StripeHasher implements Closeable {
  private final StripeBuffer[] stripes = new StripeBuffer[2];
  private final ExecutorService executor =
      Executors.newSingleThreadExecutor(DaemonThreads.named("shards"));
  private final MessageDigest sha256 = sha256();
  private int turn;

  public StripeHasher(int n, int alpha, int cell) {
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new StripeBuffer(n, alpha, cell);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The buffer of the next stripe; waits until the second thread is done with it. */
  public StripeBuffer next() throws IOException {
    StripeBuffer stripe = stripes[turn];
    turn = (turn + 1) % stripes.length;
    reclaim(stripe);
    return stripe;
  }

  /**
   * Hashes the data of a stripe in the second thread.
   *
   * @param then runs after it in the same thread
   */
  public void hash(StripeBuffer stripe, int dataBytes, Callable<?> then) {
    stripe.lend(
        executor.submit(
            () -> {
              sha256.update(stripe.data(dataBytes));
              return then.call();
            }));
  }

  /** Waits for the second thread; returns the SHA-256 of all data in hex. To be called once. */
  public String finish() throws IOException {
    for (StripeBuffer stripe : stripes) {
      reclaim(stripe);
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  private static void reclaim(StripeBuffer stripe) throws IOException {
    try {
      stripe.reclaim();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
