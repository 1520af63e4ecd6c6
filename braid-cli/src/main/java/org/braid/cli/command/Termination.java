package org.braid.cli.command;

import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.braid.hdfs.api.StopSignal;

/**
 * Ends a long-running command cleanly. SIGTERM and Ctrl-C ask the command to stop; the process ends
 * after the command, with its exit status.
 */
public final class Termination {
  /** Longest wait for the command to end: a stripe that is being rebuilt takes its time. */
  private static final long MOST_MILLIS = 150_000;

  private final StopSignal stop = new StopSignal();
  private final StopSignal ended = new StopSignal();
  private final Consumer<Thread> hooks;
  private volatile int status = ExitStatus.FAILED;

  /**
   * For a command that ends when these hooks are run.
   *
   * @param hooks takes what a signal runs
   */
  public Termination(Consumer<Thread> hooks) {
    this.hooks = hooks;
  }

  /** For the command of this process: the process ends after it. */
  public static Termination ofProcess() {
    return new Termination(Runtime.getRuntime()::addShutdownHook);
  }

  /** For a command that another program runs and ends. */
  public static Termination ofCommand() {
    return new Termination(hook -> {});
  }

  /** Returns the signal to stop, which SIGTERM sets from now on. */
  public StopSignal arm() {
    return arm(() -> {});
  }

  /**
   * The same with an action at the signal.
   *
   * @param first the action to run before the signal is set
   */
  public StopSignal arm(Runnable first) {
    hooks.accept(
        new Thread(
            () -> {
              if (!ended.stopped()) {
                first.run();
              }
              end();
            },
            "braid-stop"));
    return stop;
  }

  /** Lets SIGTERM interrupt the calling thread, which then ends its work and keeps its results. */
  public void interruptsThisThread() {
    Thread caller = Thread.currentThread();
    hooks.accept(
        new Thread(
            () -> {
              caller.interrupt();
              end();
            },
            "braid-stop"));
  }

  /**
   * Has SIGTERM and Ctrl-C say something before they end the process.
   *
   * @param line what to say, asked for at that moment
   */
  public void says(Supplier<String> line, PrintWriter to) {
    hooks.accept(
        new Thread(
            () -> {
              if (!ended.stopped()) {
                to.println("braid: " + line.get());
                to.flush();
              }
            },
            "braid-stop"));
  }

  /** Asks the command to stop. */
  public void stop() {
    stop.stop();
  }

  /** Says that the command has ended and its result is printed. */
  public void ended(int exitStatus) {
    status = exitStatus;
    ended.stop();
  }

  private void end() {
    stop.stop();
    if (ended.await(MOST_MILLIS)) {
      // A process that ends by a signal would report the signal instead.
      Runtime.getRuntime().halt(status);
    }
  }
}
