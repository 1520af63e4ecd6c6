package org.braid.hdfs.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.util.VersionInfo;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Braid's plugins in a Hadoop whose hadoop-common says that it is of another version. */
final class UnsupportedHadoopTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(classes = {BraidNameNodePlugin.class, BraidDataNodePlugin.class})
  void pluginsRefuseInOneLine(Class<?> type) throws Exception {
    assertEquals(
        "this is Hadoop 3.3.6, and Braid runs in Hadoop 3.4.1 to 3.5", refusal(type, "3.3.6"));
  }

  @ParameterizedTest
  @ValueSource(classes = {BraidNameNodePlugin.class, BraidDataNodePlugin.class})
  void twoHadoopsOnTheClassPathAreNamed(Class<?> type) throws Exception {
    String hdfs = VersionInfo.getVersion();
    String common = hdfs.equals("3.4.2") ? "3.4.1" : "3.4.2";
    String refusal = refusal(type, common);
    String start =
        "two versions of Hadoop are on the class path: hadoop-common %s (%s) and hadoop-hdfs %s ("
            .formatted(common, directory, hdfs);
    assertTrue(refusal.startsWith(start), refusal);
    assertTrue(refusal.endsWith("/hadoop-hdfs-" + hdfs + ".jar): leave one of them"), refusal);
  }

  private String refusal(Class<?> type, String version) throws Exception {
    Files.writeString(
        directory.resolve("common-version-info.properties"),
        "version=%s\nuser=test\n".formatted(version));
    List<URL> urls = new ArrayList<>(List.of(directory.toUri().toURL()));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader classes = new URLClassLoader(urls.toArray(URL[]::new), platform)) {
      Object plugin = classes.loadClass(type.getName()).getDeclaredConstructor().newInstance();
      var start = plugin.getClass().getMethod("start", Object.class);
      Throwable refused =
          assertThrows(InvocationTargetException.class, () -> start.invoke(plugin, plugin))
              .getCause();
      assertEquals(UnsupportedHadoopException.class.getName(), refused.getClass().getName());
      assertEquals(0, refused.getStackTrace().length);
      return String.valueOf(refused.getMessage());
    }
  }
}
