package org.braid.kernel;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kernels of this process: the reference, ISA-L where it is installed, and the one in use. */
public final class Kernels {
  /**
   * System property that names the kernel in use: {@code auto} (the default: ISA-L, or the scalar
   * kernel with a warning), {@code isal} or {@code scalar}.
   */
  public static final String PROPERTY = "braid.kernel";

  /** System property that names another ISA-L library, by file name or path. */
  public static final String LIBRARY_PROPERTY = "braid.isal.library";

  private static final Logger LOG = LoggerFactory.getLogger(Kernels.class);
  private static final int ALIGNMENT = 64;
  private static final List<String> LIBRARIES = List.of("libisal.so.2", "isal");
  private static final Kernel SCALAR = new ScalarKernel();

  private static KernelChoice.@Nullable Attempt attempt;
  private static @Nullable KernelChoice choice;

  private Kernels() {}

  /** The reference kernel, always there. */
  public static Kernel scalar() {
    return SCALAR;
  }

  /** The ISA-L kernel, empty when the library cannot be used; whatever kernel is in use. */
  public static Optional<Kernel> isal() {
    return Optional.ofNullable(attempt().kernel());
  }

  /**
   * The kernel in use, chosen at the first call and then kept.
   *
   * @throws IllegalStateException when ISA-L is demanded and cannot be used
   * @throws IllegalArgumentException when the property names no kernel
   */
  public static Kernel active() {
    return choice().kernel();
  }

  /**
   * The kernel in use and what it rests on, for example {@code isal (libisal.so.2)}, or {@code
   * scalar} with the reason.
   */
  public static String description() {
    return choice().description();
  }

  /**
   * A direct buffer whose first byte begins a cache line. Any buffer will do for any kernel, but
   * only sums of aligned ones run at the speed of memory.
   *
   * @param bytes its capacity
   */
  public static ByteBuffer allocate(int bytes) {
    ByteBuffer raw = ByteBuffer.allocateDirect(Math.addExact(bytes, ALIGNMENT - 1));
    int past = raw.alignmentOffset(0, ALIGNMENT);
    return raw.slice(past == 0 ? 0 : ALIGNMENT - past, bytes);
  }

  private static synchronized KernelChoice choice() {
    KernelChoice known = choice;
    if (known == null) {
      known =
          KernelChoice.choose(
              System.getProperty(PROPERTY, "auto"), Kernels::attempt, line -> LOG.warn(line));
      choice = known;
    }
    return known;
  }

  private static synchronized KernelChoice.Attempt attempt() {
    KernelChoice.Attempt known = attempt;
    if (known == null) {
      String library = System.getProperty(LIBRARY_PROPERTY);
      known = KernelChoice.load(library == null ? LIBRARIES : List.of(library));
      attempt = known;
    }
    return known;
  }
}
