package org.braid.hdfs.secure;

import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever HDFS lets read a file reads its lost blocks, however that reader proved who it is. */
@Tag("kerberos")
final class SecureReadersTest {
  private static final String FILE = "/readers/f";

  private static SecureCluster cluster;
  private static UserGroupInformation alice;

  @BeforeAll
  static void loseNode() throws Exception {
    cluster = SecureCluster.shared();
    alice = cluster.realm.user("alice");
    Random random = Seeds.random(SecureReadersTest.class);
    SecureCluster.as(
        alice,
        () -> {
          cluster.write(FILE, 6 * SecureCluster.BLOCK + 1, random);
          cluster.restrict(FILE);
        });
    cluster.convert(FILE);
    cluster.hdfs.stopNode(cluster.nodeOf(FILE));
  }

  @AfterAll
  static void heal() throws Exception {
    cluster.heal();
  }

  private static void assertReadsLostBlocks(UserGroupInformation reader) throws Exception {
    SecureCluster.as(
        reader,
        () -> {
          try (FileSystem fs = cluster.degraded()) {
            cluster.assertReads(fs, FILE);
          }
        });
  }

  @Test
  void readsWithAKeytab() throws Exception {
    assertReadsLostBlocks(alice);
  }

  @Test
  void readsWithATicket() throws Exception {
    Path cache = cluster.realm.ticketCache("alice", 3600);
    assertReadsLostBlocks(UserGroupInformation.getUGIFromTicketCache(cache.toString(), null));
  }

  @Test
  void taskOfAJobReadsWithADelegationTokenAlone() throws Exception {
    UserGroupInformation task = UserGroupInformation.createRemoteUser("alice");
    SecureCluster.as(
        alice,
        () -> {
          try (DistributedFileSystem fs = cluster.plain()) {
            task.addToken(fs.getDelegationToken("alice"));
          }
        });
    assertReadsLostBlocks(task);
  }

  @Test
  void serviceReadsInTheNameOfAUser() throws Exception {
    assertReadsLostBlocks(
        UserGroupInformation.createProxyUser("alice", cluster.realm.user(SecureCluster.PROXY)));
  }

  @Test
  void superuserReads() throws Exception {
    assertReadsLostBlocks(cluster.operator);
  }
}
