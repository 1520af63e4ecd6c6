package org.braid.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.braid.lab.daemon.ClassPath;
import org.braid.lab.install.StockHadoop;

/**
 * The directories of an unpacked Hadoop, with Hadoop's own libraries, and an unpacked release of
 * Braid: the one that {@code -Dbraid.release} names, else one of the classes under test.
 */
final class HadoopLayout {
  /** What {@code hdfs-site.xml} says before Braid comes. */
  static final String SITE =
      """
      <?xml version="1.0"?>
      <configuration>
        <property>
          <name>dfs.replication</name>
          <value>3</value>
        </property>
      </configuration>
      """;

  /**
   * The jars of the modules that NameNodes and DataNodes load; release/assembly.xml says so, too.
   */
  private static final List<String> PLUGINS =
      List.of("braid-code", "braid-placement", "braid-plan", "braid-engine", "braid-hdfs", "jna");

  final Path home;
  final Path release;

  private HadoopLayout(Path home, Path release) {
    this.home = home;
    this.release = release;
  }

  /** Makes a Hadoop as it comes, with {@link #SITE}. */
  static void make(Path home, List<Path> classPath) throws Exception {
    StockHadoop.make(home, classPath, "<configuration></configuration>\n", SITE);
  }

  /** Makes both below a directory. */
  static HadoopLayout in(Path directory) throws Exception {
    Path home = Files.createDirectories(directory.resolve("hadoop-3.5.0"));
    List<Path> classPath = ClassPath.ofThisProcess().entries();
    make(home, classPath);
    return new HadoopLayout(home, release(directory, classPath));
  }

  private static Path release(Path directory, List<Path> classPath) throws Exception {
    String packaged = System.getProperty("braid.release");
    if (packaged != null) {
      Process tar =
          new ProcessBuilder("tar", "-xzf", packaged, "-C", directory.toString())
              .inheritIO()
              .start();
      if (tar.waitFor() != 0) {
        throw new IOException(packaged + " cannot be unpacked");
      }
      try (Stream<Path> unpacked = Files.list(directory)) {
        return unpacked
            .filter(path -> path.getFileName().toString().startsWith("braid-"))
            .findFirst()
            .orElseThrow();
      }
    }
    Path release = Files.createDirectories(directory.resolve("braid-0"));
    copyScripts(release);
    Files.copy(Project.root().resolve("LICENSE"), release.resolve("LICENSE"));
    Files.copy(
        Project.root().resolve("braid-cli/src/main/resources/log4j.properties"),
        release.resolve("log4j.properties"));
    Files.copy(
        Project.root().resolve("docs/OPERATIONS.md"),
        Files.createDirectories(release.resolve("doc")).resolve("OPERATIONS.md"));
    Path plugins = Files.createDirectories(release.resolve("plugins"));
    Path lib = Files.createDirectories(release.resolve("lib"));
    for (Path entry : classPath) {
      String name = entry.getFileName().toString();
      if (name.equals("classes")) {
        String module = entry.getParent().getParent().getFileName().toString();
        jar(entry, (PLUGINS.contains(module) ? plugins : lib).resolve(module + "-0.jar"));
      } else if (name.startsWith("braid-") && name.endsWith(".jar")) {
        boolean plugin = PLUGINS.contains(name.replaceFirst("-[0-9].*", ""));
        Files.copy(entry, (plugin ? plugins : lib).resolve(name));
      } else if (name.startsWith("jna-")) {
        Files.copy(entry, plugins.resolve(name));
      } else if (StockHadoop.isLibrary(name)) {
        Files.copy(entry, lib.resolve(name));
      }
    }
    ReleaseMain.main(new String[] {release.toString(), "0"});
    return release;
  }

  private static void jar(Path classes, Path jar) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(classes)) {
      all.filter(Files::isRegularFile).forEach(files::add);
    }
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.setLevel(0);
      for (Path file : files) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }

  /** Copies what a release has beside the program, as it is in the project. */
  static void copyScripts(Path release) throws IOException {
    Path source = Project.root().resolve("release");
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = release.resolve(source.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }
}
