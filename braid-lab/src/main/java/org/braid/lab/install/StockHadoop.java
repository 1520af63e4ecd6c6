package org.braid.lab.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/**
 * The directories of an unpacked Hadoop, with Hadoop's own libraries.
 *
 * <p>Hadoop's shell scripts are not among its Maven artifacts. {@code bin/hdfs} is a stand-in for
 * them: it reads {@code hadoop-env.sh} and the shell profiles, calls {@code hdfs_subcommand_NAME}
 * and starts its class with the class path and options that they made, as Hadoop's script does.
 */
public final class StockHadoop {
  /** The libraries of Braid's commands that Hadoop does not have, or has older. */
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

  /** Those of them without which Hadoop does not start; this Hadoop gets the newer ones. */
  private static final List<String> BOTH =
      List.of("commons-math3", "jackson-annotations", "jackson-core", "jackson-databind");

  /** The libraries that the plugins bring, and those of tests. */
  private static final List<String> OTHERS = List.of("jna", "junit-jupiter", "archunit");

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
      hadoop_add_profile() { profiles+=" $1"; }
      [[ ! -f $HADOOP_CONF_DIR/hadoop-env.sh ]] || . "$HADOOP_CONF_DIR/hadoop-env.sh"
      for profile in "$HADOOP_HOME"/libexec/shellprofile.d/*.sh; do
        [[ ! -f $profile ]] || . "$profile"
      done
      if [[ $# = 0 ]]; then
        printf 'Usage: hdfs SUBCOMMAND\\n%s' "$subcommands"
        exit 1
      fi
      subcommand=$1 HADOOP_SUBCMD=$1
      shift
      case $subcommand in
        envvars)
          echo "JAVA_HOME='$JAVA_HOME'"
          exit 0
          ;;
        namenode) HADOOP_CLASSNAME=org.apache.hadoop.hdfs.server.namenode.NameNode ;;
        datanode) HADOOP_CLASSNAME=org.apache.hadoop.hdfs.server.datanode.DataNode ;;
        dfs) HADOOP_CLASSNAME=org.apache.hadoop.fs.FsShell ;;
        dfsadmin) HADOOP_CLASSNAME=org.apache.hadoop.hdfs.tools.DFSAdmin ;;
        fsck) HADOOP_CLASSNAME=org.apache.hadoop.hdfs.tools.DFSck ;;
        *)
          declare -F "hdfs_subcommand_$subcommand" >/dev/null || {
            echo "ERROR: $subcommand is not COMMAND nor fully qualified CLASSNAME." >&2
            exit 1
          }
          "hdfs_subcommand_$subcommand" "$@"
          ;;
      esac
      for profile in $profiles; do
        ! declare -F "_${profile}_hadoop_finalize" >/dev/null || "_${profile}_hadoop_finalize"
      done
      hadoop_add_classpath "$HADOOP_CONF_DIR" before
      export CLASSPATH
      HADOOP_OPTS="$HADOOP_OPTS -Dhadoop.root.logger=$HADOOP_LOGLEVEL,console"
      case $subcommand in
        namenode | datanode)
          own=HDFS_${subcommand^^}_OPTS
          HADOOP_OPTS="$HADOOP_OPTS ${!own}"
          ;;
        *) HADOOP_OPTS="$HADOOP_OPTS $HADOOP_CLIENT_OPTS" ;;
      esac
      exec "$JAVA_HOME/bin/java" "-Dproc_$subcommand" $HADOOP_OPTS "$HADOOP_CLASSNAME" "$@"
      """;

  private StockHadoop() {}

  /**
   * Makes one.
   *
   * @param classPath jars among which Hadoop's are
   * @param core its {@code core-site.xml}
   * @param site its {@code hdfs-site.xml}
   */
  public static void make(Path home, List<Path> classPath, String core, String site)
      throws IOException {
    for (String part :
        List.of(
            "bin",
            "etc/hadoop",
            "libexec/shellprofile.d",
            "share/hadoop/hdfs/lib",
            "share/hadoop/common/lib")) {
      Files.createDirectories(home.resolve(part));
    }
    hadoop(classPath, home.resolve("share/hadoop/hdfs/hadoop-hdfs-3.5.0.jar"));
    Path script = home.resolve("bin/hdfs");
    write(script, HDFS);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    write(home.resolve("etc/hadoop/core-site.xml"), core);
    write(home.resolve("etc/hadoop/hdfs-site.xml"), site);
  }

  private static void write(Path file, String text) throws IOException {
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
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
                .filter(entry -> isHadoop(String.valueOf(entry.getFileName())))
                .map(entry -> entry.toUri().toString())
                .collect(Collectors.joining(" ")));
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
  }

  private static boolean isHadoop(String name) {
    return name.endsWith(".jar")
        && !name.startsWith("braid-")
        && (isOf(name, BOTH) || !isLibrary(name))
        && !isOf(name, OTHERS);
  }

  /** Whether a jar is a library of Braid's commands that Hadoop does not have, or has older. */
  public static boolean isLibrary(String jar) {
    return isOf(jar, LIBRARIES);
  }

  private static boolean isOf(String jar, List<String> names) {
    return names.stream().anyMatch(name -> jar.startsWith(name + "-"));
  }
}
