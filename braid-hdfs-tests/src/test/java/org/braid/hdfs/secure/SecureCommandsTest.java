package org.braid.hdfs.secure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands of an operator in a process of their own, who logs in by a ticket or by a keytab. */
@Tag("kerberos")
final class SecureCommandsTest {
  private static SecureCluster cluster;
  private static UserGroupInformation alice;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecureCluster.shared();
    alice = cluster.realm.user("alice");
  }

  /** What commands on a new file of alice's say in the end. */
  private static String commands(
      String path, Map<String, String> properties, Optional<Path> tickets) throws Exception {
    Random random = Seeds.random(SecureCommandsTest.class);
    SecureCluster.as(alice, () -> cluster.write(path, 3 * SecureCluster.BLOCK, random));
    Path kerberos = cluster.realm.configuration("commands.conf", "1h");
    String said = CommandsProcess.run(cluster, properties, kerberos, tickets, path);
    SecureCluster.as(
        alice,
        () -> {
          try (DistributedFileSystem fs = cluster.plain()) {
            cluster.assertReads(fs, path);
            assertEquals(3, fs.getFileStatus(new org.apache.hadoop.fs.Path(path)).getReplication());
          }
        });
    return said;
  }

  @Test
  void withATicket() throws Exception {
    Path cache = cluster.realm.ticketCache("ops", 3600);
    assertEquals(CommandsProcess.DONE, commands("/commands/ticket", Map.of(), Optional.of(cache)));
  }

  @Test
  void withAKeytab() throws Exception {
    assertEquals(
        CommandsProcess.DONE,
        commands(
            "/commands/keytab",
            Map.of(
                "braid.keytab.file", cluster.realm.keytabOf("ops").toString(),
                "braid.kerberos.principal", cluster.realm.principal("ops")),
            Optional.empty()));
  }

  @Test
  void anExpiredTicketIsNamedInOneLine() throws Exception {
    Path cache = cluster.realm.expiredTicketCache("ops");
    String said = commands("/commands/expired", Map.of(), Optional.of(cache));
    assertEquals(1, said.lines().count(), said);
    assertTrue(said.contains("there is no valid ticket: run kinit"), said);
  }

  @Test
  void checkWithoutATicketSaysSoInOneLine() throws Exception {
    Path kerberos = cluster.realm.configuration("check.conf", "1h");
    String said = CommandsProcess.check(cluster, Map.of(), kerberos, Optional.empty());
    assertEquals(1, said.lines().count(), said);
    assertTrue(said.contains("there is no valid ticket: run kinit"), said);
  }

  @Test
  void aWrongKeytabIsNamedInOneLine() throws Exception {
    Path kerberos = cluster.realm.configuration("check.conf", "1h");
    String ops = cluster.realm.principal("ops");
    Path missing = Path.of("target", "no.keytab").toAbsolutePath();
    assertEquals(
        "braid.keytab.file = " + missing + ": there is no such file, or this user may not read it",
        CommandsProcess.check(cluster, login(missing, ops), kerberos, Optional.empty()));
    Path others = cluster.realm.keytabOf("alice");
    assertEquals(
        "braid.keytab.file = "
            + others
            + " has no key of "
            + ops
            + ": klist -kt lists whose keys are in it, and braid.kerberos.principal names one",
        CommandsProcess.check(cluster, login(others, ops), kerberos, Optional.empty()));
  }

  private static Map<String, String> login(Path keytab, String principal) {
    return Map.of("braid.keytab.file", keytab.toString(), "braid.kerberos.principal", principal);
  }
}
