package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.throttle.ThrottleStore;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StripeAttribute;
import org.braid.hdfs.testing.Plugins;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users who may write to the root cannot own Braid's directories. */
final class OwnDirectoriesTest {
  private static final UserGroupInformation EVE =
      UserGroupInformation.createUserForTesting("eve", new String[] {"users"});

  @TempDir java.nio.file.Path directory;

  private interface Work {
    void on(FileSystem fs) throws IOException;
  }

  private static void asEve(EmbeddedCluster cluster, Work work) throws Exception {
    EVE.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (FileSystem fs = FileSystem.newInstance(cluster.configuration())) {
                work.on(fs);
              }
              return null;
            });
  }

  private static void acquire(EmbeddedCluster cluster) throws IOException {
    var conf = cluster.configuration();
    try (NameNodeCalls calls =
        new NameNodeCalls(new NameNodeLink(FileSystem.getDefaultUri(conf), conf))) {
      calls.leases().release(calls.leases().acquire("test").getLease());
    }
  }

  /** Before any daemon or command has worked here. */
  @Test
  void aThrottleMayBeTheFirstThingThatIsSet() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(new EmbeddedSettings(1, 1, 8192, directory, Map.of()));
        DistributedFileSystem fs = cluster.fileSystem()) {
      ThrottleStore store = new ThrottleStore(fs);
      assertTrue(store.set(Map.of("node", "5m")).inForce());
      assertTrue(store.read().inForce());
      FileStatus made = fs.getFileStatus(new Path(BraidPaths.ROOT));
      assertEquals(new FsPermission((short) 0700), made.getPermission());
    }
  }

  @Test
  void directoriesOfOthersAreTakenOverAndClosed() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(new EmbeddedSettings(1, 1, 8192, directory, Map.of()));
        DistributedFileSystem fs = cluster.fileSystem()) {
      fs.setPermission(new Path("/"), new FsPermission((short) 0777));
      FsPermission open = new FsPermission((short) 0777);
      Path stripes = new Path(BraidPaths.STRIPES);
      asEve(
          cluster,
          eve -> {
            eve.mkdirs(stripes);
            eve.setPermission(new Path(BraidPaths.ROOT), open);
            eve.setPermission(stripes, open);
          });
      assertEquals("eve", fs.getFileStatus(stripes).getOwner());
      acquire(cluster);
      String owner = UserGroupInformation.getCurrentUser().getShortUserName();
      for (String path : new String[] {BraidPaths.ROOT, BraidPaths.STRIPES, BraidPaths.STAGING}) {
        FileStatus status = fs.getFileStatus(new Path(path));
        assertEquals(owner, status.getOwner(), path);
        assertEquals(new FsPermission((short) 0700), status.getPermission(), path);
      }
      asEve(
          cluster,
          eve -> assertThrows(AccessControlException.class, () -> eve.listStatus(stripes)));
    }
  }

  /** Whoever wrote them, the daemon would carry them out as the superuser. */
  @Test
  void policiesOfOthersAreSetAside() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(new EmbeddedSettings(1, 1, 8192, directory, Map.of()));
        DistributedFileSystem fs = cluster.fileSystem()) {
      fs.setPermission(new Path("/"), new FsPermission((short) 0777));
      Path policies = new Path(BraidPaths.POLICIES);
      asEve(cluster, eve -> eve.create(new Path(policies, "00000001.json")).close());
      acquire(cluster);
      assertFalse(fs.exists(policies));
      fs.create(new Path(policies, "00000001.json")).close();
      acquire(cluster);
      assertTrue(fs.exists(policies));
      assertEquals(
          1,
          Arrays.stream(fs.listStatus(new Path(BraidPaths.ROOT)))
              .filter(status -> status.getPath().getName().startsWith("policies-set-aside-"))
              .count());
    }
  }

  /** As policies may be added before anything else. */
  @Test
  void aClusterWhoseFirstFileIsAPolicyHasTheLatestFormat() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(new EmbeddedSettings(1, 1, 8192, directory, Map.of()));
        DistributedFileSystem fs = cluster.fileSystem()) {
      Path policies = new Path(BraidPaths.POLICIES);
      fs.mkdirs(policies);
      acquire(cluster);
      assertTrue(fs.exists(policies));
      assertEquals(
          String.valueOf(StripeAttribute.LATEST),
          new String(
              fs.getXAttr(new Path(BraidPaths.ROOT), BraidPaths.FORMAT_XATTR),
              StandardCharsets.UTF_8));
    }
  }

  /** As several commands may be, on paths of their own. */
  @Test
  void severalMayBeTheFirstOnesAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(new EmbeddedSettings(1, 1, 8192, directory, Map.of()));
        DistributedFileSystem fs = cluster.fileSystem()) {
      Path root = new Path(BraidPaths.ROOT);
      NameNodeHost host = Plugins.of(cluster.nameNode()).host();
      List<Callable<Boolean>> callers =
          Collections.nCopies(
              8,
              () -> {
                OwnDirectories.make(host);
                return true;
              });
      for (int round = 0; round < 20; round++) {
        for (Future<Boolean> made : threads.invokeAll(callers)) {
          assertTrue(made.get());
        }
        assertEquals(
            String.valueOf(StripeAttribute.LATEST),
            new String(fs.getXAttr(root, BraidPaths.FORMAT_XATTR), StandardCharsets.UTF_8));
        assertTrue(fs.delete(root, true));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aFileInTheirPlaceIsNamed() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(new EmbeddedSettings(1, 1, 8192, directory, Map.of()));
        DistributedFileSystem fs = cluster.fileSystem()) {
      fs.setPermission(new Path("/"), new FsPermission((short) 0777));
      asEve(cluster, eve -> eve.create(new Path(BraidPaths.ROOT)).close());
      IOException refused = assertThrows(IOException.class, () -> acquire(cluster));
      assertTrue(
          String.valueOf(refused.getMessage())
              .contains(
                  "/.braid is a file of user eve, and Braid needs a directory there: move it away"),
          refused.getMessage());
    }
  }
}
