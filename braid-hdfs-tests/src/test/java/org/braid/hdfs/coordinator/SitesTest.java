package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.site.LocalityGroups;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SiteRules;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Three sites of three racks, named /siteS/rackR: what is promised of sites is kept. */
final class SitesTest {
  private static final Random RANDOM = Seeds.random(SitesTest.class);
  private static final int SITES = 3;

  @RegisterExtension
  static final SharedCluster fixture = new SharedCluster(SITES, 9, 27, ClusterFixture.PATIENT);

  @AfterEach
  void wakeAll() throws Exception {
    fixture.startAll();
  }

  private static String converted(ErasureCode code, String sites) throws Exception {
    String directory = "/" + code.name() + "-" + sites + RANDOM.nextInt(1 << 20);
    fixture.write(directory + "/f", code.k() * ClusterFixture.BLOCK - 5, 3, RANDOM);
    assertEquals(
        List.of(), fixture.convert(code.name(), Optional.of(sites), 1, directory).skipped());
    fixture.assertConverted(directory);
    return directory + "/f";
  }

  private static void assertCodeAware(ErasureCode code, String path) throws Exception {
    List<Integer> homes = fixture.homes(Movers.stripeOf(fixture, path));
    for (List<Integer> group : LocalityGroups.of(code)) {
      Set<Integer> sites = new HashSet<>();
      group.forEach(block -> sites.add(fixture.site(homes.get(block))));
      assertEquals(1, sites.size(), group + " at " + sites);
    }
    assertEquals(homes.size(), new HashSet<>(homes).size());
    fixture.assertClean(path);
    fixture.assertReads(path);
  }

  /** Each locality group at one site, also after a repair, which stays there with all it reads. */
  @ParameterizedTest
  @ValueSource(strings = {"mxor-10-7", "lrc-10-2-2"})
  void localityGroupsStayAtTheirSite(String name) throws Exception {
    ErasureCode code = Codes.named(name);
    String path = converted(code, "code-aware");
    assertCodeAware(code, path);
    int down = fixture.homes(Movers.stripeOf(fixture, path)).get(RANDOM.nextInt(code.k()));
    fixture.hdfs.stopNode(down);
    fixture.assertReadsDegraded(path);
    RepairReport report = fixture.repair(path, "chain");
    assertEquals(1, report.repaired().size(), report.toString());
    report
        .examples()
        .get(0)
        .nodes()
        .forEach(
            node ->
                assertTrue(
                    node.rack().startsWith("/site" + fixture.site(down) + "/"), node.toString()));
    assertCodeAware(code, path);
  }

  /** What was written for a placement over sites is converted with it where it is. */
  @ParameterizedTest
  @CsvSource({"rs-6-3,even", "mxor-10-7,code-aware"})
  void whatIsWrittenForSitesStaysThere(String name, String sites) throws Exception {
    ErasureCode code = Codes.named(name);
    String directory = "/written-" + name;
    fixture.ear(directory, name + ",placement=" + sites);
    int blocks = code.k() + 5;
    fixture.write(directory + "/f", blocks * ClusterFixture.BLOCK - 5, 3, RANDOM);
    ConvertReport report = fixture.convert(name, Optional.of(sites), 1, directory);
    assertEquals(List.of(), report.skipped());
    assertEquals(blocks, report.dataBlocks());
    assertEquals(0, report.relocatedBlocks());
    assertEquals(0, report.crossRackDataBlocks());
    fixture.assertConverted(directory);
    fixture.assertClean(directory);
    fixture.assertReads(directory + "/f");
  }

  /** Without the option, so that the one above shows something. */
  @Test
  void whatIsWrittenForRacksIsMovedBetweenSites() throws Exception {
    int relocated = 0;
    // One stripe at a time: of many blocks, conversion chooses those that stand well together.
    for (int i = 0; i < 8; i++) {
      String directory = "/racks" + i;
      fixture.ear(directory, "lrc-10-2-2,placement=racks");
      fixture.write(directory + "/f", 10 * ClusterFixture.BLOCK, 3, RANDOM);
      ConvertReport report = fixture.convert("lrc-10-2-2", Optional.of("code-aware"), 1, directory);
      assertEquals(List.of(), report.skipped());
      relocated += report.relocatedBlocks();
    }
    assertTrue(relocated > 0, relocated + " relocated");
  }

  /** Files of fewer than k blocks share stripes, after a restart too. */
  @Test
  void stripesAcrossFilesKeepTheirSitesAfterARestart() throws Exception {
    fixture.ear("/small", "lrc-10-2-2,placement=code-aware,across");
    int blocks = 0;
    for (int i = 0; i < 30; i++) {
      if (i == 15) {
        fixture.restartNameNode();
      }
      int count = 4 + i % 4;
      fixture.write("/small/" + i, count * ClusterFixture.BLOCK - i % 2, 3, RANDOM);
      blocks += count;
    }
    ErasureCode code = Codes.named("lrc-10-2-2");
    ForeseenStripes foreseen =
        ForeseenStripes.of(
            fixture,
            "/small",
            nodes -> SiteRules.on(code, SitePolicies.CODE_AWARE, OptionalInt.empty(), nodes));
    ConvertReport report = fixture.convert("lrc-10-2-2", Optional.of("code-aware"), 1, "/small");
    assertEquals(List.of(), report.skipped());
    assertEquals(blocks, report.dataBlocks());
    foreseen.assertFormed(report);
    fixture.assertConverted("/small");
    fixture.assertClean("/small");
  }

  @Test
  void evenMeansAsManyAtEachSite() throws Exception {
    String path = converted(Codes.named("rs-6-3"), "even");
    List<Integer> homes = fixture.homes(Movers.stripeOf(fixture, path));
    int[] held = new int[SITES];
    homes.forEach(node -> held[fixture.site(node)]++);
    assertEquals(List.of(3, 3, 3), Arrays.stream(held).boxed().toList());
    // A whole site may go: nothing is lost, and nothing is crammed into the others.
    List<Integer> lost =
        IntStream.range(0, fixture.hdfs.nodes())
            .filter(node -> fixture.site(node) == 1)
            .boxed()
            .toList();
    lost.forEach(fixture.hdfs::stopNode);
    fixture.assertReadsDegraded(path);
    for (int node : lost) {
      fixture.hdfs.awaitDead(node);
    }
    RepairReport report = fixture.repair(path, "racktree");
    assertEquals(3, report.unrepairable().size());
    String reason = report.unrepairable().get(0).reason();
    assertTrue(reason.contains("3 are to be placed") && reason.contains("3 at a site"), reason);
  }

  @Test
  void aBlockAtTheWrongSiteIsFoundAndMovedBack() throws Exception {
    ErasureCode code = Codes.named("lrc-10-2-2");
    String path = converted(code, "code-aware");
    StripeStatus stripe = Movers.stripeOf(fixture, path);
    List<Integer> homes = fixture.homes(stripe);
    int from = homes.get(3);
    int to =
        IntStream.range(0, fixture.hdfs.nodes())
            .filter(node -> fixture.site(node) != fixture.site(from) && !homes.contains(node))
            .findFirst()
            .orElseThrow();
    Movers.move(fixture, stripe.stripe().member(3).block(), from, to);
    var finding = fixture.fsck(path).files().get(0).findings().get(0);
    assertEquals(State.DEGRADED, finding.state());
    assertTrue(
        finding.why().contains("promised to be at one site, /site" + fixture.site(from)),
        finding.why());
    assertEquals(1, fixture.repair(path, "chain").repaired().size());
    fixture.assertConverted(path);
    assertCodeAware(code, path);
  }

  @Test
  void aPromiseThatTheSitesCannotKeepIsRefused() throws Exception {
    fixture.write("/refused/f", 10 * ClusterFixture.BLOCK, 3, RANDOM);
    for (String[] wrong :
        new String[][] {
          {"rstair-n5-r4-m1-e2-l1", "code-aware", "keeps its 5 columns in racks"},
          {"rs-20-9", "even", "needs places for 29 blocks"}
        }) {
      RefusedException e =
          assertThrows(
              RefusedException.class,
              () -> fixture.convert(wrong[0], Optional.of(wrong[1]), 1, "/refused"),
              wrong[0]);
      assertTrue(e.getMessage().contains(wrong[2]), e.getMessage());
    }
    assertEquals(3, fixture.files("/refused/f").get(0).replication());
  }
}
