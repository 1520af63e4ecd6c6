package org.braid.lab.namespace;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.braid.experiment.ExperimentException;

/** The system programs that a lab needs. */
final class Programs {
  private static final List<String> NEEDED =
      List.of("unshare", "nsenter", "setsid", "mount", "ip", "tc", "sh");

  /** The path with the directories of ip and tc, which users other than root may lack. */
  private static final String PATH =
      Objects.requireNonNullElse(System.getenv("PATH"), "/usr/bin:/bin")
          + ":/usr/sbin:/sbin:/usr/bin:/bin";

  private Programs() {}

  /**
   * Checks that all are installed.
   *
   * @throws ExperimentException when one is missing, with the packages to install
   */
  static void check() throws ExperimentException {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      throw ExperimentException.refused(
          "the lab needs Linux and its namespaces, this is " + System.getProperty("os.name"));
    }
    List<String> missing = NEEDED.stream().filter(name -> !isThere(name)).toList();
    if (!missing.isEmpty()) {
      throw ExperimentException.refused(
          "the lab needs "
              + String.join(", ", missing)
              + ", not found here: install the packages iproute2 and util-linux");
    }
  }

  private static boolean isThere(String name) {
    for (String directory : PATH.split(File.pathSeparator)) {
      if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, name))) {
        return true;
      }
    }
    return false;
  }

  /** Creates a process builder whose path contains the programs. */
  static ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    environment.put("PATH", PATH);
    // Messages are compared and shown in English.
    environment.put("LC_ALL", "C.UTF-8");
    return builder;
  }
}
