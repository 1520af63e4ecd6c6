package org.braid.hdfs.secure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A coordinator lives longer than its tickets: when several have expired it rebuilds blocks for
 * readers, over WebHDFS with SPNEGO and by HDFS's client.
 */
@Tag("kerberos")
final class SecureCoordinatorTest {
  private static final int LIFE_SECONDS = 5;
  private static final int LIVES = 2;

  private static SecureCluster cluster;
  private static UserGroupInformation alice;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecureCluster.shared();
    alice = cluster.realm.user("alice");
  }

  @AfterEach
  void heal() throws Exception {
    cluster.heal();
  }

  private interface Meanwhile {
    void happen() throws Exception;
  }

  private static void outlivesItsTickets(
      String name, Map<String, String> properties, Optional<Path> tickets, Meanwhile renewal)
      throws Exception {
    String path = "/" + name + "/f";
    Random random = Seeds.random(SecureCoordinatorTest.class);
    SecureCluster.as(alice, () -> cluster.write(path, 3 * SecureCluster.BLOCK, random));
    cluster.convert(path);
    Path kerberos = cluster.realm.configuration(name + ".conf", LIFE_SECONDS + "s");
    try (CoordinatorProcess coordinator =
        CoordinatorProcess.start(cluster, name, properties, kerberos, tickets)) {
      for (int life = 0; life < LIVES; life++) {
        Instant end = Instant.now().plusSeconds(LIFE_SECONDS + 1);
        renewal.happen();
        Await.until("a ticket to expire", Duration.ofMinutes(1), () -> Instant.now().isAfter(end));
      }
      int lost = cluster.nodeOf(path);
      cluster.hdfs.stopNode(lost);
      cluster.awaitSuspect(lost);
      HttpURLConnection answer =
          SecureCluster.ask(alice, () -> cluster.get("/webhdfs/v1" + path + "?op=OPEN", true));
      assertEquals(307, answer.getResponseCode(), answer.getResponseMessage());
      String target = answer.getHeaderField("Location");
      assertFalse(target.contains("//" + cluster.hdfs.nodeName(lost) + ":"), target);
      SecureCluster.as(
          alice,
          () -> {
            try (FileSystem fs = cluster.plain()) {
              cluster.assertReads(fs, path);
            }
          });
      assertEquals(
          List.of(),
          coordinator.journal().stream().filter(line -> line.contains("lease is lost")).toList());
    }
  }

  @Test
  void withAKeytab() throws Exception {
    outlivesItsTickets(
        "keytab",
        Map.of(
            "braid.keytab.file", cluster.realm.keytabOf("ops").toString(),
            "braid.kerberos.principal", cluster.realm.principal("ops")),
        Optional.empty(),
        () -> {});
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void withTicketsThatAreRenewedBesideIt() throws Exception {
    int life = 2 * LIFE_SECONDS;
    Path cache = cluster.realm.ticketCache("ops", life);
    outlivesItsTickets(
        "tickets",
        Map.of(),
        Optional.of(cache),
        () -> assertEquals(cache, cluster.realm.ticketCache("ops", life)));
  }
}
