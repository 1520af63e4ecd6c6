package org.braid.plan.shape;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.plan.cost.Network;
import org.jspecify.annotations.Nullable;

/**
 * Repair that aggregates inside racks first: the helpers of a rack add up their parts, and the last
 * of them, the rack's head, sends one stream out of the rack. Helpers in the root's rack send their
 * sum to the root. Sites work as racks do: the heads of another site's racks send to one of them,
 * which sends one stream out of the site.
 *
 * <p>Inside a rack the helpers form a chain or a binomial tree. Between racks the heads send
 * straight to the root or form a binomial tree with it. The planner takes the fastest of the four
 * variants: straight edges are faster for few racks, a tree relieves the links of the root and its
 * rack when there are many.
 */
final class RackTreePlanner extends TreePlanner {
  /** The edges inside a group of nodes. */
  @FunctionalInterface
  private interface Way {
    List<TreeEdge> of(List<Integer> nodes);
  }

  @Override
  public String name() {
    return "racktree";
  }

  @Override
  List<Tree> trees(List<Integer> helpers, int root, Network network) {
    Map<Integer, List<Integer>> racks = new LinkedHashMap<>();
    for (int helper : helpers) {
      racks.computeIfAbsent(network.rackOf(helper), unused -> new ArrayList<>()).add(helper);
    }
    List<Integer> near = racks.remove(network.rackOf(root));
    List<Integer> heads = new ArrayList<>(racks.size());
    racks.values().forEach(rack -> heads.add(rack.get(rack.size() - 1)));
    List<TreeEdge> chains = inside(racks.values(), near, TreeEdge::chain);
    List<TreeEdge> binomials = inside(racks.values(), near, TreeEdge::binomial);
    List<TreeEdge> straight = between(heads, root, network, TreeEdge::star);
    List<TreeEdge> tree = between(heads, root, network, TreeEdge::binomial);
    return List.of(
        tree("chain in each rack, racks straight to the root", chains, straight),
        tree("binomial tree in each rack, racks straight to the root", binomials, straight),
        tree("chain in each rack, binomial tree of racks", chains, tree),
        tree("binomial tree in each rack and of racks", binomials, tree));
  }

  private static Tree tree(String note, List<TreeEdge> inside, List<TreeEdge> between) {
    List<TreeEdge> edges = new ArrayList<>(inside.size() + between.size());
    edges.addAll(inside);
    edges.addAll(between);
    return new Tree(note, edges);
  }

  /** The edges inside racks; all sums leave a rack through its head, the last of its helpers. */
  private static List<TreeEdge> inside(
      Collection<List<Integer>> racks, @Nullable List<Integer> near, Way way) {
    List<TreeEdge> edges = new ArrayList<>();
    racks.forEach(rack -> toHead(rack, way, edges));
    edges.addAll(way.of(near == null ? List.of() : near));
    return edges;
  }

  private static void toHead(List<Integer> group, Way way, List<TreeEdge> edges) {
    int last = group.size() - 1;
    if (last == 0) {
      return;
    }
    int head = group.get(last);
    for (TreeEdge edge : way.of(group.subList(0, last))) {
      edges.add(new TreeEdge(edge.from(), edge.to() == TreeEdge.ROOTS ? head : edge.to(), true));
    }
  }

  /**
   * The edges between racks: the heads of the root's site and one head of each other site send to
   * the root; the other heads send to the head of their site.
   */
  private static List<TreeEdge> between(List<Integer> heads, int root, Network network, Way way) {
    Map<Integer, List<Integer>> sites = new LinkedHashMap<>();
    for (int head : heads) {
      sites.computeIfAbsent(network.siteOf(head), unused -> new ArrayList<>()).add(head);
    }
    List<Integer> near = sites.remove(network.siteOf(root));
    List<TreeEdge> edges = new ArrayList<>();
    List<Integer> senders = new ArrayList<>();
    for (List<Integer> site : sites.values()) {
      senders.add(site.get(site.size() - 1));
      toHead(site, way, edges);
    }
    senders.addAll(near == null ? List.of() : near);
    edges.addAll(way.of(senders));
    return edges;
  }
}
