package org.braid.placement.site;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowMatching;

/**
 * Searches sites for the groups of a stripe so that the most data blocks keep a replica, on
 * distinct nodes with at most c in a rack. Branch and bound chooses the sites of groups of several
 * blocks, each with room for the whole group. For each such choice a flow determines the blocks
 * that keep a replica and the sites of blocks that are groups of their own (EAR section 3.2, with
 * sites as further vertices). Parities then always fit, because limits of nodes within racks within
 * sites form a matroid.
 */
final class SiteSearch {
  /**
   * Limit of the search: choices of sites whose flow is computed. No stripe on a few sites has
   * more.
   */
  private static final int MAX_FLOWS = 4_000;

  private static final int MAX_STEPS = 200_000;
  private static final int OPEN = -1;

  private final Topology topology;
  private final List<List<Integer>> groups;
  private final int k;
  private final int perRack;
  private final int[] room;
  private final List<int[]> replicas;
  private final int[] siteOf;
  private final int[] groupOf;
  private int blocks;
  private boolean all;
  private int distinct = Integer.MAX_VALUE;
  private RandomGenerator random = new SplittableRandom(1);
  private int best;

  /** Whether some data block is a group of its own. */
  private boolean singles;

  // The groups whose site matters for the blocks that are kept; the others only need room.
  private final List<Integer> looked = new ArrayList<>();
  private final List<Integer> others = new ArrayList<>();
  private final List<Choice> found = new ArrayList<>();
  private int flows;
  private int steps;

  /**
   * A search.
   *
   * @param groups the groups that each belong at one site; together they have all blocks of the
   *     code
   * @param k data blocks of the code
   * @param room number of blocks of the stripe that each site can take
   * @param replicas for each data block so far the nodes with a replica that may stay
   */
  SiteSearch(
      Topology topology,
      List<List<Integer>> groups,
      int k,
      int perRack,
      int[] room,
      List<int[]> replicas) {
    this.topology = topology;
    this.groups = groups;
    this.k = k;
    this.perRack = perRack;
    this.room = room.clone();
    this.replicas = replicas;
    blocks = replicas.size();
    siteOf = new int[groups.size()];
    Arrays.fill(siteOf, OPEN);
    groupOf = new int[groups.stream().mapToInt(List::size).sum()];
    for (int group = 0; group < groups.size(); group++) {
      for (int block : groups.get(group)) {
        groupOf[block] = group;
      }
    }
  }

  /**
   * A choice of sites.
   *
   * @param sites the site of each group, negative where it is open
   * @param kept the replicas that stay
   */
  @SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
  record Choice(int[] sites, FlowMatching kept) {
    /** The site of a group; negative where it is open. */
    int siteOf(int group) {
      return sites[group];
    }
  }

  /** Includes the next block, which has no replicas yet, so that the site of its group matters. */
  SiteSearch withNext() {
    blocks = replicas.size() + 1;
    return this;
  }

  /**
   * Leaves room at different sites for the copies of parities; data blocks that are groups of their
   * own give way to them.
   *
   * @param parities number of distinct parities: a site needs room for one copy of each
   */
  SiteSearch apart(int parities) {
    distinct = parities;
    return this;
  }

  /** Finds all best choices instead of one. */
  SiteSearch all() {
    all = true;
    return this;
  }

  /** Finds only choices with at least this many kept blocks. */
  SiteSearch atLeast(int kept) {
    best = kept;
    return this;
  }

  /**
   * Chooses at random among equally good choices; without this call the choice is always the same.
   */
  SiteSearch in(RandomGenerator order) {
    random = order;
    return this;
  }

  /** The choices with the most kept blocks; empty when the groups do not fit. */
  List<Choice> best() {
    if (Arrays.stream(room).sum() < groupOf.length) {
      return List.of();
    }
    for (int group = 0; group < groups.size(); group++) {
      boolean data = groups.get(group).stream().anyMatch(block -> block < blocks);
      if (groups.get(group).size() == 1) {
        singles |= groups.get(group).get(0) < k;
      } else {
        (data ? looked : others).add(group);
      }
    }
    if (singles) {
      // The room that the other groups leave at each site then matters too.
      looked.addAll(others);
      others.clear();
    }
    Comparator<Integer> bySize = Comparator.comparingInt(group -> -groups.get(group).size());
    looked.sort(bySize);
    others.sort(bySize);
    int[] open = new int[looked.size() + 1];
    int most = (int) replicas.stream().filter(nodes -> nodes.length > 0).count();
    for (int i = looked.size() - 1; i >= 0; i--) {
      int group = looked.get(i);
      open[i] =
          open[i + 1] + IntStream.range(0, room.length).map(s -> at(group, s)).max().orElse(0);
    }
    for (int group : looked) {
      most -= (int) stored(group).filter(block -> replicas.get(block).length > 0).count();
    }
    look(0, most, open);
    return found;
  }

  private IntStream stored(int group) {
    return groups.get(group).stream().mapToInt(b -> b).filter(block -> block < replicas.size());
  }

  /** Number of blocks of a group with a replica at a site. */
  private int at(int group, int site) {
    return (int) stored(group).filter(block -> isAt(replicas.get(block), site)).count();
  }

  private boolean isAt(int[] nodes, int site) {
    return Arrays.stream(nodes).anyMatch(node -> topology.siteOf(node) == site);
  }

  /**
   * Chooses sites for the groups from an index on.
   *
   * @param most upper bound of the kept blocks of the groups before and of blocks that are groups
   *     of their own
   * @param open for each group an upper bound of the kept blocks of it and of the groups after it
   */
  private void look(int from, int most, int[] open) {
    int bound = most + open[from];
    if (bound < best || (!all && !found.isEmpty() && bound == best) || steps++ > MAX_STEPS) {
      return;
    }
    if (from == looked.size()) {
      if (flows < MAX_FLOWS && fit(0)) {
        flow();
      }
      return;
    }
    int group = looked.get(from);
    int size = groups.get(group).size();
    for (int site : sites(group)) {
      if (room[site] >= size) {
        room[site] -= size;
        siteOf[group] = site;
        look(from + 1, most + at(group, site), open);
        siteOf[group] = OPEN;
        room[site] += size;
      }
    }
  }

  /**
   * Sites in the order of the search: those where the most blocks of a group could stay first, of
   * equals the emptiest.
   */
  private List<Integer> sites(int group) {
    List<Integer> sites = new ArrayList<>(IntStream.range(0, room.length).boxed().toList());
    RandomChoice.shuffle(sites, random);
    sites.sort(
        Comparator.comparingInt((Integer site) -> -at(group, site))
            .thenComparingInt(site -> -room[site]));
    return sites;
  }

  /** Whether the groups that only need room fit, from an index on. */
  private boolean fit(int from) {
    if (from == others.size()) {
      return true;
    }
    int size = groups.get(others.get(from)).size();
    for (int site = 0; site < room.length; site++) {
      if (room[site] >= size && steps++ < MAX_STEPS) {
        room[site] -= size;
        boolean fits = fit(from + 1);
        room[site] += size;
        if (fits) {
          return true;
        }
      }
    }
    return false;
  }

  private void flow() {
    flows++;
    List<int[]> there = new ArrayList<>();
    for (int block = 0; block < replicas.size(); block++) {
      int site = siteOf[groupOf[block]];
      int[] nodes = replicas.get(block);
      there.add(
          site < 0
              ? nodes
              : Arrays.stream(nodes).filter(n -> topology.siteOf(n) == site).toArray());
    }
    FlowMatching kept = kept(there);
    if (kept.size() > best) {
      best = kept.size();
      found.clear();
    }
    if (kept.size() == best && (all || found.isEmpty())) {
      found.add(new Choice(siteOf.clone(), kept));
    }
  }

  /**
   * The kept blocks within the room of sites: what is left there, and the room of groups that chose
   * the site.
   */
  private FlowMatching kept(List<int[]> there) {
    int[] perSite = room.clone();
    for (int group : looked) {
      perSite[siteOf[group]] +=
          (int) groups.get(group).stream().filter(block -> block < blocks).count();
    }
    int[] spared = new int[room.length];
    while (true) {
      FlowMatching kept =
          FlowMatching.of(topology, there, rack -> perRack, site -> perSite[site] - spared[site]);
      if (!singles) {
        return kept;
      }
      int[] missing = missing(kept);
      if (IntStream.range(0, room.length).anyMatch(s -> missing[s] > spared[s])) {
        // Relocated blocks of groups need room at the site too.
        Arrays.setAll(spared, site -> Math.max(spared[site], missing[site]));
        continue;
      }
      int site = crowded(kept);
      if (site == OPEN) {
        return kept;
      }
      spared[site] = perSite[site] - held(kept, site) + 1;
    }
  }

  /**
   * The fullest of the sites with too little room for copies to be apart; none if there is room.
   */
  private int crowded(FlowMatching kept) {
    int parities = (int) groups.stream().filter(g -> g.size() == 1 && g.get(0) >= k).count();
    int[] left = room.clone();
    for (int block = 0; block < replicas.size(); block++) {
      if (siteOf[groupOf[block]] == OPEN && kept.nodeOf(block) >= 0) {
        left[topology.siteOf(kept.nodeOf(block))]--;
      }
    }
    if (Arrays.stream(left).map(places -> Math.min(places, distinct)).sum() >= parities) {
      return OPEN;
    }
    return IntStream.range(0, room.length)
        .filter(site -> left[site] < Math.min(distinct, room[site]))
        .boxed()
        .min(Comparator.comparingInt(site -> left[site]))
        .orElse(OPEN);
  }

  private int held(FlowMatching kept, int site) {
    return (int)
        IntStream.range(0, replicas.size())
            .map(kept::nodeOf)
            .filter(node -> node >= 0 && topology.siteOf(node) == site)
            .count();
  }

  /** For each site the number of blocks of its groups that keep no replica. */
  private int[] missing(FlowMatching kept) {
    int[] missing = new int[room.length];
    for (int block = 0; block < replicas.size(); block++) {
      int site = siteOf[groupOf[block]];
      if (site >= 0 && kept.nodeOf(block) < 0) {
        missing[site]++;
      }
    }
    return missing;
  }
}
