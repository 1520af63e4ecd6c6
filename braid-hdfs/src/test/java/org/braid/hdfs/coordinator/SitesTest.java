package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.placement.site.LocalityGroups;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Three sites of three racks, named /siteS/rackR: what is promised of sites is kept. */
final class SitesTest {
  private static final Random RANDOM = Seeds.random(SitesTest.class);
  private static final int SITES = 3;
  private static Lab lab;

  @BeforeAll
  static void start() throws Exception {
    lab = new Lab(SITES, 9, 27, Map.of());
  }

  @AfterAll
  static void stop() throws Exception {
    lab.close();
  }

  @AfterEach
  void wakeAll() throws Exception {
    lab.startAll();
  }

  private static String converted(ErasureCode code, String sites) throws Exception {
    String directory = "/" + code.name() + "-" + sites + RANDOM.nextInt(1 << 20);
    lab.write(directory + "/f", code.k() * Lab.BLOCK - 5, 3, RANDOM);
    assertEquals(List.of(), lab.convert(code.name(), Optional.of(sites), 1, directory).skipped());
    lab.assertConverted(directory);
    return directory + "/f";
  }

  private static void assertCodeAware(ErasureCode code, String path) throws Exception {
    List<Integer> homes = lab.homes(Movers.stripeOf(lab, path));
    for (List<Integer> group : LocalityGroups.of(code)) {
      Set<Integer> sites = new HashSet<>();
      group.forEach(block -> sites.add(lab.site(homes.get(block))));
      assertEquals(1, sites.size(), group + " at " + sites);
    }
    assertEquals(homes.size(), new HashSet<>(homes).size());
    lab.assertClean(path);
    lab.assertReads(path);
  }

  /** Each locality group at one site, also after a repair, which stays there with all it reads. */
  @ParameterizedTest
  @ValueSource(strings = {"mxor-10-7", "lrc-10-2-2"})
  void localityGroupsStayAtTheirSite(String name) throws Exception {
    ErasureCode code = Codes.named(name);
    String path = converted(code, "code-aware");
    assertCodeAware(code, path);
    int down = lab.homes(Movers.stripeOf(lab, path)).get(RANDOM.nextInt(code.k()));
    lab.hdfs.stopNode(down);
    lab.assertReadsDegraded(path);
    RepairReport report = lab.repair(path, "chain");
    assertEquals(1, report.repaired().size(), report.toString());
    report
        .examples()
        .get(0)
        .nodes()
        .forEach(
            node ->
                assertTrue(
                    node.rack().startsWith("/site" + lab.site(down) + "/"), node.toString()));
    assertCodeAware(code, path);
  }

  /** What was written for a placement over sites is converted with it where it is. */
  @ParameterizedTest
  @CsvSource({
    "rs-6-3,even",
    "lrc-10-2-2,code-aware",
    "xorbas-10-6-5,code-aware",
    "mxor-10-7,code-aware"
  })
  void whatIsWrittenForSitesStaysThere(String name, String sites) throws Exception {
    ErasureCode code = Codes.named(name);
    String directory = "/written-" + name;
    lab.ear(directory, name + ",placement=" + sites);
    int blocks = 2 * code.k() + 5;
    lab.write(directory + "/f", blocks * Lab.BLOCK - 5, 3, RANDOM);
    ConvertReport report = lab.convert(name, Optional.of(sites), 1, directory);
    assertEquals(List.of(), report.skipped());
    assertEquals(blocks, report.dataBlocks());
    assertEquals(0, report.relocatedBlocks());
    assertEquals(0, report.crossRackDataBlocks());
    lab.assertConverted(directory);
    lab.assertClean(directory);
    lab.assertReads(directory + "/f");
  }

  /** Without the option, so that the one above shows something. */
  @Test
  void whatIsWrittenForRacksIsMovedBetweenSites() throws Exception {
    lab.ear("/racks", "lrc-10-2-2,placement=racks");
    lab.write("/racks/f", 20 * Lab.BLOCK, 3, RANDOM);
    ConvertReport report = lab.convert("lrc-10-2-2", Optional.of("code-aware"), 1, "/racks");
    assertEquals(List.of(), report.skipped());
    assertTrue(report.relocatedBlocks() > 0, report.relocatedBlocks() + " relocated");
  }

  /** Files of fewer than k blocks share stripes, after a restart too. */
  @Test
  void stripesAcrossFilesKeepTheirSitesAfterARestart() throws Exception {
    lab.ear("/small", "lrc-10-2-2,placement=code-aware,across");
    int blocks = 0;
    for (int i = 0; i < 60; i++) {
      if (i == 30) {
        lab.restartNameNode();
      }
      int count = 1 + i % 4;
      lab.write("/small/" + i, count * Lab.BLOCK - i % 2, 3, RANDOM);
      blocks += count;
    }
    for (int i = 9; i < 60; i += 20) {
      lab.fs.delete(new Path("/small/" + i), false);
      blocks -= 1 + i % 4;
    }
    ConvertReport report = lab.convert("lrc-10-2-2", Optional.of("code-aware"), 1, "/small");
    assertEquals(List.of(), report.skipped());
    assertEquals(blocks, report.dataBlocks());
    assertEquals(0, report.relocatedBlocks(), report.grouping().toString());
    // Of stripes that were never full a block may be left over, which alone is not worth parity.
    assertTrue(report.crossRackDataBlocks() <= 1, report.grouping().toString());
    lab.assertConverted("/small");
    lab.assertClean("/small");
  }

  @Test
  void evenMeansAsManyAtEachSite() throws Exception {
    String path = converted(Codes.named("rs-6-3"), "even");
    List<Integer> homes = lab.homes(Movers.stripeOf(lab, path));
    int[] held = new int[SITES];
    homes.forEach(node -> held[lab.site(node)]++);
    assertEquals(List.of(3, 3, 3), Arrays.stream(held).boxed().toList());
    // A whole site may go: nothing is lost, and nothing is crammed into the others.
    IntStream.range(0, lab.hdfs.nodes())
        .filter(node -> lab.site(node) == 1)
        .forEach(lab.hdfs::stopNode);
    lab.assertReadsDegraded(path);
    RepairReport report = lab.repair(path, "racktree");
    assertEquals(3, report.unrepairable().size());
    String reason = report.unrepairable().get(0).reason();
    assertTrue(reason.contains("3 are to be placed") && reason.contains("3 at a site"), reason);
  }

  @Test
  void aBlockAtTheWrongSiteIsFoundAndMovedBack() throws Exception {
    ErasureCode code = Codes.named("lrc-10-2-2");
    String path = converted(code, "code-aware");
    StripeStatusProto stripe = Movers.stripeOf(lab, path);
    List<Integer> homes = lab.homes(stripe);
    int from = homes.get(3);
    int to =
        IntStream.range(0, lab.hdfs.nodes())
            .filter(node -> lab.site(node) != lab.site(from) && !homes.contains(node))
            .findFirst()
            .orElseThrow();
    Movers.move(lab, stripe.getStripe().getMembers(3).getBlock(), from, to);
    var finding = lab.fsck(path).files().get(0).findings().get(0);
    assertEquals(State.DEGRADED, finding.state());
    assertTrue(
        finding.why().contains("promised to be at one site, /site" + lab.site(from)),
        finding.why());
    assertEquals(1, lab.repair(path, "chain").repaired().size());
    lab.assertConverted(path);
    assertCodeAware(code, path);
  }

  @Test
  void aPromiseThatTheSitesCannotKeepIsRefused() throws Exception {
    lab.write("/refused/f", 10 * Lab.BLOCK, 3, RANDOM);
    for (String[] wrong :
        new String[][] {
          {"rstair-n5-r4-m1-e2-l1", "code-aware", "keeps its 5 columns in racks"},
          {"rs-20-9", "even", "needs places for 29 blocks"}
        }) {
      RefusedException e =
          assertThrows(
              RefusedException.class,
              () -> lab.convert(wrong[0], Optional.of(wrong[1]), 1, "/refused"),
              wrong[0]);
      assertTrue(e.getMessage().contains(wrong[2]), e.getMessage());
    }
    assertEquals(3, lab.files("/refused/f").get(0).getReplication());
  }
}
