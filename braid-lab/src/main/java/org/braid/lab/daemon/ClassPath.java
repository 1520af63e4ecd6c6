package org.braid.lab.daemon;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class path of this process, in the order of the daemons: first the jars that no build of
 * Braid changes, so that an archive of their classes stays valid.
 *
 * @param stable jars that no build of Braid changes
 * @param own jars and directories of Braid
 */
public record ClassPath(List<Path> stable, List<Path> own) {
  public ClassPath {
    stable = List.copyOf(stable);
    own = List.copyOf(own);
  }

  /** The class path of this process. */
  public static ClassPath ofThisProcess() {
    // Surefire puts it in the manifest of a jar.
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

  /**
   * The same with more at its end.
   *
   * @param jars the jars to add; jars with the name of a present one are left out
   * @param directory of configuration files
   */
  ClassPath with(List<Path> jars, Path directory) {
    Set<Path> names = stable.stream().map(Path::getFileName).collect(Collectors.toSet());
    Stream<Path> more = jars.stream().filter(jar -> !names.contains(jar.getFileName()));
    return new ClassPath(
        Stream.concat(stable.stream(), more).toList(),
        Stream.concat(own.stream(), Stream.of(directory)).toList());
  }

  /** All its jars and directories, in order. */
  public List<Path> entries() {
    return Stream.concat(stable.stream(), own.stream()).toList();
  }

  /** The whole class path. */
  String all() {
    return join(stable) + (own.isEmpty() ? "" : File.pathSeparator + join(own));
  }

  /** The part that no build changes. */
  String first() {
    return join(stable);
  }

  private static String join(List<Path> entries) {
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
