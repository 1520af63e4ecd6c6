package org.braid.hdfs.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.braid.hdfs.fault.FaultHook;
import org.braid.hdfs.fault.FaultStep;

/**
 * The fault hook of the tests' class path: passes each step on to the hook that a test installs.
 *
 * <p>A process started with the system property {@code braid.fault=STEP} halts at that step, as if
 * it was killed.
 */
public final class InjectedFaults implements FaultHook {
  /** Names the step at which the process halts. */
  public static final String PROPERTY = "braid.fault";

  /** Exit status of a process that was halted at a step. */
  public static final int HALTED = 99;

  private static final FaultHook NONE = (step, detail) -> {};
  private static volatile FaultHook hook = fromProperty();

  private static FaultHook fromProperty() {
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

  /** Sets the hook of this process. */
  public static void install(FaultHook newHook) {
    hook = newHook;
  }

  /** Sets a hook that changes bytes that come by a step. */
  public static void change(FaultStep where, Consumer<ByteBuffer> change) {
    install(
        new FaultHook() {
          @Override
          public void reached(FaultStep step, String detail) {}

          @Override
          public void alter(FaultStep step, String detail, ByteBuffer bytes) {
            if (step == where) {
              change.accept(bytes);
            }
          }
        });
  }

  /** Removes the hook. */
  public static void clear() {
    hook = NONE;
  }

  @Override
  public void reached(FaultStep step, String detail) throws IOException {
    hook.reached(step, detail);
  }

  @Override
  public void alter(FaultStep step, String detail, ByteBuffer bytes) {
    hook.alter(step, detail, bytes);
  }
}
