package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.braid.hdfs.fault.FaultStep;

/**
 * Runs something once, when a step is reached first, as a user elsewhere would. The step goes on
 * when that has ended, or after a time: what a user asks for may have to wait for the work that the
 * step belongs to.
 */
final class Meanwhile implements Disturbance {
  private final FaultStep step;
  private final Duration held;
  private final Event event;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private volatile boolean fired;

  /** What is run. */
  interface Event {
    void happen() throws Exception;
  }

  /**
   * Something that happens at a step.
   *
   * @param held how long the step waits for its end at most
   */
  Meanwhile(FaultStep step, Duration held, Event event) {
    this.step = step;
    this.held = held;
    this.event = event;
  }

  @Override
  public boolean fired() {
    return fired;
  }

  @Override
  public void reached(FaultStep reached, String detail) throws IOException {
    synchronized (this) {
      if (reached != step || fired) {
        return;
      }
      fired = true;
    }
    Thread user = new Thread(this::run, "user");
    user.setDaemon(true);
    user.start();
    try {
      done.get(held.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } catch (TimeoutException | ExecutionException e) {
      return; // await() tells
    }
  }

  private void run() {
    try {
      event.happen();
      done.complete(null);
    } catch (Exception | AssertionError e) {
      done.completeExceptionally(e);
    }
  }

  @Override
  public void await() throws Exception {
    try {
      done.get(90, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("what happened at " + step + " failed: " + e.getCause(), e);
    }
  }
}
