package org.braid.experiment;

/**
 * An experiment that cannot be run, or a trial that failed; the message has numbers and says what
 * to do.
 */
public class ExperimentException extends Exception {
  private static final long serialVersionUID = 1;

  private final Cause cause;

  /** The kinds of causes, by the action that they need. */
  public enum Cause {
    /** The caller: the command or a file is wrong. */
    WRONG,
    /** Whoever owns the machine: it lacks what the run needs. */
    REFUSED,
    /** One trial failed; others may not. */
    TRIAL,
    /** The run cannot go on. */
    FAILED
  }

  ExperimentException(Cause cause, String message, Throwable root) {
    super(message, root);
    this.cause = cause;
  }

  ExperimentException(Cause cause, String message) {
    super(message);
    this.cause = cause;
  }

  /** The command or a file is wrong. */
  public static ExperimentException wrong(String message) {
    return new ExperimentException(Cause.WRONG, message);
  }

  /** The machine lacks what the run needs. */
  public static ExperimentException refused(String message) {
    return new ExperimentException(Cause.REFUSED, message);
  }

  /** One trial failed; the run goes on with the next. */
  public static ExperimentException trial(String message) {
    return new ExperimentException(Cause.TRIAL, message);
  }

  /** One trial failed; the run goes on with the next. */
  public static ExperimentException trial(String message, Throwable root) {
    return new ExperimentException(Cause.TRIAL, message, root);
  }

  /** Nothing more can be measured; what was is kept. */
  public static ExperimentException failed(String message) {
    return new ExperimentException(Cause.FAILED, message);
  }

  /** Nothing more can be measured; what was is kept. */
  public static ExperimentException failed(String message, Throwable root) {
    return new ExperimentException(Cause.FAILED, message, root);
  }

  public Cause cause() {
    return cause;
  }

  /** Whether trials after it make no sense. */
  public boolean endsRun() {
    return cause != Cause.TRIAL;
  }
}
