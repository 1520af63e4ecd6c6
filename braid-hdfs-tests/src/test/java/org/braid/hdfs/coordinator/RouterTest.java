package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.client.BraidFileSystem;
import org.braid.hdfs.testing.FederationRouter;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that reach two NameNodes through a router, which knows nothing of Braid: where they know
 * the NameNodes, too, they read through lost blocks, and else wait for the daemon as any client.
 */
final class RouterTest {
  private static final Random RANDOM = Seeds.random(RouterTest.class);

  /** Where each NameNode has its file, and where clients of the router see it. */
  private static final List<String> THERE = List.of("/one/d/f", "/two/e/f");

  private static final List<String> HERE = List.of("/m1/d/f", "/m2/f");

  @TempDir private static File directory;

  private static FederatedFixture fixture;
  private static FederationRouter router;
  private static final List<byte[]> CONTENTS = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    fixture = new FederatedFixture(directory, Map.of());
    List<String> services = List.of(fixture.service(0), fixture.service(1));
    router =
        new FederationRouter(
            fixture.hdfs.getConfiguration(0), services, directory.toPath().resolve("router"));
    router.mount("/m1", Map.of(services.get(0), "/one"));
    router.mount("/m2", Map.of(services.get(1), "/two/e"));
    for (int i = 0; i < 2; i++) {
      byte[] content = new byte[9 * FederatedFixture.BLOCK + 77 * i];
      RANDOM.nextBytes(content);
      CONTENTS.add(content);
      fixture.write(i, THERE.get(i), content);
      fixture.convert(i, THERE.get(i));
    }
  }

  /** Files of a directory that is mounted from both name services, by the paths of clients. */
  private static Map<String, byte[]> writeSpread() throws Exception {
    router.mount("/both", Map.of(fixture.service(0), "/both", fixture.service(1), "/both"));
    Map<String, byte[]> contents = new TreeMap<>();
    try (FileSystem fs = client(Client.PLAIN)) {
      fs.mkdirs(new Path("/both"));
      for (int i = 0; i < 8; i++) {
        byte[] content = new byte[3 * FederatedFixture.BLOCK + i];
        RANDOM.nextBytes(content);
        contents.put("/both/f" + i, content);
        try (FSDataOutputStream out = fs.create(new Path("/both/f" + i), (short) 3)) {
          out.write(content);
        }
      }
    }
    for (int i = 0; i < 2; i++) {
      assertTrue(fixture.fs(i).listStatus(new Path("/both")).length > 0, "all files are elsewhere");
      fixture.convert(i, "/both");
    }
    return contents;
  }

  @AfterAll
  static void stop() {
    if (router != null) {
      router.close();
    }
    if (fixture != null) {
      fixture.close();
    }
  }

  /** How a client is set up. */
  private enum Client {
    PLAIN,
    /** Braid's, with the router as all that it knows. */
    BRAID,
    /** Braid's, with the NameNodes in its configuration, as the routers' own hosts have them. */
    BRAID_KNOWS_NAMENODES
  }

  private static FileSystem client(Client kind) throws IOException {
    Configuration conf = new Configuration(fixture.hdfs.getConfiguration(0));
    conf.set("fs.defaultFS", router.uri());
    if (kind != Client.PLAIN) {
      conf.set("fs.hdfs.impl", BraidFileSystem.class.getName());
    }
    if (kind != Client.BRAID_KNOWS_NAMENODES) {
      conf.unset("dfs.nameservices");
    }
    return FileSystem.newInstance(URI.create(router.uri()), conf);
  }

  private static long degradedReads(FileSystem fs) {
    Long count = ((IOStatisticsSource) fs).getIOStatistics().counters().get("braid_degraded_reads");
    return count == null ? -1 : count;
  }

  @Test
  void lostBlocksAreReadThroughTheRouter() throws Exception {
    Map<String, byte[]> spread = writeSpread();
    List<FileChecksum> sums = new ArrayList<>();
    try (FileSystem plain = client(Client.PLAIN);
        FileSystem braid = client(Client.BRAID);
        FileSystem knows = client(Client.BRAID_KNOWS_NAMENODES)) {
      for (int i = 0; i < 2; i++) {
        for (FileSystem fs : List.of(plain, braid, knows)) {
          assertArrayEquals(CONTENTS.get(i), ClusterFixture.read(fs, HERE.get(i)));
        }
        sums.add(plain.getFileChecksum(new Path(HERE.get(i))));
      }

      DataNodeProperties lost =
          fixture.hdfs.stopDataNode(fixture.sharedNode(THERE.get(0), THERE.get(1)));
      fixture.awaitDead();
      assertTrue(fixture.hdfs.getDataNodes().size() < FederatedFixture.NODES);

      // Without a daemon only who knows the NameNodes can read; one client reads both pools.
      for (int i = 0; i < 2; i++) {
        String path = HERE.get(i);
        assertArrayEquals(CONTENTS.get(i), ClusterFixture.read(knows, path));
        assertEquals(sums.get(i), knows.getFileChecksum(new Path(path)));
        assertTrue(degradedReads(knows) > 0);
        for (FileSystem fs : List.of(plain, braid)) {
          assertThrows(BlockMissingException.class, () -> ClusterFixture.read(fs, path));
        }
      }
      for (Map.Entry<String, byte[]> file : spread.entrySet()) {
        assertArrayEquals(file.getValue(), ClusterFixture.read(knows, file.getKey()));
      }
      assertEquals(0, degradedReads(braid));
      readersHaveTheirOwnRights();

      // With one the answer waits in the NameNode, and the router for it.
      List<FileSystem> waiting = List.of(plain, braid);
      for (int i = 0; i < 2; i++) {
        int nameNode = i;
        assertFalse(fixture.healthy(i));
        try (WatchingCoordinator watch =
            new WatchingCoordinator(
                    () -> fixture.cluster(nameNode),
                    TimeUnit.HOURS.toMillis(1),
                    RepairPolicy.CONFIGURED)
                .awaitWatching()) {
          assertArrayEquals(CONTENTS.get(i), ClusterFixture.read(waiting.get(i), HERE.get(i)));
          assertTrue(watch.end().demanded() > 0, "the answer did not wait");
        }
      }
      assertTrue(fixture.hdfs.restartDataNode(lost, true));
    }
  }

  /** By the number of a file a client learns no more than by its path. */
  private static void readersHaveTheirOwnRights() throws Exception {
    Path there = new Path(THERE.get(0));
    UserGroupInformation reader =
        UserGroupInformation.createUserForTesting("reader", new String[0]);
    PrivilegedExceptionAction<byte[]> read =
        () -> {
          try (FileSystem fs = client(Client.BRAID_KNOWS_NAMENODES)) {
            return ClusterFixture.read(fs, HERE.get(0));
          }
        };
    assertArrayEquals(CONTENTS.get(0), reader.doAs(read));
    fixture.fs(0).setPermission(there, new FsPermission((short) 0600));
    try {
      assertThrows(
          org.apache.hadoop.security.AccessControlException.class, () -> reader.doAs(read));
    } finally {
      fixture.fs(0).setPermission(there, new FsPermission((short) 0644));
    }
  }

  @Test
  void commandsAreRefusedAtOnce() {
    long begun = System.nanoTime();
    String instead =
        assertThrows(
                RefusedException.class,
                () ->
                    Braid.connect(
                        new Connection(
                            Optional.of(router.uri()),
                            List.of(),
                            Map.of(
                                "dfs.nameservices",
                                "one",
                                "dfs.namenode.rpc-address.one",
                                "127.0.0.1:8020"))))
            .getMessage();
    assertTrue(instead.contains(router.uri() + " is a router"), instead);
    assertTrue(instead.contains("-fs hdfs://localhost:8020"), instead);
    assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(10), "it was waited for");
    RefusedException check =
        assertThrows(
            RefusedException.class,
            () ->
                Braid.check(
                    new Connection(Optional.of(router.uri()), List.of(), Map.of()), List.of()));
    assertTrue(check.getMessage().contains("is a router"), check.getMessage());
  }

  /** A command's connection to the router, with the NameNodes that its configuration has. */
  private static Connection command(String adminAddress, int... nameNodes) {
    Map<String, String> properties = new HashMap<>();
    List<String> services = new ArrayList<>();
    for (int i : nameNodes) {
      String service = fixture.service(i);
      services.add(service);
      properties.put(
          "dfs.namenode.rpc-address." + service, "localhost:" + fixture.hdfs.getNameNodePort(i));
    }
    properties.put("dfs.nameservices", String.join(",", services));
    properties.put("dfs.federation.router.admin-address", adminAddress);
    properties.put("fs.defaultFS", router.uri()); // wins over -fs
    return new Connection(Optional.of(router.uri()), List.of(), properties);
  }

  @Test
  void commandsFindTheNameNodeThatHasAPath() throws Exception {
    Connection connection = command(router.adminAddress(), 0, 1);
    Map<String, String> there = Map.of("/m1/d", "/one/d", "/m2", "/two/e");
    for (Map.Entry<String, String> directory : there.entrySet()) {
      int nameNode = directory.getKey().equals("/m2") ? 1 : 0;
      List<String> given = List.of(directory.getKey(), directory.getKey() + "/f");
      Connection.Behind behind = Braid.behind(connection, given);
      assertEquals(List.of(directory.getValue(), THERE.get(nameNode)), behind.paths());
      assertEquals(
          Optional.of("hdfs://localhost:" + fixture.hdfs.getNameNodePort(nameNode)),
          behind.connection().fileSystem());
      try (Cluster cluster = Braid.connect(behind.connection())) {
        assertEquals(1, cluster.status(behind.paths().get(0)).files().converted());
      }
    }
  }

  private static String refusal(Connection connection, String... paths) {
    return assertThrows(RefusedException.class, () -> Braid.behind(connection, List.of(paths)))
        .getMessage();
  }

  @Test
  void pathsThatNoNameNodeHasAloneAreRefused() throws Exception {
    List<String> services = List.of(fixture.service(0), fixture.service(1));
    router.mount("/spread", Map.of(services.get(0), "/s", services.get(1), "/t"));
    Connection connection = command(router.adminAddress(), 0, 1);
    String spread = refusal(connection, "/spread/f");
    assertTrue(spread.contains("/spread/f is spread over 2 places"), spread);
    assertTrue(spread.contains("/s/f") && spread.contains("/t/f"), spread);
    String root = refusal(connection, "/");
    assertTrue(root.contains(router.uri() + "/ has mounts below it (/"), root);
    String two = refusal(connection, "/m1/d", "/m2");
    assertTrue(two.startsWith("the paths are in several name services ("), two);
    String nowhere = refusal(connection, "/nowhere");
    assertTrue(nowhere.contains("does not tell where " + router.uri() + "/nowhere"), nowhere);
    String unknown = refusal(command(router.adminAddress(), 0), "/m2/f");
    assertTrue(unknown.contains("dfs.nameservices must name " + services.get(1)), unknown);
    String silent = refusal(command("127.0.0.1:1", 0, 1), "/m2/f");
    assertTrue(silent.startsWith(router.uri() + " is a router"), silent);
    assertTrue(silent.endsWith("(dfs.federation.router.admin-address says where)"), silent);
    assertEquals(
        router.uri() + "/m1/none does not exist",
        assertThrows(
                FileNotFoundException.class, () -> Braid.behind(connection, List.of("/m1/none")))
            .getMessage());
  }

  /** The administration tells a user of no mount that he may not read, and a listing does. */
  @Test
  void aDirectoryAboveAMountThatTheUserMayNotReadIsRefused() throws Exception {
    router.mount("/over", Map.of(fixture.service(0), "/one"));
    router.mount(
        "/over/d/hidden", Map.of(fixture.service(1), "/two"), new FsPermission((short) 0700));
    Connection connection = command(router.adminAddress(), 0, 1);
    assertTrue(refusal(connection, "/over").contains("has mounts below it (/over/d/hidden)"));
    UserGroupInformation reader =
        UserGroupInformation.createUserForTesting("reader", new String[0]);
    for (Map.Entry<String, String> above :
        Map.of("/over", "(at d or deeper)", "/over/d", "(at hidden or deeper)").entrySet()) {
      PrivilegedExceptionAction<String> refused = () -> refusal(connection, above.getKey());
      String refusal = reader.doAs(refused);
      String said = above.getKey() + " has mounts below it " + above.getValue();
      assertTrue(refusal.contains(said), refusal);
    }
    PrivilegedExceptionAction<Connection.Behind> beside =
        () -> Braid.behind(connection, List.of("/over/d/f"));
    assertEquals(List.of("/one/d/f"), reader.doAs(beside).paths());
  }

  /** Clusters often name their services alike, and the root has the same number in all. */
  @Test
  void aNameServiceOfAnotherClusterIsRefused() throws Exception {
    router.mount("/whole", Map.of(fixture.service(0), "/"));
    fixture.fs(0).mkdirs(new Path("/later")); // the root changes, and the other one does not
    Connection connection = command(router.adminAddress(), 0);
    assertEquals(List.of("/"), Braid.behind(connection, List.of("/whole")).paths());
    String other = "localhost:" + fixture.hdfs.getNameNodePort(1);
    Map<String, String> properties = new HashMap<>(connection.properties());
    properties.put("dfs.namenode.rpc-address." + fixture.service(0), other);
    String refusal =
        refusal(
            new Connection(connection.fileSystem(), connection.configurations(), properties),
            "/whole");
    String said = "%s/whole is not hdfs://%s/, where the router's mounts lead: ";
    assertTrue(refusal.startsWith(said.formatted(router.uri(), other)), refusal);
  }
}
