package org.braid.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairRequest;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hadoop is upgraded daemon by daemon, and taken back, while files are converted, read and
 * repaired; or Braid, from an earlier build. Runs where the build has the jars of both versions.
 */
final class HadoopUpgradeTest {
  private static final String OLD =
      System.getProperty("braid.plugins.old", "").isEmpty() ? "3.4.3" : ClassPaths.EARLIER;

  private static final String NEW = ClassPaths.OWN_VERSION;
  private static final String CODE = "rs-3-2";
  private static final int LENGTH = 6 * UpgradedCluster.BLOCK + 321;
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Random RANDOM = Seeds.random(HadoopUpgradeTest.class);
  private static Map<String, String> classPaths;

  @TempDir private Path directory;

  /** What files should have, by path. */
  private final Map<String, byte[]> contents = new ConcurrentSkipListMap<>();

  @BeforeAll
  static void jars() throws IOException {
    classPaths = ClassPaths.servers();
    assumeTrue(
        classPaths.containsKey(OLD)
            && (OLD.equals(ClassPaths.EARLIER)
                || !System.getProperty("braid.clients", "").isEmpty()),
        "the build has no jars of " + OLD);
  }

  /** Reads all files through Braid's client again and again; none may fail at any moment. */
  private final class Reader implements AutoCloseable {
    private final UpgradedCluster hdfs;
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    private final Thread thread = new Thread(this::run, "reader");
    private volatile boolean closed;
    private final AtomicInteger reads = new AtomicInteger();

    Reader(UpgradedCluster hdfs) {
      this.hdfs = hdfs;
      thread.setDaemon(true);
      thread.start();
    }

    private void run() {
      Configuration conf = hdfs.client();
      conf.set("fs.hdfs.impl", "org.braid.hdfs.client.BraidFileSystem");
      try (FileSystem fs = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
        while (!closed) {
          for (String path : contents.keySet()) {
            read(fs, path);
          }
          Thread.sleep(100);
        }
      } catch (IOException | InterruptedException | RuntimeException | Error e) {
        failures.add(e); // of a reader that died nothing else would tell
      }
    }

    private void read(FileSystem fs, String path) {
      try {
        byte[] expected = contents.get(path);
        if (expected != null) {
          assertSame(fs, path, expected);
          reads.incrementAndGet();
        }
      } catch (IOException | AssertionError e) {
        if (contents.containsKey(path)) {
          failures.add(new IOException(path, e));
        }
      }
    }

    @Override
    public void close() throws InterruptedException {
      closed = true;
      thread.join(60_000);
      assertEquals(List.of(), failures);
      assertTrue(reads.get() > 0, "nothing was read");
    }
  }

  private static void assertSame(FileSystem fs, String path, byte[] expected) throws IOException {
    try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      assertArrayEquals(expected, in.readAllBytes(), path);
    }
  }

  private UpgradedCluster start() throws IOException {
    Path logs = Files.createDirectories(TARGET.resolve("upgrade"));
    return new UpgradedCluster(directory, logs, classPaths, OLD);
  }

  private void write(UpgradedCluster hdfs, String path) throws IOException {
    byte[] content = new byte[LENGTH];
    RANDOM.nextBytes(content);
    try (DistributedFileSystem fs = hdfs.fileSystem();
        FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(path), (short) 3)) {
      out.write(content);
    }
    contents.put(path, content);
  }

  /** The client of this process; lost nodes are not waited for. */
  private static Cluster braid(UpgradedCluster hdfs) throws IOException {
    return Braid.connect(
        new Connection(
            Optional.empty(), List.of(hdfs.clientFile()), Map.of("braid.repair.delay", "0s")));
  }

  private static void convert(UpgradedCluster hdfs, String path) throws IOException {
    try (Cluster cluster = braid(hdfs)) {
      assertEquals(
          List.of(),
          cluster
              .convert(
                  new ConvertRequest(
                      List.of(path),
                      CODE,
                      OptionalInt.empty(),
                      OptionalInt.empty(),
                      Optional.empty(),
                      1,
                      ConvertRequest.Method.DEFAULT,
                      2,
                      UpgradedCluster.SLICE,
                      7,
                      Progress.SILENT))
              .skipped());
    }
  }

  private void writeConverted(UpgradedCluster hdfs, String path) throws IOException {
    write(hdfs, path);
    convert(hdfs, path);
  }

  private static void repair(UpgradedCluster hdfs) throws IOException {
    try (Cluster cluster = braid(hdfs)) {
      assertEquals(
          List.of(),
          cluster
              .repair(
                  new RepairRequest("/", "chain", 2, UpgradedCluster.SLICE, 11, Progress.SILENT))
              .unrepairable());
    }
  }

  /** All files are read by HDFS's own client, and all stripes are as they should be. */
  private void check(UpgradedCluster hdfs) throws IOException {
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      for (Map.Entry<String, byte[]> file : contents.entrySet()) {
        assertSame(fs, file.getKey(), file.getValue());
      }
    }
    try (Cluster cluster = braid(hdfs)) {
      Await.untilEqual("findings of fsck", List.of(), () -> findings(cluster.fsck("/")));
    }
  }

  private static List<String> findings(FsckReport report) {
    List<String> findings = new ArrayList<>(report.orphans());
    report.files().forEach(file -> file.findings().forEach(f -> findings.add(file.path() + f)));
    return findings;
  }

  private static void prepare(UpgradedCluster hdfs) throws IOException {
    try (DistributedFileSystem fs = hdfs.fileSystem()) {
      fs.rollingUpgrade(RollingUpgradeAction.PREPARE);
      Await.until(
          "the image to roll back to",
          () -> fs.rollingUpgrade(RollingUpgradeAction.QUERY).createdRollbackImages());
    }
    hdfs.awaitUpgrade(true);
  }

  /** A node is lost for good; its blocks are rebuilt by workers of both versions. */
  private void loseAndRepair(UpgradedCluster hdfs, int node, String version) throws Exception {
    hdfs.kill(node);
    hdfs.awaitDead(node);
    repair(hdfs);
    check(hdfs);
    hdfs.startDataNode(node, version);
    hdfs.awaitNodes();
  }

  @Test
  void daemonByDaemonAndFinalised() throws Exception {
    try (UpgradedCluster hdfs = start()) {
      writeConverted(hdfs, "/converted");
      write(hdfs, "/replicated");
      try (Reader reader = new Reader(hdfs)) {
        prepare(hdfs);
        writeConverted(hdfs, "/prepared");
        hdfs.changeNameNodes(NEW, "-rollingUpgrade", "started");
        check(hdfs);
        writeConverted(hdfs, "/namenodes");
        for (int node = 0; node < UpgradedCluster.NODES; node++) {
          if (node == UpgradedCluster.NODES / 2) {
            assertEquals(Set.of(OLD, NEW), hdfs.versions());
            check(hdfs);
            writeConverted(hdfs, "/half");
            loseAndRepair(hdfs, UpgradedCluster.NODES - 1, OLD);
            hdfs.changeDaemon(NEW);
          }
          hdfs.change(node, NEW);
        }
        assertEquals(Set.of(NEW), hdfs.versions());
        repair(hdfs);
        check(hdfs);
        convert(hdfs, "/replicated");
        try (DistributedFileSystem fs = hdfs.fileSystem()) {
          fs.rollingUpgrade(RollingUpgradeAction.FINALIZE);
        }
        hdfs.awaitUpgrade(false);
      }
      repair(hdfs);
      check(hdfs);
    }
  }

  @Test
  void downgradedAndRolledBack() throws Exception {
    try (UpgradedCluster hdfs = start()) {
      writeConverted(hdfs, "/converted");
      writeConverted(hdfs, "/deleted");
      write(hdfs, "/replicated");
      byte[] deleted = contents.get("/deleted");
      try (Reader reader = new Reader(hdfs)) {
        prepare(hdfs);
        hdfs.changeNameNodes(NEW, "-rollingUpgrade", "started");
        for (int node = 0; node < 3; node++) {
          hdfs.change(node, NEW);
        }
        writeConverted(hdfs, "/upgraded");
        loseAndRepair(hdfs, UpgradedCluster.NODES - 1, OLD);
        repair(hdfs);
        check(hdfs);
        // First the DataNodes: HDFS lets NameNodes be newer than DataNodes.
        for (int node = 0; node < 3; node++) {
          hdfs.change(node, OLD);
        }
        hdfs.changeNameNodes(OLD);
        assertEquals(Set.of(OLD), hdfs.versions());
        check(hdfs);
        convert(hdfs, "/replicated");
        repair(hdfs);
        check(hdfs);
      }
      contents.remove("/deleted");
      try (DistributedFileSystem fs = hdfs.fileSystem()) {
        assertTrue(fs.delete(new org.apache.hadoop.fs.Path("/deleted"), false));
      }
      repair(hdfs);
      hdfs.rollBack(OLD);
      contents.put("/deleted", deleted);
      contents.remove("/upgraded");
      try (DistributedFileSystem fs = hdfs.fileSystem()) {
        assertFalse(fs.exists(new org.apache.hadoop.fs.Path("/upgraded")));
        assertEquals(
            3, fs.getFileStatus(new org.apache.hadoop.fs.Path("/replicated")).getReplication());
      }
      repair(hdfs);
      check(hdfs);
      convert(hdfs, "/replicated");
      check(hdfs);
    }
  }
}
