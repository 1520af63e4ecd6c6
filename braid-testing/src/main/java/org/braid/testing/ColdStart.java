package org.braid.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a program loads in a JVM of its own, as a task of a job does for a single read. */
public final class ColdStart {
  private ColdStart() {}

  /**
   * Runs a program to its end.
   *
   * @param program a class with a main method, on the class path of this JVM
   * @return the names of all classes that its JVM loaded
   * @throws IOException when it fails, with what it printed
   */
  public static Set<String> classes(Class<?> program) throws IOException, InterruptedException {
    Path log = Files.createTempFile("braid-classes", ".log");
    try {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-Xlog:class+load:file=" + log + ":none",
                  "-cp",
                  System.getProperty("java.class.path", ""),
                  program.getName())
              .redirectErrorStream(true)
              .start();
      String printed =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(program.getName() + " ended with " + status + ": " + printed);
      }
      try (Stream<String> lines = Files.lines(log)) {
        return lines.map(line -> line.split(" ", 2)[0]).collect(Collectors.toSet());
      }
    } finally {
      Files.delete(log);
    }
  }
}
