package org.braid.hdfs.hadoop;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HadoopPartsTest {
  private static final String COMMON = "common-version-info.properties";
  private static final String NODE = "org/apache/hadoop/hdfs/server/datanode/DataNode.class";
  private static final String CLIENT = "org/apache/hadoop/hdfs/DFSClient.class";
  private static final String NODE_POM =
      "META-INF/maven/org.apache.hadoop/hadoop-hdfs/pom.properties";

  @TempDir private Path directory;
  private final List<URL> classPath = new ArrayList<>();

  /** Puts a jar on the class path whose entries hold the version. */
  private void jar(String file, String version, String... entries) throws IOException {
    Path jar = directory.resolve(file);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (String entry : entries) {
        out.putNextEntry(new JarEntry(entry));
        out.write(("version=" + version + "\n").getBytes(StandardCharsets.UTF_8));
        out.closeEntry();
      }
    }
    classPath.add(jar.toUri().toURL());
  }

  private void check(String common) throws IOException {
    try (URLClassLoader loader =
        new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      HadoopParts.check(common, loader);
    }
  }

  private void assertRefused(String common, String why) {
    UnsupportedHadoopException refused =
        assertThrows(UnsupportedHadoopException.class, () -> check(common));
    assertEquals(
        "two versions of Hadoop are on the class path: "
            + why.replace("DIR", directory.toString())
            + ": leave one of them",
        refused.getMessage());
  }

  @Test
  void theDescriptionInTheJarCounts() throws IOException {
    jar("hadoop-common-3.5.0.jar", "3.5.0", COMMON);
    jar("hdfs.jar", "3.4.1", NODE, NODE_POM);
    assertRefused(
        "3.5.0",
        "hadoop-common 3.5.0 (DIR/hadoop-common-3.5.0.jar) and hadoop-hdfs 3.4.1 (DIR/hdfs.jar)");
  }

  @Test
  void elseItsNameCounts() throws IOException {
    jar("hadoop-common-3.4.1-amzn-2.jar", "3.4.1-amzn-2", COMMON);
    jar("hadoop-hdfs-3.5.0.jar", "3.5.0", NODE);
    assertRefused(
        "3.4.1-amzn-2",
        "hadoop-common 3.4.1-amzn-2 (DIR/hadoop-common-3.4.1-amzn-2.jar) and hadoop-hdfs 3.5.0"
            + " (DIR/hadoop-hdfs-3.5.0.jar)");
  }

  @Test
  void theJarOfTheClientCountsToo() throws IOException {
    jar("hadoop-hdfs-3.5.0.jar", "3.5.0", NODE, NODE_POM, COMMON);
    jar("hadoop-hdfs-client-3.4.3.jar", "3.4.3", CLIENT);
    assertRefused(
        "3.5.0",
        "hadoop-common 3.5.0 (DIR/hadoop-hdfs-3.5.0.jar) and hadoop-hdfs-client 3.4.3"
            + " (DIR/hadoop-hdfs-client-3.4.3.jar)");
  }

  /** Later jars of the class path are not used. */
  @Test
  void theFirstJarThatHasTheClassCounts() throws IOException {
    jar("hadoop-common-3.5.0.jar", "3.5.0", COMMON);
    jar("job.jar", "3.3.6", NODE_POM);
    jar("hadoop-hdfs-3.5.0.jar", "3.5.0", NODE, NODE_POM);
    jar("hadoop-hdfs-3.4.1.jar", "3.4.1", NODE, NODE_POM);
    assertDoesNotThrow(() -> check("3.5.0"));
  }

  @Test
  void whatDistributionsAppendIsNotCompared() throws IOException {
    jar("hadoop-hdfs-3.4.1.7.3.1.0-197.jar", "3.4.1.7.3.1.0-197", NODE, NODE_POM);
    jar("hadoop-hdfs-client-3.4.1-amzn-2.jar", "3.4.1-amzn-2", CLIENT);
    assertDoesNotThrow(() -> check("3.4.1"));
  }

  @Test
  void ofAJarThatDoesNotTellItsVersionNothingIsSaid() throws IOException {
    jar("hadoop-hdfs.jar", "3.4.1", NODE);
    jar("hadoop-hdfs-client-next.jar", "3.4.1", CLIENT);
    assertDoesNotThrow(() -> check("3.5.0"));
    classPath.clear();
    jar("hadoop-hdfs-unknown.jar", "${project.version}", NODE, NODE_POM);
    assertDoesNotThrow(() -> check("3.5.0"));
    classPath.clear();
    assertDoesNotThrow(() -> check("3.5.0"));
  }
}
