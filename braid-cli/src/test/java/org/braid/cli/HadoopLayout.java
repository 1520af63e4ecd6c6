package org.braid.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The directories of an unpacked Hadoop, with Hadoop's own libraries, and an unpacked release of
 * Braid: the one that {@code -Dbraid.release} names, else one of the classes under test.
 *
 * <p>Hadoop's shell scripts are not among its Maven artifacts. {@code bin/hdfs} is a stand-in for
 * them: it reads the shell profiles, calls {@code hdfs_subcommand_NAME} and starts its class with
 * the class path and options that they made, as Hadoop's script does.
 */
final class HadoopLayout {
  /**
   * The jars of the modules that NameNodes and DataNodes load; release/assembly.xml says so, too.
   */
  private static final List<String> PLUGINS =
      List.of("braid-code", "braid-placement", "braid-plan", "braid-engine", "braid-hdfs", "jna");

  /** The libraries of the commands that Hadoop does not have, or has older. */
  private static final List<String> LIBRARIES =
      List.of(
          "commons-math3",
          "jackson",
          "jline",
          "jmh-core",
          "jopt-simple",
          "jspecify",
          "picocli",
          "progressbar",
          "snakeyaml");

  private static final String HDFS =
      """
      #!/usr/bin/env bash
      # A stand-in for Hadoop's script.
      HADOOP_SHELL_EXECNAME=hdfs
      HADOOP_HOME=$(cd -P -- "$(dirname -- "$0")/.." && pwd -P)
      HADOOP_HDFS_HOME=$HADOOP_HOME
      HADOOP_LOGLEVEL=${HADOOP_LOGLEVEL:-INFO}
      while [[ $1 = --* ]]; do
        case $1 in
          --config) HADOOP_CONF_DIR=$2; shift 2 ;;
          --loglevel) HADOOP_LOGLEVEL=$2; shift 2 ;;
        esac
      done
      HADOOP_CONF_DIR=${HADOOP_CONF_DIR:-$HADOOP_HOME/etc/hadoop}
      HADOOP_OPTS="-Djava.net.preferIPv4Stack=true"
      CLASSPATH=$HADOOP_HOME/share/hadoop/common/lib/*:$HADOOP_HOME/share/hadoop/hdfs/*
      CLASSPATH+=:$HADOOP_HOME/share/hadoop/hdfs/lib/*
      hadoop_add_subcommand() { subcommands+="  $1"$'\\t'"$3"$'\\n'; }
      hadoop_add_classpath() {
        if [[ $2 = before ]]; then CLASSPATH=$1:$CLASSPATH; else CLASSPATH+=:$1; fi
      }
      for profile in "$HADOOP_HOME"/libexec/shellprofile.d/*.sh; do
        [[ ! -f $profile ]] || . "$profile"
      done
      if [[ $# = 0 ]]; then
        printf 'Usage: hdfs SUBCOMMAND\\n%s' "$subcommands"
        exit 1
      fi
      subcommand=$1
      shift
      declare -F "hdfs_subcommand_$subcommand" >/dev/null || {
        echo "ERROR: $subcommand is not COMMAND nor fully qualified CLASSNAME." >&2
        exit 1
      }
      "hdfs_subcommand_$subcommand" "$@"
      hadoop_add_classpath "$HADOOP_CONF_DIR" before
      export CLASSPATH
      HADOOP_OPTS="$HADOOP_OPTS -Dhadoop.root.logger=$HADOOP_LOGLEVEL,console $HADOOP_CLIENT_OPTS"
      exec "$JAVA_HOME/bin/java" "-Dproc_$subcommand" $HADOOP_OPTS "$HADOOP_CLASSNAME" "$@"
      """;

  final Path home;
  final Path release;

  private HadoopLayout(Path home, Path release) {
    this.home = home;
    this.release = release;
  }

  /** Makes both below a directory. */
  static HadoopLayout in(Path directory) throws Exception {
    Path home = Files.createDirectories(directory.resolve("hadoop-3.5.0"));
    for (String part : List.of("etc/hadoop", "libexec/shellprofile.d", "share/hadoop/hdfs/lib")) {
      Files.createDirectories(home.resolve(part));
    }
    Files.createDirectories(home.resolve("share/hadoop/common/lib"));
    List<Path> classPath =
        Arrays.stream(
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"))
                    .split(File.pathSeparator))
            .map(Path::of)
            .filter(Files::exists)
            .distinct()
            .toList();
    hadoop(classPath, home.resolve("share/hadoop/hdfs/hadoop-hdfs-3.5.0.jar"));
    script(home.resolve("bin/hdfs"), HDFS);
    Files.writeString(
        home.resolve("etc/hadoop/hdfs-site.xml"),
        """
        <?xml version="1.0"?>
        <configuration>
          <property>
            <name>dfs.replication</name>
            <value>3</value>
          </property>
        </configuration>
        """);
    return new HadoopLayout(home, release(directory, classPath));
  }

  /** A jar that stands for all of Hadoop's: its manifest names them where they are. */
  private static void hadoop(List<Path> classPath, Path jar) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            classPath.stream()
                .filter(entry -> isHadoop(entry.getFileName().toString()))
                .map(entry -> entry.toUri().toString())
                .collect(Collectors.joining(" ")));
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
  }

  private static boolean isHadoop(String name) {
    return name.endsWith(".jar")
        && !name.startsWith("braid-")
        && !isOf(name, LIBRARIES)
        && !isOf(name, List.of("jna", "junit-jupiter", "archunit"));
  }

  private static boolean isOf(String jar, List<String> names) {
    return names.stream().anyMatch(name -> jar.startsWith(name + "-"));
  }

  static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
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
    Path source = Project.root().resolve("release");
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = release.resolve(source.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
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
      } else if (isOf(name, List.of("jna"))) {
        Files.copy(entry, plugins.resolve(name));
      } else if (isOf(name, LIBRARIES)) {
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
}
