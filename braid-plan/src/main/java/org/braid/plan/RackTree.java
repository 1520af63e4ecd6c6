package org.braid.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.plan.TreePlanner.Tree;
import org.jspecify.annotations.Nullable;

/**
 * Repair that aggregates inside racks first: the helpers of a rack add up what they have, the last
 * of them, the rack's head, sends one stream out of the rack, however many helpers the rack has.
 * Helpers in the root's rack add up on their own way to the root. Sites do as racks do: the heads
 * of another site's racks send to one of them, which sends one stream out of the site.
 *
 * <p>Inside a rack the helpers form a chain or a binomial tree, between the racks the heads send
 * straight to the root or form a binomial tree with it: four variants of which the planner takes
 * the one that the cost model finds fastest: straight ways are shortest where racks are few, a tree
 * takes load off the root's link and its rack's where they are many.
 */
final class RackTree {
  private RackTree() {}

  /** How the nodes of a group send to the one behind them. */
  @FunctionalInterface
  private interface Way {
    List<Hop> of(List<Integer> nodes);
  }

  static TreePlanner planner() {
    return new TreePlanner("racktree", RackTree::trees);
  }

  private static List<Tree> trees(List<Integer> helpers, int root, Network network) {
    Map<Integer, List<Integer>> racks = new LinkedHashMap<>();
    for (int helper : helpers) {
      racks.computeIfAbsent(network.rackOf(helper), unused -> new ArrayList<>()).add(helper);
    }
    List<Integer> near = racks.remove(network.rackOf(root));
    List<Integer> heads = new ArrayList<>(racks.size());
    racks.values().forEach(rack -> heads.add(rack.get(rack.size() - 1)));
    List<Hop> chains = inside(racks.values(), near, Hop::chain);
    List<Hop> binomials = inside(racks.values(), near, Hop::binomial);
    List<Hop> straight = between(heads, root, network, Hop::star);
    List<Hop> tree = between(heads, root, network, Hop::binomial);
    return List.of(
        tree("chain in each rack, racks straight to the root", chains, straight),
        tree("binomial tree in each rack, racks straight to the root", binomials, straight),
        tree("chain in each rack, binomial tree of racks", chains, tree),
        tree("binomial tree in each rack and of racks", binomials, tree));
  }

  private static Tree tree(String note, List<Hop> inside, List<Hop> between) {
    List<Hop> hops = new ArrayList<>(inside.size() + between.size());
    hops.addAll(inside);
    hops.addAll(between);
    return new Tree(note, hops);
  }

  /** All that leaves a rack goes through its head, the last of its helpers. */
  private static List<Hop> inside(
      Collection<List<Integer>> racks, @Nullable List<Integer> near, Way way) {
    List<Hop> hops = new ArrayList<>();
    racks.forEach(rack -> toHead(rack, way, hops));
    hops.addAll(way.of(near == null ? List.of() : near));
    return hops;
  }

  private static void toHead(List<Integer> group, Way way, List<Hop> hops) {
    int last = group.size() - 1;
    if (last == 0) {
      return;
    }
    int head = group.get(last);
    for (Hop hop : way.of(group.subList(0, last))) {
      hops.add(new Hop(hop.from(), hop.to() == Hop.ROOTS ? head : hop.to(), true));
    }
  }

  /**
   * To the root send all heads of its site, and of every other site one, to which the others there
   * send.
   */
  private static List<Hop> between(List<Integer> heads, int root, Network network, Way way) {
    Map<Integer, List<Integer>> sites = new LinkedHashMap<>();
    for (int head : heads) {
      sites.computeIfAbsent(network.siteOf(head), unused -> new ArrayList<>()).add(head);
    }
    List<Integer> near = sites.remove(network.siteOf(root));
    List<Hop> hops = new ArrayList<>();
    List<Integer> senders = new ArrayList<>();
    for (List<Integer> site : sites.values()) {
      senders.add(site.get(site.size() - 1));
      toHead(site, way, hops);
    }
    senders.addAll(near == null ? List.of() : near);
    hops.addAll(way.of(senders));
    return hops;
  }
}
