package org.braid.hdfs.client;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.apache.hadoop.hdfs.DFSClient;
import org.jspecify.annotations.Nullable;

/**
 * Braid's base classes in HDFS's package, which use what only that package sees. The JVM grants
 * them that where HDFS's own class loader has defined them; the jars of a job have another loader.
 */
final class HdfsPackage {
  private static final String BASE = "org.apache.hadoop.hdfs.DFSClientBase";
  private static final String CHECKSUM = "org.apache.hadoop.hdfs.BlockwiseChecksum";
  private static final List<String> CLASSES =
      List.of(
          BASE,
          BASE + "$Reading",
          BASE + "$BlockSum",
          BASE + "$Stock",
          CHECKSUM,
          CHECKSUM + "$OneBlock",
          "org.apache.hadoop.hdfs.DFSInputStreamBase");

  private HdfsPackage() {}

  /**
   * Has HDFS's class loader define the base classes where another one has Braid's jars. Comes
   * before any class that extends them is linked.
   *
   * @throws IOException when Braid's loader does not ask that of HDFS first
   */
  static void join() throws IOException {
    ClassLoader own = HdfsPackage.class.getClassLoader();
    ClassLoader hdfs = DFSClient.class.getClassLoader();
    if (own == hdfs) {
      return;
    }
    try {
      for (String name : CLASSES) {
        if (!has(hdfs, name)) {
          define(name);
        }
      }
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

  private static void define(String name) throws IOException, IllegalAccessException {
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(DFSClient.class, MethodHandles.lookup());
    try (InputStream in =
        HdfsPackage.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new IOException("Braid's jars lack " + name);
      }
      lookup.defineClass(in.readAllBytes());
    } catch (LinkageError e) {
      // Another job may have defined it just now.
      if (!has(DFSClient.class.getClassLoader(), name)) {
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
