package org.braid.lab.daemon;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The class path of this process, in the order in which daemons get it: first what never changes
 * between two builds of Braid, so that an archive of these classes stays valid.
 *
 * @param stable jars of others
 * @param own jars and directories of Braid
 */
record ClassPath(List<Path> stable, List<Path> own) {
  ClassPath {
    stable = List.copyOf(stable);
    own = List.copyOf(own);
  }

  /** That of this process. */
  static ClassPath ofThisProcess() {
    // Tests have it in a jar's manifest.
    return of(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", "")));
  }

  static ClassPath of(String text) {
    List<Path> stable = new ArrayList<>();
    List<Path> own = new ArrayList<>();
    for (String entry : text.split(File.pathSeparator)) {
      Path path = Path.of(entry).toAbsolutePath().normalize();
      if (entry.isEmpty() || !Files.exists(path)) {
        continue;
      }
      boolean jar = Files.isRegularFile(path);
      boolean braid = String.valueOf(path.getFileName()).startsWith("braid-");
      (jar && !braid ? stable : own).add(path);
    }
    return new ClassPath(stable, own);
  }

  /** All of it. */
  String all() {
    return join(stable) + (own.isEmpty() ? "" : File.pathSeparator + join(own));
  }

  /** What never changes. */
  String first() {
    return join(stable);
  }

  private static String join(List<Path> entries) {
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
