package org.braid.hdfs.secure;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.braid.hdfs.client.BraidFileSystem;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Readers that reach a secure cluster through a router, with Kerberos, delegation tokens and on
 * behalf of others: who may ask the NameNode itself reads through lost blocks, and else waits.
 */
@Tag("kerberos")
final class SecureRouterTest {
  private static final String FILE = "/routed/f";

  private static SecureCluster cluster;
  private static RouterProcess router;
  private static UserGroupInformation alice;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecureCluster.behindRouter();
    alice = cluster.realm.user("alice");
    Random random = Seeds.random(SecureRouterTest.class);
    cluster.convertSecret(alice, FILE, random);
    router = RouterProcess.start(cluster);
    readsAs(alice, true);
    readsAs(alice, false);
    cluster.hdfs.stopNode(cluster.nodeOf(FILE));
  }

  @AfterAll
  static void stop() throws Exception {
    if (router != null) {
      router.close();
    }
    if (cluster != null) {
      cluster.hdfs.close();
    }
  }

  /**
   * The router as the present user's file system.
   *
   * @param knows whether the client's configuration names the NameNode, too
   */
  private static FileSystem client(boolean knows) throws IOException {
    Configuration conf = cluster.hdfs.configuration();
    conf.set("fs.hdfs.impl", BraidFileSystem.class.getName());
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, router.uri());
    conf.set("dfs.namenode.kerberos.principal.pattern", "*");
    conf.unset("dfs.nameservices");
    if (knows) {
      RouterProcess.services(cluster).forEach(conf::set);
    }
    return FileSystem.newInstance(URI.create(router.uri()), conf);
  }

  private static void readsAs(UserGroupInformation reader, boolean knows) throws Exception {
    SecureCluster.as(
        reader,
        () -> {
          try (FileSystem fs = client(knows)) {
            cluster.assertReads(fs, FILE);
          }
        });
  }

  /** A task of alice's job, which has tokens and nothing else. */
  private static UserGroupInformation task(boolean ofNameNode) throws Exception {
    UserGroupInformation task = UserGroupInformation.createRemoteUser("alice");
    SecureCluster.as(
        alice,
        () -> {
          try (FileSystem fs = client(true)) {
            Token<?> token = fs.getDelegationToken("alice");
            task.addToken(token);
          }
          if (ofNameNode) {
            try (DistributedFileSystem fs = cluster.plain()) {
              task.addToken(fs.getDelegationToken("alice"));
            }
          }
        });
    return task;
  }

  @Test
  void whoHasATicketReadsLostBlocks() throws Exception {
    readsAs(alice, true);
  }

  @Test
  void aServiceReadsThemInTheNameOfAUser() throws Exception {
    readsAs(
        UserGroupInformation.createProxyUser("alice", cluster.realm.user(SecureCluster.PROXY)),
        true);
  }

  @Test
  void aTaskWithTokensOfBothReadsThem() throws Exception {
    readsAs(task(true), true);
  }

  @Test
  void whoMayNotReadTheFileIsRefused() throws Exception {
    UserGroupInformation eve = cluster.realm.user("eve");
    Throwable refused = SecureAttacksTest.refusal(eve, () -> readsAs(eve, true));
    assertTrue(refused.getMessage().contains("Permission denied: user=eve"), refused.toString());
  }

  /** The NameNode knows no token of a router: HDFS's own waiting and errors stand. */
  @Test
  void aTaskWithTheRoutersTokenAloneWaitsForTheRepair() throws Exception {
    UserGroupInformation task = task(false);
    assertThrows(BlockMissingException.class, () -> readsAs(task, true));
    try (CoordinatorProcess coordinator =
        CoordinatorProcess.start(
            cluster,
            "routed-daemon",
            Map.of(),
            cluster.realm.configuration("routed.conf", "24h"),
            Optional.of(cluster.realm.ticketCache("ops", 3600)))) {
      readsAs(task, true);
      coordinator.await("1 blocks rebuilt");
    }
    cluster.heal();
    cluster.hdfs.stopNode(cluster.nodeOf(FILE));
  }
}
