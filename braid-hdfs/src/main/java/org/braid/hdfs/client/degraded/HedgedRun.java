package org.braid.hdfs.client.degraded;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.engine.HdfsRun;
import org.braid.hdfs.engine.PlanFailedException;
import org.jspecify.annotations.Nullable;

/**
 * Attempts of one degraded read: a first one, and further ones without a helper that delays the
 * present ones. The first attempt to finish wins, the others are cancelled. For one thread.
 */
final class HedgedRun {
  /** How long a worker may take to say whom it waits for. */
  private static final long ASK_MILLIS = 300;

  private final Workers workers;
  private final DegradedSettings.Hedge settings;
  private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
  private final List<Try> open = new ArrayList<>();
  private int hedges;

  /**
   * An attempt.
   *
   * @param run a run that can be watched and cancelled
   * @param body runs the plan to its end and checks the result
   */
  record Try(HdfsRun run, Body body) {
    /** Runs a plan. */
    interface Body {
      byte[] run() throws IOException;
    }
  }

  /** Creates an attempt without a helper that delays another one; null when there is none. */
  interface Hedge {
    @Nullable Try without(int straggler);
  }

  private record Ended(Try what, byte @Nullable [] bytes, @Nullable Throwable failure) {}

  HedgedRun(Workers workers, DegradedSettings.Hedge settings) {
    this.workers = workers;
    this.settings = settings;
  }

  /**
   * The result of the winner.
   *
   * @param further whether the winner was not the first attempt
   */
  record Won(byte[] bytes, boolean further) {}

  /**
   * Runs attempts until one of them has finished.
   *
   * @throws PlanFailedException when all failed, with the failure of the attempt that failed first
   */
  Won run(Try first, Hedge hedge) throws IOException {
    start(first);
    PlanFailedException failure = null;
    boolean hopeless = false;
    try {
      while (!open.isEmpty()) {
        Try youngest = open.get(open.size() - 1);
        Ended next = await(youngest, hopeless || hedges >= settings.most());
        if (next == null) {
          hopeless = !hedge(youngest, hedge);
          continue;
        }
        open.remove(next.what);
        if (next.bytes != null) {
          return new Won(next.bytes, !next.what.equals(first));
        } else if (next.failure instanceof PlanFailedException e) {
          failure = failure == null ? e : failure;
        } else {
          throw new IOException("a degraded read failed", next.failure);
        }
      }
    } catch (InterruptedException e) {
      throw Workers.interrupted();
    } finally {
      open.forEach(loser -> loser.run.cancel());
    }
    throw failure == null ? new IOException("nothing was tried") : failure;
  }

  private void start(Try what) {
    open.add(what);
    var unused =
        workers
            .start(what.body::run)
            .whenComplete((bytes, failure) -> ended.add(new Ended(what, bytes, failure)));
  }

  private @Nullable Ended await(Try youngest, boolean patiently) throws InterruptedException {
    if (patiently) {
      return ended.take();
    }
    long configured = TimeUnit.MILLISECONDS.toNanos(settings.afterMillis());
    Ended next = null;
    long left = youngest.run.patience(configured);
    while (next == null && left > 0) {
      next = ended.poll(left, TimeUnit.NANOSECONDS);
      // It may have made progress meanwhile.
      left = youngest.run.patience(configured);
    }
    return next == null ? ended.poll() : next;
  }

  /** Starts a further try if there can be one; says whether there can be more later. */
  private boolean hedge(Try slow, Hedge hedge) throws IOException {
    OptionalInt straggler = slow.run.straggler(ASK_MILLIS);
    if (straggler.isEmpty()) {
      slow.run.beginAnew();
      return true;
    }
    Try other = hedge.without(straggler.getAsInt());
    if (other == null) {
      return false;
    }
    hedges++;
    start(other);
    return true;
  }
}
