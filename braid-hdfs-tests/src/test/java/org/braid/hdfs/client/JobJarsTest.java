package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.braid.hdfs.testing.StripeFixture.Converted;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Braid's client among the jars of a job, which have another class loader than Hadoop's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JobJarsTest {
  private final List<URL> braid = new ArrayList<>();
  private final Map<String, String> properties = new TreeMap<>();
  private final byte[] content =
      ClientFixture.content(Seeds.random(JobJarsTest.class), 3 * ClientFixture.BLOCK - 7);
  private ClientFixture fixture;
  private ClassLoader hadoop;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    List<URL> others = new ArrayList<>();
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String entry : all.split(File.pathSeparator)) {
      URL url = new File(entry).toURI().toURL();
      try (URLClassLoader one = new URLClassLoader(new URL[] {url}, null)) {
        (one.getResource("org/braid") == null ? others : braid).add(url);
      }
    }
    // Never closed: Hadoop's shutdown hook needs it.
    hadoop = loader(others, ClassLoader.getPlatformClassLoader());
    fixture = new ClientFixture(directory, Map.of());
    Converted file = fixture.stripes.write("/file", content);
    fixture.stop(List.of(file.stripes().get(0).nodes().get(1)));
    fixture.configuration(Map.of()).forEach(p -> properties.put(p.getKey(), p.getValue()));
  }

  @AfterAll
  void stop() throws IOException {
    fixture.close();
  }

  private static URLClassLoader loader(List<URL> urls, ClassLoader parent) {
    return new URLClassLoader(urls.toArray(URL[]::new), parent);
  }

  /** Asks its own jars first, as Spark does with {@code spark.executor.userClassPathFirst}. */
  private static final class OwnFirst extends URLClassLoader {
    OwnFirst(List<URL> urls, ClassLoader parent) {
      super(urls.toArray(URL[]::new), parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null) {
          return known;
        }
        try {
          return findClass(name);
        } catch (ClassNotFoundException e) {
          return super.loadClass(name, resolve);
        }
      }
    }
  }

  /** Reads the file as a job does whose classes a loader has. */
  private Map.Entry<byte[], Long> read(ClassLoader job) throws Exception {
    return read(job, "read");
  }

  /** Reads the file in one of the ways of {@link JobReader}. */
  private Map.Entry<byte[], Long> read(ClassLoader job, String way) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(job);
    try {
      Object read =
          job.loadClass(JobReader.class.getName())
              .getMethod(way, Map.class, String.class)
              .invoke(null, properties, "/file");
      @SuppressWarnings("unchecked")
      Map.Entry<byte[], Long> entry = (Map.Entry<byte[], Long>) read;
      return entry;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void lostBlocksAreReadByEachOfSeveralJobs() throws Exception {
    for (int i = 0; i < 2; i++) {
      try (URLClassLoader job = loader(braid, hadoop)) {
        Map.Entry<byte[], Long> read = read(job);
        assertArrayEquals(content, read.getKey());
        assertEquals(ClientFixture.BLOCK, read.getValue());
      }
    }
  }

  @Test
  void lostBlocksAreReadByFileContext() throws Exception {
    try (URLClassLoader job = loader(braid, hadoop)) {
      Map.Entry<byte[], Long> read = read(job, "readContext");
      assertArrayEquals(content, read.getKey());
      assertEquals(ClientFixture.BLOCK, read.getValue());
    }
  }

  @Test
  void loadersThatAskTheirOwnJarsFirstAreRefused() throws Exception {
    try (URLClassLoader job = new OwnFirst(braid, hadoop)) {
      IOException refused = assertThrows(IOException.class, () -> read(job));
      assertTrue(
          refused.getMessage().startsWith("Braid's jars were loaded by " + job),
          refused::getMessage);
      assertFalse(refused.getMessage().contains("\n"));
    }
  }
}
