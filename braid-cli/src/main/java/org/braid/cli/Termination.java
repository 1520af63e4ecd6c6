package org.braid.cli;

import java.util.function.Consumer;
import org.braid.hdfs.api.StopSignal;

/**
 * Lets a command that runs until it is told to stop end cleanly: SIGTERM and Ctrl-C ask it to stop,
 * and the process ends, with the command's own exit status, when the command has.
 */
public final class Termination {
  /** How long a stripe that is being rebuilt may take. */
  private static final long MOST_MILLIS = 150_000;

  private final StopSignal stop = new StopSignal();
  private final StopSignal ended = new StopSignal();
  private final Consumer<Thread> hooks;
  private volatile int status = ExitStatus.FAILED;

  private Termination(Consumer<Thread> hooks) {
    this.hooks = hooks;
  }

  /** Of this process, whose end waits for the command's. */
  static Termination ofProcess() {
    return new Termination(Runtime.getRuntime()::addShutdownHook);
  }

  /** Of a command in a process that ends on its own terms. */
  static Termination ofCommand() {
    return new Termination(hook -> {});
  }

  /** The signal that asks for the end; from now on SIGTERM sets it. */
  StopSignal arm() {
    hooks.accept(new Thread(this::end, "braid-stop"));
    return stop;
  }

  /** From now on SIGTERM interrupts the calling thread, which ends its work and keeps results. */
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

  /** Asks for the end. */
  void stop() {
    stop.stop();
  }

  /** The command has ended and all is printed. */
  void ended(int exitStatus) {
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
