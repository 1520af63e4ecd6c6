package org.braid.hdfs.fault;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The hook at which fault injection stops a process. Without a hook a step costs one volatile read.
 *
 * <p>A process started with the system property {@code braid.fault=STEP} halts at that step, as if
 * it was killed.
 */
public final class Faults {
  /** Names the step at which the process halts. */
  public static final String PROPERTY = "braid.fault";

  /** Exit status of a process that was halted at a step. */
  public static final int HALTED = 99;

  /** What tests do at a step. */
  public interface Hook {
    /** Called at each step; may throw, or stop a process of the cluster. */
    void reached(FaultStep step, String detail) throws IOException;

    /** May change bytes in place, from position to limit; called after checksums were taken. */
    default void alter(FaultStep step, String detail, ByteBuffer bytes) {}
  }

  private static final Hook NONE = (step, detail) -> {};
  private static volatile Hook hook = fromProperty();

  private Faults() {}

  private static Hook fromProperty() {
    String name = System.getProperty(PROPERTY);
    if (name == null) {
      return NONE;
    }
    FaultStep halted = FaultStep.valueOf(name);
    return (step, detail) -> {
      if (step == halted) {
        Runtime.getRuntime().halt(HALTED);
      }
    };
  }

  /** Marks that a step is reached. */
  public static void reach(FaultStep step, String detail) throws IOException {
    hook.reached(step, detail);
  }

  /** Lets a test corrupt bytes. */
  public static void alter(FaultStep step, String detail, ByteBuffer bytes) {
    hook.alter(step, detail, bytes);
  }

  /** Sets the hook of this process. */
  public static void install(Hook newHook) {
    hook = newHook;
  }

  /** Removes the hook. */
  public static void clear() {
    hook = NONE;
  }
}
