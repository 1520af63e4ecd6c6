package org.braid.placement.site;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.derive.ParityCopies;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;

/**
 * Completes a stripe over sites. Each group of blocks goes to one site, the largest group first, to
 * the site with the fewest blocks that has room; a search takes back choices that lead to a dead
 * end. Of groups of the same size, parities with copies go first, each copy to a site without one.
 */
final class SiteCompletion {
  /** Steps after which the search for sites gives up. */
  private static final int MAX_STEPS = 200_000;

  private final SiteRequest request;
  private final Topology topology;
  private final RandomGenerator random;
  private final boolean[] taken;
  private final int[] inRack;
  private final int[] room;
  private final int[] load;

  /** The site of each block, negative for none. */
  private final int[] siteOf;

  private int steps;

  SiteCompletion(SiteRequest request, RandomGenerator random) {
    this(request, Integer.MAX_VALUE, random);
  }

  /**
   * A stripe without nodes.
   *
   * @param perSite the most blocks at a site
   */
  SiteCompletion(SiteRequest request, int perSite, RandomGenerator random) {
    this.request = request;
    this.topology = request.eligible().topology();
    this.random = random;
    taken = new boolean[topology.nodes()];
    inRack = new int[topology.racks()];
    load = new int[topology.sites()];
    siteOf = new int[request.code().n()];
    Arrays.fill(siteOf, -1);
    room = room(request.eligible(), request.perRack(), perSite);
  }

  /** Number of blocks of a stripe that each site can take. */
  static int[] room(EligibleNodes eligible, int perRack, int perSite) {
    Topology topology = eligible.topology();
    int[] room = new int[topology.sites()];
    for (int rack = 0; rack < topology.racks(); rack++) {
      room[topology.siteOfRack(rack)] += Math.min(perRack, eligible.in(rack).length);
    }
    Arrays.setAll(room, site -> Math.min(room[site], perSite));
    return room;
  }

  /** Fixes the site of a group; {@link #sites} chooses those of the others. */
  void fix(List<Integer> group, int site) {
    count(site, group.size());
    group.forEach(block -> siteOf[block] = site);
  }

  /** The nodes of each block and its copies. */
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
   * Chooses the sites of groups and returns the site of each block.
   *
   * @param groups all groups that are not fixed
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
    RandomChoice.shuffle(bySize, random);
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

  /** Number of copies of a group's blocks at a site. */
  private int copiesAt(List<Integer> group, int site) {
    return (int)
        group.stream()
            .flatMap(block -> copiesOf(block).stream())
            .filter(copy -> siteOf[copy] == site)
            .count();
  }

  /** Counts a block that stays on its node. */
  void keep(int node) {
    taken[node] = true;
    inRack[topology.rackOf(node)]++;
  }

  /** Chooses sites for the groups from an index on; false when they do not fit. */
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

  /** Adds a copy at the emptiest site without a copy, else at the emptiest site with room. */
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

  /** Takes a free node of a site, in a rack with the fewest blocks of the stripe. */
  int take(int site) {
    int[] free =
        IntStream.range(0, topology.nodes())
            .filter(n -> topology.siteOf(n) == site && !taken[n] && request.eligible().contains(n))
            .filter(n -> inRack[topology.rackOf(n)] < request.perRack())
            .toArray();
    int least = Arrays.stream(free).map(n -> inRack[topology.rackOf(n)]).min().orElseThrow();
    int[] best = Arrays.stream(free).filter(n -> inRack[topology.rackOf(n)] == least).toArray();
    int node = best[random.nextInt(best.length)];
    keep(node);
    return node;
  }
}
