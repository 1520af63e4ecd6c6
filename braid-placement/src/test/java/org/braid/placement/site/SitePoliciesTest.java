package org.braid.placement.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class SitePoliciesTest {
  private static final List<String> CODES =
      List.of("mxor-10-7", "xorbas-10-6-5", "lrc-10-2-2", "rs-10-4");

  private static SiteLayout place(
      SitePolicy policy, String code, Topology topology, int copies, Random random) {
    return policy.place(
        new SiteRequest(EligibleNodes.all(topology), Codes.named(code), copies, 4), random);
  }

  /** Geo-MXOR section VII-D: five groups of MXOR, three of Xorbas. */
  @Test
  void groupsAreThoseOfThePaper() {
    assertEquals(
        List.of(
            List.of(0, 5, 10),
            List.of(1, 6, 11),
            List.of(2, 7, 12),
            List.of(3, 8, 13),
            List.of(4, 9, 14),
            List.of(15, 16)),
        LocalityGroups.of(Codes.named("mxor-10-7")));
    assertEquals(
        List.of(List.of(0, 1, 2, 3, 4, 14), List.of(5, 6, 7, 8, 9, 15), List.of(10, 11, 12, 13)),
        LocalityGroups.of(Codes.named("xorbas-10-6-5")));
    assertEquals(
        List.of(List.of(0, 1, 2, 3, 4, 10), List.of(5, 6, 7, 8, 9, 11), List.of(12), List.of(13)),
        LocalityGroups.of(Codes.named("lrc-10-2-2")));
    assertEquals(14, LocalityGroups.of(Codes.named("rs-10-4")).size());
  }

  @Test
  void placesAreDistinctEligibleAndWithinTheRacks() {
    Random random = Seeds.random(getClass());
    for (int round = 0; round < 60; round++) {
      Topology topology = Topology.of(3 + random.nextInt(3), 3, 8);
      boolean[] dead = new boolean[topology.nodes()];
      random.ints(topology.nodes() / 8, 0, dead.length).forEach(node -> dead[node] = true);
      EligibleNodes eligible = EligibleNodes.of(topology, node -> !dead[node]);
      for (String name : CODES) {
        ErasureCode code = Codes.named(name);
        int copies = 1 + random.nextInt(3);
        for (SitePolicy policy : SitePolicies.all()) {
          SiteLayout layout = policy.place(new SiteRequest(eligible, code, copies, 5), random);
          int[] nodes = Arrays.stream(layout.nodes()).flatMapToInt(Arrays::stream).toArray();
          assertEquals(code.k() + copies * code.m(), nodes.length);
          assertEquals(nodes.length, Arrays.stream(nodes).distinct().count());
          assertTrue(Arrays.stream(nodes).allMatch(eligible::contains));
          if (policy != SitePolicies.UNAWARE) {
            int[] inRack = new int[topology.racks()];
            Arrays.stream(nodes).forEach(node -> inRack[topology.rackOf(node)]++);
            assertTrue(Arrays.stream(inRack).allMatch(count -> count <= 5));
            for (int block = code.k(); block < code.n(); block++) {
              assertEquals(
                  copies,
                  Arrays.stream(layout.nodes()[block]).map(topology::siteOf).distinct().count());
            }
          }
        }
      }
    }
  }

  @Test
  void evenSplitDiffersByAtMostOne() {
    Random random = Seeds.random(getClass());
    for (String name : CODES) {
      for (int sites = 1; sites <= 5; sites++) {
        SiteLayout layout = place(SitePolicies.EVEN, name, Topology.of(sites, 5, 5), 1, random);
        int[] count = layout.blocksPerSite();
        int most = Arrays.stream(count).max().orElseThrow();
        assertTrue(most - Arrays.stream(count).min().orElseThrow() <= 1, Arrays.toString(count));
      }
    }
  }

  /** What the heuristic is for: data of codes with locality is rebuilt without other sites. */
  @Test
  void codeAwarePlacementRepairsWithinTheSite() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(3, 3, 5);
    double unaware = 0;
    for (int round = 0; round < 20; round++) {
      for (String name : List.of("mxor-10-7", "xorbas-10-6-5", "lrc-10-2-2")) {
        SiteLayout aware = place(SitePolicies.CODE_AWARE, name, topology, 1, random);
        assertEquals(0, aware.meanCrossSiteReads(), name);
        for (List<Integer> group : LocalityGroups.of(Codes.named(name))) {
          assertEquals(
              1, group.stream().map(b -> topology.siteOf(aware.nodes()[b][0])).distinct().count());
        }
        unaware += place(SitePolicies.UNAWARE, name, topology, 1, random).meanCrossSiteReads();
      }
      // RS reads 10 of the 13 others, of which the even split leaves 3 or 4 at the site.
      double rs =
          place(SitePolicies.CODE_AWARE, "rs-10-4", topology, 1, random).meanCrossSiteReads();
      assertTrue(rs >= 6 && rs <= 7, "rs: " + rs);
    }
    assertTrue(unaware / 60 > 1, "mean of random nodes: " + unaware / 60);
  }

  /** Section V-D: more copies of parities bring more repairs home. */
  @Test
  void parityCopiesBringRepairsHome() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(3, 4, 5);
    for (String name : List.of("rs-10-4", "xorbas-10-6-5", "mxor-10-7")) {
      double[] reads = new double[4];
      for (int copies = 1; copies <= 3; copies++) {
        for (int round = 0; round < 20; round++) {
          reads[copies] +=
              place(SitePolicies.EVEN, name, topology, copies, random).meanCrossSiteReads() / 20;
        }
      }
      assertTrue(reads[2] < reads[1] && reads[3] < reads[2], name + Arrays.toString(reads));
    }
  }

  @Test
  void survivalOfASiteIsTold() {
    Random random = Seeds.random(getClass());
    SiteLayout spread = place(SitePolicies.EVEN, "rs-10-4", Topology.of(4, 2, 5), 1, random);
    assertTrue(
        IntStream.range(0, 4)
            .allMatch(site -> spread.survives(site) == (spread.blocksPerSite()[site] <= 4)));
    SiteLayout grouped =
        place(SitePolicies.CODE_AWARE, "xorbas-10-6-5", Topology.of(3, 3, 5), 1, random);
    assertFalse(IntStream.range(0, 3).allMatch(grouped::survives));
  }

  @Test
  void groupsThatFitNowhereAreRefusedWithNumbers() {
    Random random = new Random(1);
    assertEquals(
        "xorbas-10-6-5 has 3 groups of blocks that each belong at one site, the largest of 6"
            + " blocks; they do not fit into 5 sites with places for [4, 4, 4, 4, 4] blocks: add"
            + " nodes to the sites, allow more blocks a rack or choose another policy",
        assertThrows(
                PlacementException.class,
                () ->
                    place(
                        SitePolicies.CODE_AWARE, "xorbas-10-6-5", Topology.of(5, 1, 4), 1, random))
            .getMessage());
    assertEquals(
        "rs-10-4 needs places for 22 blocks, copies of parities included, with at most 4 in a rack,"
            + " the eligible nodes of 3 sites give 12: add nodes or allow more blocks a rack",
        assertThrows(
                PlacementException.class,
                () -> place(SitePolicies.EVEN, "rs-10-4", Topology.of(3, 1, 9), 3, random))
            .getMessage());
    assertEquals(
        "4 copies of each parity, needed are 1 to 3",
        assertThrows(
                IllegalArgumentException.class,
                () -> place(SitePolicies.EVEN, "rs-10-4", Topology.of(3, 4, 9), 4, random))
            .getMessage());
    assertEquals(
        "unknown site policy \"x\"; known: unaware, even, code-aware",
        assertThrows(IllegalArgumentException.class, () -> SitePolicies.named("x")).getMessage());
  }
}
