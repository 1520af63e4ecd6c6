package org.braid.shard;

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

/** A second thread that works on one stripe while the first one prepares the next. */
final class Worker implements Closeable {
  private final Stripe[] stripes = new Stripe[2];
  private final ExecutorService executor =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "shards");
            thread.setDaemon(true);
            return thread;
          });
  private final MessageDigest sha256 = sha256();
  private int turn;

  Worker(int n, int alpha, int cell) {
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new Stripe(n, alpha, cell);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Memory for the next stripe, as soon as nobody works on it. */
  Stripe next() throws IOException {
    Stripe stripe = stripes[turn];
    turn = (turn + 1) % stripes.length;
    reclaim(stripe);
    return stripe;
  }

  /** Hashes a stripe's bytes of the file, and does some more with them, in the other thread. */
  void hash(Stripe stripe, int dataBytes, Callable<?> also) {
    stripe.lend(
        executor.submit(
            () -> {
              sha256.update(stripe.data(dataBytes));
              return also.call();
            }));
  }

  /** The SHA-256 of all that was hashed, once the work is done; to be called once. */
  String finish() throws IOException {
    for (Stripe stripe : stripes) {
      reclaim(stripe);
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  private static void reclaim(Stripe stripe) throws IOException {
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
