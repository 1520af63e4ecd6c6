package org.braid.kernel;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a process's kernel.
 *
 * @param kernel the chosen kernel
 * @param description its name and the reason
 */
record KernelChoice(Kernel kernel, String description) {
  private static final String INSTALL =
      "install the package libisal2 (Debian, Ubuntu) or isa-l (RHEL, Fedora)";

  private static final String JNA = "com/sun/jna/";

  /**
   * The result of loading ISA-L: a kernel, or the reason why it cannot be used.
   *
   * @param advice what to do about that
   */
  record Attempt(@Nullable IsalKernel kernel, String reason, String advice) {
    Attempt(@Nullable IsalKernel kernel, String reason) {
      this(kernel, reason, INSTALL);
    }
  }

  /** Loads the first library that can be used. */
  static Attempt load(List<String> libraries) {
    StringBuilder reasons = new StringBuilder();
    for (String library : libraries) {
      try {
        return new Attempt(new IsalKernel(library), "");
      } catch (LinkageError e) {
        if (e instanceof NoClassDefFoundError && String.valueOf(e.getMessage()).startsWith(JNA)) {
          return new Attempt(
              null, "there is no JNA", "put jna.jar, version 5, on the class path, and " + INSTALL);
        }
        // JNA's own native part fails in the same way, for example when /tmp is mounted noexec.
        reasons.append(reasons.isEmpty() ? "" : "; ").append(reason(library, e));
      }
    }
    return new Attempt(null, reasons.toString());
  }

  /** The useful part of JNA's message, which has many lines and lists the whole class path. */
  private static String reason(String library, LinkageError e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    String text =
        message
            .lines()
            .map(String::strip)
            .filter(line -> !line.startsWith("Native library ("))
            .distinct()
            .collect(Collectors.joining(" "));
    return text.contains(library) ? text : library + ": " + text;
  }

  /**
   * Chooses the kernel.
   *
   * @param mode auto, isal or scalar
   * @param isal loads ISA-L; called only if the mode needs it
   * @param warn receives one line with the reason when the mode allows ISA-L but it cannot be used
   * @throws IllegalArgumentException when the mode is unknown
   * @throws IllegalStateException when ISA-L is required and cannot be loaded
   */
  static KernelChoice choose(String mode, Supplier<Attempt> isal, Consumer<String> warn) {
    return switch (mode) {
      case "scalar" ->
          new KernelChoice(Kernels.scalar(), "scalar (" + Kernels.PROPERTY + "=scalar)");
      case "isal" -> {
        Attempt attempt = isal.get();
        if (attempt.kernel() == null) {
          throw new IllegalStateException(
              Kernels.PROPERTY
                  + "=isal, but ISA-L cannot be used ("
                  + attempt.reason()
                  + "): "
                  + attempt.advice()
                  + ", or set "
                  + Kernels.PROPERTY
                  + "=auto");
        }
        yield of(attempt.kernel());
      }
      case "auto" -> {
        Attempt attempt = isal.get();
        if (attempt.kernel() != null) {
          yield of(attempt.kernel());
        }
        warn.accept(
            "ISA-L cannot be used ("
                + attempt.reason()
                + "), the scalar kernel takes over and is many times slower: "
                + attempt.advice());
        yield new KernelChoice(Kernels.scalar(), "scalar (" + attempt.reason() + ")");
      }
      default ->
          throw new IllegalArgumentException(
              Kernels.PROPERTY + " is \"" + mode + "\"; known are auto, isal and scalar");
    };
  }

  private static KernelChoice of(IsalKernel kernel) {
    return new KernelChoice(kernel, "isal (" + kernel.library() + ")");
  }
}
