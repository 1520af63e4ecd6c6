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
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.placement.BlockPlacer;
import org.braid.placement.EncodingAwareReplication;
import org.braid.placement.FlowTest;
import org.braid.placement.NodeLoads;
import org.braid.placement.PlacementException;
import org.braid.placement.ReplicaLayout;
import org.braid.placement.StripePlacement.StripeLayout;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;

/**
 * Blocks on distinct nodes, at most c in a rack and so many at a site; under the code-aware policy
 * each locality group at one site (Geo-MXOR section VII-D).
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

  private SiteFill fill(Topology topology, IntPredicate eligible, RandomGenerator random) {
    return new SiteFill(new SiteRequest(topology, eligible, code, 1, perRack), perSite, random);
  }

  @Override
  public void check(Topology topology, IntPredicate eligible) {
    fill(topology, eligible, new SplittableRandom(1)).sites(groups);
  }

  /** Groups go to sites such that as many data blocks as can keep a replica. */
  @Override
  public StripeLayout layout(
      Topology topology,
      IntPredicate eligible,
      List<int[]> replicas,
      NodeLoads loads,
      RandomGenerator random) {
    requireData(replicas);
    List<int[]> good = good(eligible, replicas);
    SiteFill fill = fill(topology, eligible, random);
    List<SiteSearch.Choice> found =
        search(topology, room(topology, eligible), good).in(random).best();
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
    int k = code.k();
    return new StripeLayout(
        Arrays.copyOf(nodes, k), relocated, Arrays.copyOfRange(nodes, k, nodes.length));
  }

  private void requireData(List<int[]> replicas) {
    if (replicas.isEmpty() || replicas.size() > code.k()) {
      throw new IllegalArgumentException(
          "replicas of %d data blocks for %s, needed are 1 to %d"
              .formatted(replicas.size(), code.name(), code.k()));
    }
  }

  private static List<int[]> good(IntPredicate eligible, List<int[]> replicas) {
    return replicas.stream().map(nodes -> Arrays.stream(nodes).filter(eligible).toArray()).toList();
  }

  private int[] room(Topology topology, IntPredicate eligible) {
    return SiteFill.room(topology, eligible, perRack, perSite);
  }

  private SiteSearch search(Topology topology, int[] room, List<int[]> replicas) {
    SiteSearch search = new SiteSearch(topology, groups, code.k(), perRack, room, replicas);
    return code instanceof ParityCopies copied
        ? search.apart(ParityCopies.original(copied).m())
        : search;
  }

  @Override
  public boolean keeps(Topology topology, IntPredicate eligible, List<int[]> replicas, int blocks) {
    requireData(replicas);
    return !search(topology, room(topology, eligible), good(eligible, replicas))
        .atLeast(blocks)
        .best()
        .isEmpty();
  }

  @Override
  public BlockPlacer replication(Topology topology, ReplicaLayout layout) {
    EncodingAwareReplication.Rules rules =
        new EncodingAwareReplication.Rules() {
          @Override
          public FlowTest after(
              IntPredicate eligible, List<int[]> replicas, RandomGenerator random) {
            return test(topology, eligible, replicas);
          }

          @Override
          public String text() {
            return "with " + SiteRule.this.text();
          }
        };
    return new EncodingAwareReplication(
        topology, rules, layout, EncodingAwareReplication.DEFAULT_MAX_ATTEMPTS);
  }

  /** The flow test for the block after these, over all best choices of sites. */
  private FlowTest test(Topology topology, IntPredicate eligible, List<int[]> replicas) {
    int next = replicas.size();
    if (next >= code.k()) {
      throw new IllegalArgumentException(
          "block %d of a stripe of %s, which has %d data blocks"
              .formatted(next + 1, code.name(), code.k()));
    }
    boolean[] holds = new boolean[topology.nodes()];
    replicas.forEach(nodes -> Arrays.stream(nodes).forEach(node -> holds[node] = true));
    // A node that takes no more replicas now still keeps those that it has.
    int[] room = room(topology, node -> holds[node] || eligible.test(node));
    List<SiteSearch.Choice> choices = search(topology, room, replicas).withNext().all().best();
    if (choices.isEmpty()) {
      check(topology, node -> holds[node] || eligible.test(node)); // says why, in numbers
    }
    int size = choices.isEmpty() ? 0 : choices.get(0).kept().size();
    return new FlowTest() {
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
      Topology topology,
      IntPredicate eligible,
      int[] nodeOf,
      List<Integer> lost,
      RandomGenerator random) {
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
          siteOf(topology, places, block) >= 0
              ? 1
              : (int) groups.get(groupOf[block]).stream().filter(lost::contains).count();
      int node = destination(topology, eligible, places, block, needed, random);
      if (node < 0) {
        throw refusal(topology, eligible, places, block, lost.size());
      }
      places[block] = node;
      chosen[lost.indexOf(block)] = node;
    }
    return chosen;
  }

  /** A node at the site with fewest blocks, in its rack with fewest; -1 when there is none. */
  private int destination(
      Topology topology,
      IntPredicate eligible,
      int[] places,
      int block,
      int needed,
      RandomGenerator random) {
    int[] free =
        IntStream.range(0, topology.nodes())
            .filter(n -> eligible.test(n) && fits(topology, places, block, n))
            .filter(n -> room(topology, eligible, places, topology.siteOf(n)) >= needed)
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

  /** Blocks that a site can take beside those that are there. */
  private int room(Topology topology, IntPredicate eligible, int[] places, int site) {
    int room = 0;
    for (int rack = 0; rack < topology.racks(); rack++) {
      if (topology.siteOfRack(rack) != site) {
        continue;
      }
      int in = rack;
      long held = Arrays.stream(places).filter(n -> n >= 0 && topology.rackOf(n) == in).count();
      long free =
          topology.nodesIn(rack).stream()
              .filter(n -> eligible.test(n) && Arrays.stream(places).noneMatch(p -> p == n))
              .count();
      room += (int) Math.max(0, Math.min(free, perRack - held));
    }
    return Math.min(room, perSite - held(topology, places, site));
  }

  private PlacementException refusal(
      Topology topology, IntPredicate eligible, int[] places, int block, int lost) {
    int site = siteOf(topology, places, block);
    List<String> rooms = new ArrayList<>();
    for (int s = 0; s < topology.sites(); s++) {
      int room = room(topology, eligible, places, s);
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

  /** The site of the others of a block's group; negative when it is open or not known. */
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
      // One in an unknown rack may turn out to be in this one.
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
    // Those at the site of their group have the better claim to room there.
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

  /** The site with most blocks of each group, of equals the one with the first claim. */
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
