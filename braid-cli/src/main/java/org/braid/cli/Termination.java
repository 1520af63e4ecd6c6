package org.braid.cli;

import org.braid.hdfs.api.StopSignal;

/**
 * Lets a command that runs until it is told to stop end cleanly: SIGTERM and Ctrl-C ask it to stop,
 * and the process ends, with the command's own exit status, when the command has.
 */
final class Termination {
  /** How long a stripe that is being rebuilt may take. */
  private static final long MOST_MILLIS = 150_000;

  private final StopSignal stop = new StopSignal();
  private final StopSignal ended = new StopSignal();
  private volatile int status = ExitStatus.FAILED;

  /** The signal that asks for the end, which the process's end is made to wait for from now on. */
  StopSignal arm() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "braid-stop"));
    return stop;
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
