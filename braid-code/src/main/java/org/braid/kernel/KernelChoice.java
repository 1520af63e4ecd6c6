package org.braid.kernel;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a process comes to its kernel.
 *
 * @param kernel what was chosen
 * @param description its name and what it rests on
 */
record KernelChoice(Kernel kernel, String description) {
  private static final String INSTALL =
      "install the package libisal2 (Debian, Ubuntu) or isa-l (RHEL, Fedora)";

  /** What came of loading ISA-L: a kernel, or the reason why there is none. */
  record Attempt(@Nullable IsalKernel kernel, String reason) {}

  /** Tries libraries in their order. */
  static Attempt load(List<String> libraries) {
    StringBuilder reasons = new StringBuilder();
    for (String library : libraries) {
      try {
        return new Attempt(new IsalKernel(library), "");
      } catch (LinkageError e) {
        // Also JNA's own native part fails so, for example where /tmp allows no execution.
        reasons.append(reasons.isEmpty() ? "" : "; ").append(reason(library, e));
      }
    }
    return new Attempt(null, reasons.toString());
  }

  /** JNA's messages take many lines and list the whole class path: keep what says something. */
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
   * Chooses.
   *
   * @param mode auto, isal or scalar
   * @param isal what came of loading ISA-L, asked for only where the mode needs it
   * @param warn takes the one line that says why ISA-L is not used though the mode allows it
   * @throws IllegalArgumentException when there is no such mode
   * @throws IllegalStateException when ISA-L is demanded and cannot be loaded
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
                  + INSTALL
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
                + INSTALL);
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
