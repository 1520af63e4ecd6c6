package org.braid.hdfs.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Braid's plugins in a Hadoop that says that it is of another version. */
final class UnsupportedHadoopTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(classes = {BraidNameNodePlugin.class, BraidDataNodePlugin.class})
  void pluginsRefuseInOneLine(Class<?> type) throws Exception {
    Files.writeString(
        directory.resolve("common-version-info.properties"), "version=3.3.6\nuser=test\n");
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
      assertEquals(
          "org.braid.hdfs.hadoop.UnsupportedHadoopException: this is Hadoop 3.3.6, and Braid runs"
              + " in Hadoop 3.4.1 to 3.5",
          refused.toString());
      assertEquals(0, refused.getStackTrace().length);
    }
  }
}
