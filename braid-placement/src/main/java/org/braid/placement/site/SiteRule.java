package org.braid.placement.site;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowCheck;
import org.braid.placement.rule.EncodedStripe;
import org.braid.placement.rule.NodeLoads;
import org.braid.placement.rule.StripePlacement;
import org.braid.placement.rule.StripeRule;

/**
 * Blocks on distinct nodes, with limits for racks and for sites; under the code-aware policy each
 * locality group at one site (Geo-MXOR section VII-D).
 */
final class SiteRule implements StripeRule {
  private final ErasureCode code;
  private final SitePolicy policy;
  private final int perRack;
  private final int perSite;
  private final List<List<Integer>> groups;
  private final int[] groupOf;

  SiteRule(ErasureCode code, SitePolicy policy, int perRack, int perSite) {
    this.code = code;
    this.policy = policy;
    this.perRack = perRack;
    this.perSite = perSite;
    groups = SiteRules.groups(code, policy);
    groupOf = new int[code.n()];
    for (int group = 0; group < groups.size(); group++) {
      for (int block : groups.get(group)) {
        groupOf[block] = group;
      }
    }
  }

  @Override
  public ErasureCode code() {
    return code;
  }

  @Override
  public int perRack() {
    return perRack;
  }

  @Override
  public Set<Integer> targetRacks() {
    return Set.of();
  }

  @Override
  public Optional<SitePromise> sites() {
    return Optional.of(new SitePromise(policy.name(), perSite));
  }

  @Override
  public String text() {
    return "at most %d blocks of a stripe in a rack and %d at a site%s"
        .formatted(
            perRack,
            perSite,
            policy == SitePolicies.CODE_AWARE
                ? ", each of %d groups at one".formatted(groups.size())
                : "");
  }

  private SiteCompletion fill(EligibleNodes eligible, RandomGenerator random) {
    return new SiteCompletion(new SiteRequest(eligible, code, 1, perRack), perSite, random);
  }

  @Override
  public void check(EligibleNodes eligible) {
    fill(eligible, new SplittableRandom(1)).sites(groups);
  }

  /** Chooses sites for the groups so that the most data blocks keep a replica. */
  @Override
  public EncodedStripe layout(
      EligibleNodes eligible, List<int[]> replicas, NodeLoads loads, RandomGenerator random) {
    Topology topology = eligible.topology();
    StripePlacement.requireData(code, replicas);
    List<int[]> good = eligible.among(replicas);
    SiteCompletion fill = fill(eligible, random);
    List<SiteSearch.Choice> found = search(topology, room(eligible), good).in(random).best();
    if (found.isEmpty()) {
      fill.sites(groups); // says why, in numbers
      throw new PlacementException(
          "places at one site",
          groups.size(),
          topology.sites(),
          "no places found for the %d groups of %s at %d sites: choose another policy"
              .formatted(groups.size(), code.name(), topology.sites()));
    }
    SiteSearch.Choice choice = found.get(0);
    List<List<Integer>> open = new ArrayList<>();
    int[] nodes = new int[code.n()];
    Arrays.fill(nodes, NOWHERE);
    for (int block = 0; block < good.size(); block++) {
      nodes[block] = choice.kept().nodeOf(block);
      if (nodes[block] >= 0) {
        fill.keep(nodes[block]);
      }
    }
    for (int group = 0; group < groups.size(); group++) {
      List<Integer> blocks = groups.get(group);
      int single = nodes[blocks.get(0)];
      if (choice.siteOf(group) >= 0) {
        fill.fix(blocks, choice.siteOf(group));
      } else if (single >= 0) {
        fill.fix(blocks, topology.siteOf(single));
      } else {
        open.add(blocks);
      }
    }
    List<Integer> relocated =
        IntStream.range(0, good.size()).filter(block -> nodes[block] < 0).boxed().toList();
    int[] siteOf = fill.sites(open);
    for (int block = 0; block < nodes.length; block++) {
      nodes[block] = nodes[block] < 0 ? fill.take(siteOf[block]) : nodes[block];
    }
    return EncodedStripe.of(nodes, code.k(), relocated);
  }

  private int[] room(EligibleNodes eligible) {
    return SiteCompletion.room(eligible, perRack, perSite);
  }

  private SiteSearch search(Topology topology, int[] room, List<int[]> replicas) {
    SiteSearch search = new SiteSearch(topology, groups, code.k(), perRack, room, replicas);
    return code instanceof ParityCopies copied
        ? search.apart(ParityCopies.original(copied).m())
        : search;
  }

  @Override
  public boolean keeps(EligibleNodes eligible, List<int[]> replicas, int blocks) {
    StripePlacement.requireData(code, replicas);
    return !search(eligible.topology(), room(eligible), eligible.among(replicas))
        .atLeast(blocks)
        .best()
        .isEmpty();
  }

  /** The check of the next block, over all best choices of sites. */
  @Override
  public FlowCheck after(EligibleNodes eligible, List<int[]> replicas, RandomGenerator random) {
    Topology topology = eligible.topology();
    int next = replicas.size();
    if (next >= code.k()) {
      throw new IllegalArgumentException(
          "block %d of a stripe of %s, which has %d data blocks"
              .formatted(next + 1, code.name(), code.k()));
    }
    boolean[] holds = new boolean[topology.nodes()];
    replicas.forEach(nodes -> Arrays.stream(nodes).forEach(node -> holds[node] = true));
    // A node that takes no more replicas still keeps those that it has.
    EligibleNodes keeping = eligible.or(node -> holds[node]);
    int[] room = room(keeping);
    List<SiteSearch.Choice> choices = search(topology, room, replicas).withNext().all().best();
    if (choices.isEmpty()) {
      check(keeping); // says why, in numbers
    }
    int size = choices.isEmpty() ? 0 : choices.get(0).kept().size();
    return new FlowCheck() {
      @Override
      public int size() {
        return size;
      }

      @Override
      public boolean acceptsAny(int[] nodes) {
        for (int node : nodes) {
          if (accepts(node)) {
            return true;
          }
        }
        return false;
      }

      @Override
      public boolean accepts(int node) {
        for (SiteSearch.Choice choice : choices) {
          int site = choice.siteOf(groupOf[next]);
          if ((site < 0 || site == topology.siteOf(node)) && choice.kept().accepts(node)) {
            return true;
          }
        }
        return false;
      }
    };
  }

  @Override
  public int[] destinations(
      EligibleNodes eligible, int[] nodeOf, List<Integer> lost, RandomGenerator random) {
    int[] places = nodeOf.clone();
    lost.forEach(block -> places[block] = NOWHERE);
    int[] chosen = new int[lost.size()];
    // Large groups first, while sites have room for them.
    List<Integer> order = new ArrayList<>(lost);
    order.sort(
        Comparator.comparingInt((Integer block) -> -groups.get(groupOf[block]).size())
            .thenComparingInt(block -> groupOf[block]));
    for (int block : order) {
      int needed =
          siteOf(eligible.topology(), places, block) >= 0
              ? 1
              : (int) groups.get(groupOf[block]).stream().filter(lost::contains).count();
      int node = destination(eligible, places, block, needed, random);
      if (node < 0) {
        throw refusal(eligible, places, block, lost.size());
      }
      places[block] = node;
      chosen[lost.indexOf(block)] = node;
    }
    return chosen;
  }

  /**
   * A node at the site with the fewest blocks, in its rack with the fewest; -1 when there is none.
   */
  private int destination(
      EligibleNodes eligible, int[] places, int block, int needed, RandomGenerator random) {
    Topology topology = eligible.topology();
    boolean[] roomy = new boolean[topology.sites()]; // of each site once: it takes all its nodes
    for (int site = 0; site < roomy.length; site++) {
      roomy[site] = room(eligible, places, site) >= needed;
    }
    int[] free =
        IntStream.range(0, topology.nodes())
            .filter(n -> roomy[topology.siteOf(n)] && eligible.contains(n))
            .filter(n -> fits(topology, places, block, n))
            .toArray();
    int bestLoad = Integer.MAX_VALUE;
    List<Integer> best = new ArrayList<>();
    for (int node : free) {
      int load =
          held(topology, places, topology.siteOf(node)) * code.n()
              + (int)
                  Arrays.stream(places)
                      .filter(n -> n >= 0 && topology.rackOf(n) == topology.rackOf(node))
                      .count();
      if (load < bestLoad) {
        bestLoad = load;
        best.clear();
      }
      if (load == bestLoad) {
        best.add(node);
      }
    }
    return best.isEmpty() ? NOWHERE : best.get(random.nextInt(best.size()));
  }

  private static int held(Topology topology, int[] places, int site) {
    return (int) Arrays.stream(places).filter(n -> n >= 0 && topology.siteOf(n) == site).count();
  }

  /** Number of further blocks that a site can take. */
  private int room(EligibleNodes eligible, int[] places, int site) {
    Topology topology = eligible.topology();
    int room = 0;
    for (int rack = 0; rack < topology.racks(); rack++) {
      if (topology.siteOfRack(rack) != site) {
        continue;
      }
      int in = rack;
      long held = Arrays.stream(places).filter(n -> n >= 0 && topology.rackOf(n) == in).count();
      long free =
          topology.nodesIn(rack).stream()
              .filter(n -> eligible.contains(n) && Arrays.stream(places).noneMatch(p -> p == n))
              .count();
      room += (int) Math.max(0, Math.min(free, perRack - held));
    }
    return Math.min(room, perSite - held(topology, places, site));
  }

  private PlacementException refusal(EligibleNodes eligible, int[] places, int block, int lost) {
    Topology topology = eligible.topology();
    int site = siteOf(topology, places, block);
    List<String> rooms = new ArrayList<>();
    for (int s = 0; s < topology.sites(); s++) {
      int room = room(eligible, places, s);
      rooms.add(topology.siteName(s) + " " + room);
    }
    String where =
        site >= 0
            ? "at site " + topology.siteName(site) + ", beside the others of its group"
            : "at a site with room for its group of " + groups.get(groupOf[block]).size();
    return new PlacementException(
        "places at one site",
        1,
        0,
        ("no node left for a rebuilt block: %d are to be placed, one of them %s, with %s; sites can"
                + " take %s more: add nodes there")
            .formatted(lost, where, text(), String.join(", ", rooms)));
  }

  /**
   * The site of the other blocks of a block's group; negative when they have none or it is not
   * known.
   */
  private int siteOf(Topology topology, int[] nodeOf, int block) {
    int[] held = new int[topology.sites()];
    int unknown = 0;
    int best = NOWHERE;
    for (int other : groups.get(groupOf[block])) {
      if (other == block) {
        continue;
      }
      if (nodeOf[other] == UNKNOWN) {
        unknown++;
      } else if (nodeOf[other] >= 0) {
        int site = topology.siteOf(nodeOf[other]);
        held[site]++;
        best = best < 0 || held[site] > held[best] ? site : best;
      }
    }
    return best >= 0 ? best : unknown > 0 ? UNKNOWN : NOWHERE;
  }

  @Override
  public boolean fits(Topology topology, int[] nodeOf, int block, int node) {
    int rack = topology.rackOf(node);
    int site = topology.siteOf(node);
    int inRack = 0;
    int atSite = 0;
    for (int other = 0; other < nodeOf.length; other++) {
      if (other == block || nodeOf[other] == NOWHERE) {
        continue;
      }
      if (nodeOf[other] == node) {
        return false;
      }
      // A block in an unknown rack may be in this one.
      boolean unknown = nodeOf[other] == UNKNOWN;
      inRack += unknown || topology.rackOf(nodeOf[other]) == rack ? 1 : 0;
      atSite += unknown || topology.siteOf(nodeOf[other]) == site ? 1 : 0;
    }
    int home = siteOf(topology, nodeOf, block);
    return inRack < perRack && atSite < perSite && (home == NOWHERE || home == site);
  }

  @Override
  public Map<Integer, String> breaches(Topology topology, int[] nodeOf, List<Integer> claims) {
    int[] sites = sitesOfGroups(topology, nodeOf, claims);
    int[] seats = new int[nodeOf.length];
    Arrays.fill(seats, NOWHERE);
    Map<Integer, String> breaches = new TreeMap<>();
    // Blocks at the site of their group have the better claim to room there.
    for (boolean own : new boolean[] {true, false}) {
      for (int block : claims) {
        int node = nodeOf[block];
        if (node < 0 || own != (topology.siteOf(node) == sites[groupOf[block]])) {
          continue;
        }
        String breach = breach(topology, seats, node, sites[groupOf[block]]);
        if (!breach.isEmpty()) {
          breaches.put(block, breach);
        }
        seats[block] = node;
      }
    }
    return breaches;
  }

  /** The site with the most blocks of each group; of equals the one with the first claim. */
  private int[] sitesOfGroups(Topology topology, int[] nodeOf, List<Integer> claims) {
    int[][] held = new int[groups.size()][topology.sites()];
    for (int block : claims) {
      if (nodeOf[block] >= 0) {
        held[groupOf[block]][topology.siteOf(nodeOf[block])]++;
      }
    }
    int[] sites = new int[groups.size()];
    Arrays.fill(sites, NOWHERE);
    for (int block : claims) {
      int group = groupOf[block];
      if (nodeOf[block] >= 0) {
        int site = topology.siteOf(nodeOf[block]);
        if (sites[group] < 0 || held[group][site] > held[group][sites[group]]) {
          sites[group] = site;
        }
      }
    }
    return sites;
  }

  private String breach(Topology topology, int[] seats, int node, int home) {
    int site = topology.siteOf(node);
    int rack = topology.rackOf(node);
    if (site != home) {
      return "site %s holds a block whose group is promised to be at one site, %s"
          .formatted(topology.siteName(site), topology.siteName(home));
    }
    if (Arrays.stream(seats).anyMatch(seat -> seat == node)) {
      return "node %s holds more than one of its blocks, at most 1 is promised"
          .formatted(topology.nodeName(node));
    }
    long inRack = Arrays.stream(seats).filter(n -> n >= 0 && topology.rackOf(n) == rack).count();
    if (inRack >= perRack) {
      return "rack %s holds %d of its blocks, at most %d are promised"
          .formatted(topology.rackName(rack), inRack + 1, perRack);
    }
    int atSite = held(topology, seats, site);
    return atSite < perSite
        ? ""
        : "site %s holds %d of its blocks, at most %d are promised"
            .formatted(topology.siteName(site), atSite + 1, perSite);
  }
}
