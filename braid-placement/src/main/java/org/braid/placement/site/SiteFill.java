package org.braid.placement.site;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.derive.ParityCopies;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;

/**
 * The places of one stripe over sites. Groups of blocks go to sites as a whole, largest first, to
 * the site with fewest blocks that has room; where that leads nowhere the choice is taken back. Of
 * groups as large, parities with copies go first, each copy to a site without one.
 */
final class SiteFill {
  /** Steps after which the search for sites gives up. */
  private static final int MAX_STEPS = 200_000;

  private final SiteRequest request;
  private final Topology topology;
  private final RandomGenerator random;
  private final boolean[] taken;
  private final int[] inRack;
  private final int[] room;
  private final int[] load;

  /** The site of each block, negative while it has none. */
  private final int[] siteOf;

  private int steps;

  SiteFill(SiteRequest request, RandomGenerator random) {
    this(request, Integer.MAX_VALUE, random);
  }

  /**
   * A stripe without a place yet.
   *
   * @param perSite blocks that a site may hold
   */
  SiteFill(SiteRequest request, int perSite, RandomGenerator random) {
    this.request = request;
    this.topology = request.topology();
    this.random = random;
    taken = new boolean[topology.nodes()];
    inRack = new int[topology.racks()];
    load = new int[topology.sites()];
    siteOf = new int[request.code().n()];
    Arrays.fill(siteOf, -1);
    room = room(topology, request.eligible(), request.perRack(), perSite);
  }

  /** Blocks of a stripe that each site can take. */
  static int[] room(Topology topology, IntPredicate eligible, int perRack, int perSite) {
    int[] room = new int[topology.sites()];
    for (int rack = 0; rack < topology.racks(); rack++) {
      room[topology.siteOfRack(rack)] +=
          (int) topology.nodesIn(rack).stream().filter(eligible::test).limit(perRack).count();
    }
    Arrays.setAll(room, site -> Math.min(room[site], perSite));
    return room;
  }

  /** Says where a group goes; what is left is for {@link #sites}. */
  void fix(List<Integer> group, int site) {
    count(site, group.size());
    group.forEach(block -> siteOf[block] = site);
  }

  /** The nodes of all blocks and their copies. */
  int[][] place(List<List<Integer>> groups) {
    int[] sites = sites(groups);
    int[][] nodes = new int[request.code().n()][];
    for (int block = 0; block < nodes.length; block++) {
      nodes[block] = new int[] {take(sites[block])};
    }
    for (int copy = 1; copy < request.parityCopies(); copy++) {
      for (int block = request.code().k(); block < nodes.length; block++) {
        nodes[block] = withCopy(nodes[block]);
      }
    }
    return nodes;
  }

  /**
   * The site of each block: of its group, where fewest are.
   *
   * @param groups all that are not fixed
   * @throws PlacementException when the groups do not fit
   */
  int[] sites(List<List<Integer>> groups) {
    int total = Arrays.stream(room).sum() + Arrays.stream(load).sum();
    if (total < request.total()) {
      throw new PlacementException(
          "places",
          request.total(),
          total,
          ("%s needs places for %d blocks, copies of parities included, with at most %d in a rack,"
                  + " the eligible nodes of %d sites give %d: add nodes or allow more blocks a rack")
              .formatted(
                  request.code().name(),
                  request.total(),
                  request.perRack(),
                  topology.sites(),
                  total));
    }
    List<List<Integer>> bySize = new ArrayList<>(groups);
    for (int i = bySize.size() - 1; i > 0; i--) {
      Collections.swap(bySize, i, random.nextInt(i + 1));
    }
    bySize.sort(
        Comparator.comparingInt((List<Integer> group) -> -group.size())
            .thenComparing(group -> copiesOf(group.get(0)).size() == 1));
    if (!assign(bySize, 0)) {
      int largest = bySize.get(0).size();
      int widest = Arrays.stream(room).max().orElseThrow();
      throw new PlacementException(
          "places at one site",
          largest,
          widest,
          ("%s has %d groups of blocks that each belong at one site, the largest of %d blocks; they"
                  + " do not fit into %d sites with places for %s blocks: add nodes to the sites,"
                  + " allow more blocks a rack or choose another policy")
              .formatted(
                  request.code().name(),
                  bySize.size(),
                  largest,
                  topology.sites(),
                  Arrays.toString(room)));
    }
    return siteOf.clone();
  }

  /** Whether groups fit. */
  boolean fits(List<List<Integer>> groups) {
    try {
      sites(groups);
      return true;
    } catch (PlacementException e) {
      return false;
    }
  }

  private List<Integer> copiesOf(int block) {
    return request.code() instanceof ParityCopies copied ? copied.copiesOf(block) : List.of(block);
  }

  /** Copies of a group's blocks that are at a site already. */
  private int copiesAt(List<Integer> group, int site) {
    return (int)
        group.stream()
            .flatMap(block -> copiesOf(block).stream())
            .filter(copy -> siteOf[copy] == site)
            .count();
  }

  /** Puts a block on a node of its site. */
  void keep(int node) {
    taken[node] = true;
    inRack[topology.rackOf(node)]++;
  }

  /** Gives groups from one on their sites; each site's room and load are those left. */
  private boolean assign(List<List<Integer>> groups, int from) {
    if (from == groups.size()) {
      return true;
    }
    List<Integer> group = groups.get(from);
    int size = group.size();
    int[] sites =
        Arrays.stream(sitesByLoad())
            .boxed()
            .sorted(Comparator.comparingInt(site -> copiesAt(group, site)))
            .mapToInt(site -> site)
            .toArray();
    for (int site : sites) {
      if (room[site] >= size && steps++ < MAX_STEPS) {
        count(site, size);
        group.forEach(block -> siteOf[block] = site);
        if (assign(groups, from + 1)) {
          return true;
        }
        count(site, -size);
        group.forEach(block -> siteOf[block] = -1);
      }
    }
    return false;
  }

  private void count(int site, int blocks) {
    room[site] -= blocks;
    load[site] += blocks;
  }

  private int[] sitesByLoad() {
    double[] key = new double[load.length];
    Arrays.setAll(key, site -> load[site] + random.nextDouble());
    return IntStream.range(0, load.length)
        .boxed()
        .sorted(Comparator.comparingDouble(site -> key[site]))
        .mapToInt(site -> site)
        .toArray();
  }

  /** One more copy, at the emptiest site that has none yet, else at the emptiest with room. */
  private int[] withCopy(int[] copies) {
    int[] order = sitesByLoad();
    int site =
        Arrays.stream(order)
            .filter(s -> room[s] > 0)
            .filter(s -> Arrays.stream(copies).noneMatch(n -> topology.siteOf(n) == s))
            .findFirst()
            .orElseGet(
                () -> Arrays.stream(order).filter(s -> room[s] > 0).findFirst().orElseThrow());
    count(site, 1);
    int[] more = Arrays.copyOf(copies, copies.length + 1);
    more[copies.length] = take(site);
    return more;
  }

  /** A free node of a site, in a rack with fewest blocks of the stripe. */
  int take(int site) {
    int[] free =
        IntStream.range(0, topology.nodes())
            .filter(n -> topology.siteOf(n) == site && !taken[n] && request.eligible().test(n))
            .filter(n -> inRack[topology.rackOf(n)] < request.perRack())
            .toArray();
    int least = Arrays.stream(free).map(n -> inRack[topology.rackOf(n)]).min().orElseThrow();
    int[] best = Arrays.stream(free).filter(n -> inRack[topology.rackOf(n)] == least).toArray();
    int node = best[random.nextInt(best.length)];
    keep(node);
    return node;
  }
}
