package org.braid.placement.site;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.Matching;
import org.braid.placement.Topology;

/**
 * Which sites the groups of a stripe go to, such that most of its data blocks keep a replica there,
 * on distinct nodes with at most c in a rack. Groups of several blocks are given to sites, with
 * room for all their blocks, by branch and bound; for each such choice a flow says which blocks
 * keep a replica, and which site blocks go to that are in no group with others (EAR section 3.2,
 * with sites as further vertices). Parities find room beside whatever is kept: places within racks
 * within sites are a matroid.
 */
final class SiteSearch {
  /** Choices of sites whose flow is looked at; no stripe of a cluster of a few sites has more. */
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

  /** Whether there are data blocks in no group with others. */
  private boolean singles;

  // Those groups come first whose site matters for what is kept; the others only need room.
  private final List<Integer> looked = new ArrayList<>();
  private final List<Integer> others = new ArrayList<>();
  private final List<Choice> found = new ArrayList<>();
  private int flows;
  private int steps;

  /**
   * A search.
   *
   * @param groups that each belong at one site, which together have all blocks of the code
   * @param k data blocks of the code
   * @param room blocks of the stripe that each site can take
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
   * Sites of groups.
   *
   * @param kept the replicas that stay
   */
  @SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
  record Choice(int[] sites, Matching kept) {
    /** The site of a group; negative where it is open. */
    int siteOf(int group) {
      return sites[group];
    }
  }

  /** Counts on one more block than there are replicas of, so that the site of its group matters. */
  SiteSearch withNext() {
    blocks = replicas.size() + 1;
    return this;
  }

  /**
   * Leaves parities that are there several times room to be at different sites, rather than blocks
   * in no group where they are.
   *
   * @param parities of which no site needs more than one copy of each
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

  /** Finds only choices by which so many blocks stay. */
  SiteSearch atLeast(int kept) {
    best = kept;
    return this;
  }

  /** Which of equally good choices is found is random; otherwise it is always the same. */
  SiteSearch in(RandomGenerator order) {
    random = order;
    return this;
  }

  /** The choices by which most blocks stay; empty when the groups find no room. */
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
      // How much room the others leave at which site then matters too.
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

  /** Blocks of a group with a replica at a site. */
  private int at(int group, int site) {
    return (int) stored(group).filter(block -> isAt(replicas.get(block), site)).count();
  }

  private boolean isAt(int[] nodes, int site) {
    return Arrays.stream(nodes).anyMatch(node -> topology.siteOf(node) == site);
  }

  /**
   * Gives the groups from one on their sites.
   *
   * @param most blocks that could stay, of the groups before and of those in no group
   * @param open for each group how many could stay of it and of those after it
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

  /** The sites where most of a group could stay first, of these the emptiest. */
  private List<Integer> sites(int group) {
    List<Integer> sites = new ArrayList<>(IntStream.range(0, room.length).boxed().toList());
    for (int i = sites.size() - 1; i > 0; i--) {
      Collections.swap(sites, i, random.nextInt(i + 1));
    }
    sites.sort(
        Comparator.comparingInt((Integer site) -> -at(group, site))
            .thenComparingInt(site -> -room[site]));
    return sites;
  }

  /** Whether the other groups from one on find room too. */
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
    Matching kept = kept(there);
    if (kept.size() > best) {
      best = kept.size();
      found.clear();
    }
    if (kept.size() == best && (all || found.isEmpty())) {
      found.add(new Choice(siteOf.clone(), kept));
    }
  }

  /** The flow through what is left at sites, and the places there of known blocks of groups. */
  private Matching kept(List<int[]> there) {
    int[] perSite = room.clone();
    for (int group : looked) {
      perSite[siteOf[group]] +=
          (int) groups.get(group).stream().filter(block -> block < blocks).count();
    }
    int[] spared = new int[room.length];
    while (true) {
      Matching kept =
          Matching.of(topology, there, rack -> perRack, site -> perSite[site] - spared[site]);
      if (!singles) {
        return kept;
      }
      int[] missing = missing(kept);
      if (IntStream.range(0, room.length).anyMatch(s -> missing[s] > spared[s])) {
        // Blocks of groups that are relocated need their place at the site all the same.
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

  /** Of the sites that leave too little room for copies to be apart, the fullest; or none. */
  private int crowded(Matching kept) {
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

  private int held(Matching kept, int site) {
    return (int)
        IntStream.range(0, replicas.size())
            .map(kept::nodeOf)
            .filter(node -> node >= 0 && topology.siteOf(node) == site)
            .count();
  }

  /** At each site blocks of its groups that keep no replica. */
  private int[] missing(Matching kept) {
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
