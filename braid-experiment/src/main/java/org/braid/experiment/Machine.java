package org.braid.experiment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The machine that results were measured on.
 *
 * @param cpu the processor's name, or its architecture where the system does not tell the name
 * @param cores how many cores this process sees; a measurement uses one of them
 * @param jvm name and version
 * @param system the operating system
 */
public record Machine(String cpu, int cores, String jvm, String system) {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  /** This machine. */
  public static Machine here() {
    return new Machine(
        cpu(CPU_INFO),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        System.getProperty("os.name") + " " + System.getProperty("os.version"));
  }

  static String cpu(Path info) {
    String unknown = System.getProperty("os.arch", "unknown");
    if (!Files.isReadable(info)) {
      return unknown;
    }
    try (Stream<String> lines = Files.lines(info, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .map(name -> name + " (" + unknown + ")")
          .orElse(unknown);
    } catch (IOException e) {
      return unknown;
    }
  }
}
