package org.braid.kernel;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kernels of this process: the scalar reference, ISA-L if installed, and the active one. */
public final class Kernels {
  /**
   * System property that selects the active kernel: {@code auto} (the default: ISA-L, or the scalar
   * kernel with a warning), {@code isal} or {@code scalar}.
   */
  public static final String PROPERTY = "braid.kernel";

  /** System property that names another ISA-L library, by file name or path. */
  public static final String LIBRARY_PROPERTY = "braid.isal.library";

  private static final Logger LOG = LoggerFactory.getLogger(Kernels.class);
  private static final String AUTO = "auto";
  private static final int ALIGNMENT = 64;
  private static final List<String> LIBRARIES = List.of("libisal.so.2", "isal");
  private static final Kernel SCALAR = new ScalarKernel();

  private static KernelChoice.@Nullable Attempt attempt;
  private static @Nullable KernelChoice choice;

  private Kernels() {}

  /** The scalar reference kernel, which is always available. */
  public static Kernel scalar() {
    return SCALAR;
  }

  /** The ISA-L kernel, active or not; empty when the library cannot be used. */
  public static Optional<Kernel> isal() {
    return Optional.ofNullable(attempt().kernel());
  }

  /**
   * The active kernel, chosen at the first call.
   *
   * @throws IllegalStateException when ISA-L is required and cannot be used
   * @throws IllegalArgumentException when the property names no kernel
   */
  public static Kernel active() {
    return choice().kernel();
  }

  /**
   * The active kernel, for those who may never compute anything: where the choice cannot fail, it
   * is made when there is something to compute.
   *
   * @throws IllegalStateException when ISA-L is required and cannot be used
   * @throws IllegalArgumentException when the property names no kernel
   */
  public static Kernel whenNeeded() {
    return System.getProperty(PROPERTY, AUTO).equals(AUTO)
        ? new KernelWhenNeeded(Kernels::active)
        : active();
  }

  /** The active kernel and the reason, for example {@code isal (libisal.so.2)}. */
  public static String description() {
    return choice().description();
  }

  /**
   * A direct buffer that starts at a cache line. Kernels accept any buffer, but only sums of
   * aligned buffers run at the speed of memory.
   *
   * @param bytes its capacity
   */
  public static ByteBuffer allocate(int bytes) {
    ByteBuffer raw = ByteBuffer.allocateDirect(Math.addExact(bytes, ALIGNMENT - 1));
    int past = Jdk.alignmentOffset(raw, 0, ALIGNMENT);
    return raw.slice(past == 0 ? 0 : ALIGNMENT - past, bytes);
  }

  private static synchronized KernelChoice choice() {
    KernelChoice known = choice;
    if (known == null) {
      known =
          KernelChoice.choose(
              System.getProperty(PROPERTY, AUTO), Kernels::attempt, line -> LOG.warn(line));
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
