package org.braid.hdfs.fault;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ServiceLoader;

/**
 * Marks the steps of the lifecycle for fault injection. Nothing happens at a step unless the class
 * path has a {@link FaultHook}, which the product's jars have not.
 */
public final class Faults {
  private static final FaultHook HOOK =
      ServiceLoader.load(FaultHook.class, Faults.class.getClassLoader())
          .findFirst()
          .orElse((step, detail) -> {});

  private Faults() {}

  /** Marks that a step is reached. */
  public static void reach(FaultStep step, String detail) throws IOException {
    HOOK.reached(step, detail);
  }

  /** Lets a hook corrupt bytes from position to limit, after their checksums were computed. */
  public static void alter(FaultStep step, String detail, ByteBuffer bytes) {
    HOOK.alter(step, detail, bytes);
  }
}
