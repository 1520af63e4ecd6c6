package org.braid.hdfs.secure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.view.CheckReport;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pages and WebHDFS over HTTPS, with SPNEGO. */
@Tag("kerberos")
final class SecureWebTest {
  private static final String FILE = "/web/f";
  private static final String OPEN = "/webhdfs/v1" + FILE + "?op=OPEN";

  private static SecureCluster cluster;
  private static UserGroupInformation alice;
  private static UserGroupInformation eve;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecureCluster.shared();
    alice = cluster.realm.user("alice");
    eve = cluster.realm.user("eve");
    cluster.convertSecret(alice, FILE, Seeds.random(SecureWebTest.class));
  }

  @Test
  void nobodyIsServedWithoutTicket() throws Exception {
    for (String page :
        List.of(
            OPEN,
            OPEN + "&user.name=alice",
            "/webhdfs/v1" + FILE + "?op=TRUNCATE&newlength=1",
            "/fsck?path=/&delete=1",
            "/conf",
            "/braid",
            "/braid.json")) {
      assertEquals(401, cluster.get(page, false).getResponseCode(), page);
    }
  }

  @Test
  void anotherUsersTicketReadsNothing() throws Exception {
    String page = "/webhdfs/v1" + FILE + "?op=GETFILEBLOCKLOCATIONS";
    assertEquals(403, SecureCluster.ask(eve, () -> cluster.get(page, true)).getResponseCode());
    assertEquals(200, SecureCluster.ask(alice, () -> cluster.get(page, true)).getResponseCode());
  }

  /** Under the same rule as HDFS's own figures. */
  @Test
  void whoHasATicketSeesThePage() throws Exception {
    for (String page : List.of("/braid", "/braid.json", "/jmx")) {
      assertEquals(
          200, SecureCluster.ask(eve, () -> cluster.get(page, true)).getResponseCode(), page);
    }
  }

  @Test
  void checkReadsTheDaemonsPages() throws Exception {
    CheckReport report =
        SecureCluster.ask(
            cluster.operator, () -> Braid.check(cluster.connection(), List.of(SecureCluster.CODE)));
    assertEquals(
        List.of(),
        report.findings().stream()
            .filter(finding -> finding.severity() == CheckReport.Severity.ERROR)
            .toList());
    assertEquals(
        List.of(),
        report.findings().stream().filter(finding -> finding.problem().contains("conf")).toList());
  }
}
