package org.braid.hdfs.secure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.view.CheckReport;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicySet;
import org.braid.testing.Await;
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

  /** Which the NameNode reads from DataNodes, as itself, and tells who may read them. */
  @Test
  void thePageKnowsThePolicies() throws Exception {
    Policy none =
        Policy.of("none", false, Action.CONVERT, Map.of("path", "/none/**", "code", "rs-4-2"));
    try (Cluster braid = SecureCluster.ask(cluster.operator, cluster::braid)) {
      SecureCluster.ask(
          cluster.operator,
          () ->
              braid
                  .policies()
                  .change("for a test", before -> before.with(new PolicySet(List.of(none)))));
    }
    JsonNode seen =
        Await.until(
            "the page to know the policy",
            Duration.ofSeconds(60),
            () ->
                new ObjectMapper()
                    .readTree(
                        SecureCluster.ask(cluster.operator, () -> cluster.get("/braid.json", true))
                            .getInputStream()),
            page -> page.at("/policies/policies").size() == 1);
    assertEquals("", seen.at("/policies/problem").asText());
    assertEquals("none", seen.at("/policies/policies/0/name").asText());
    for (String page : List.of("/braid", "/braid.json")) {
      String told =
          new String(
              SecureCluster.ask(eve, () -> cluster.get(page, true)).getInputStream().readAllBytes(),
              StandardCharsets.UTF_8);
      assertTrue(told.contains("healthy"), told);
      assertFalse(told.contains("/none/**"), told);
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
