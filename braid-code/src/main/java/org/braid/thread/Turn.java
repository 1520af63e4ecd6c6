package org.braid.thread;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One iteration of a loop that runs as long as its process, or of work that another thread waits
 * for. An error, such as a lack of memory or of threads, ends the iteration as an exception does.
 * Otherwise it would end the thread or vanish in a pool, and the other thread would wait for ever.
 */
public final class Turn {
  private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

  private static final int MOST_LOGGED = 1000;

  /** When errors were logged last, by thread and error, on the system's clock in nanoseconds. */
  private static final Map<String, Long> LOGGED = new ConcurrentHashMap<>();

  private Turn() {}

  /**
   * What is done in a turn.
   *
   * @param <X> what it fails with when the work is to end
   */
  @FunctionalInterface
  public interface Step<X extends Exception> {
    /** Does it. */
    void run() throws IOException, X;
  }

  /**
   * Does it once.
   *
   * @param failed hears of what it failed with; of an error as the cause of an {@link IOException},
   *     after it was logged. An error of its own is logged, too.
   * @return whether it did not fail
   * @throws X when the work is to end
   */
  public static <X extends Exception> boolean take(Step<X> step, Consumer<Exception> failed)
      throws X {
    Exception failure;
    try {
      step.run();
      return true;
    } catch (IOException | RuntimeException e) {
      failure = e;
    } catch (Error e) {
      log(e);
      failure = new IOException(e.toString(), e);
    }
    try {
      failed.accept(failure);
    } catch (Error again) {
      log(again);
    }
    return false;
  }

  /** Says it, once a minute: a turn may fail many times a second, and each time alike. */
  private static void log(Error error) {
    try {
      long now = System.nanoTime();
      String what = Thread.currentThread().getName() + ": " + error;
      Long last = LOGGED.get(what);
      if (last == null || now - last >= TimeUnit.MINUTES.toNanos(1)) {
        if (LOGGED.size() >= MOST_LOGGED) {
          LOGGED.clear();
        }
        LOGGED.put(what, now);
        LOG.error("an error ends a turn of {}", what, error);
      }
    } catch (OutOfMemoryError again) {
      // There is no memory to say so; what matters is that whoever waits hears.
    }
  }
}
