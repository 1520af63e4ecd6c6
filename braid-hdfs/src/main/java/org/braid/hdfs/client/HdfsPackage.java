package org.braid.hdfs.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.hadoop.fs.Hdfs;
import org.apache.hadoop.hdfs.DFSClient;
import org.braid.kernel.Jdk;
import org.jspecify.annotations.Nullable;

/**
 * Defines Braid's classes in HDFS's packages, which use package-private members. The JVM grants
 * this only if HDFS's own class loader defines these classes, but the jars of a job have another
 * loader.
 */
final class HdfsPackage {
  private static final String BASE = "org.apache.hadoop.hdfs.DFSClientBase";
  private static final String CHECKSUM = "org.apache.hadoop.hdfs.BlockwiseChecksum";
  private static final List<String> CLIENT =
      List.of(
          BASE,
          BASE + "$Reading",
          BASE + "$BlockSum",
          BASE + "$Stock",
          CHECKSUM,
          CHECKSUM + "$OneBlock",
          "org.apache.hadoop.hdfs.DFSInputStreamBase");
  private static final List<String> FILE_CONTEXT = List.of("org.apache.hadoop.fs.HdfsAccess");

  private HdfsPackage() {}

  /**
   * Makes HDFS's class loader define these classes if another loader has Braid's jars. Must run
   * before any class that extends or calls them is linked.
   *
   * @throws IOException when Braid's loader does not delegate to HDFS's loader first
   */
  static void join() throws IOException {
    ClassLoader own = HdfsPackage.class.getClassLoader();
    ClassLoader hdfs = DFSClient.class.getClassLoader();
    if (own == hdfs) {
      return;
    }
    try {
      define(CLIENT, DFSClient.class);
      define(FILE_CONTEXT, Hdfs.class);
      if (Class.forName(BASE, false, own).getClassLoader() == hdfs) {
        return;
      }
    } catch (IllegalAccessException | ClassNotFoundException e) {
      throw refused(own, e);
    }
    throw refused(own, null);
  }

  private static boolean has(ClassLoader loader, String name) {
    try {
      Class.forName(name, false, loader);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Defines classes in the package of one of HDFS's and by its loader. */
  private static void define(List<String> names, Class<?> neighbour)
      throws IOException, IllegalAccessException {
    for (String name : names) {
      if (!has(neighbour.getClassLoader(), name)) {
        define(name, neighbour);
      }
    }
  }

  private static void define(String name, Class<?> neighbour)
      throws IOException, IllegalAccessException {
    try (InputStream in =
        HdfsPackage.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new IOException("Braid's jars lack " + name);
      }
      Jdk.define(neighbour, in.readAllBytes());
    } catch (LinkageError e) {
      // Another job may have defined it just now.
      if (!has(neighbour.getClassLoader(), name)) {
        throw e;
      }
    }
  }

  private static IOException refused(ClassLoader own, @Nullable Exception cause) {
    return new IOException(
        "Braid's jars were loaded by "
            + own
            + ", which does not ask the class loader of HDFS's client first: put them on Hadoop's"
            + " class path (for Spark by spark.driver.extraClassPath and"
            + " spark.executor.extraClassPath)",
        cause);
  }
}
