package org.braid.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.braid.plan.TreePlanner.Variant;

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

  static TreePlanner planner() {
    return new TreePlanner(
        "racktree",
        List.of(
            variant("chain in each rack, racks straight to the root", Hop::chain, Hop::star),
            variant(
                "binomial tree in each rack, racks straight to the root", Hop::binomial, Hop::star),
            variant("chain in each rack, binomial tree of racks", Hop::chain, Hop::binomial),
            variant("binomial tree in each rack and of racks", Hop::binomial, Hop::binomial)));
  }

  private static Variant variant(
      String note,
      Function<List<Integer>, List<Hop>> inside,
      Function<List<Integer>, List<Hop>> between) {
    return new Variant(
        note, (helpers, root, network) -> hops(helpers, root, network, inside, between));
  }

  /**
   * The heads that send to the root: all of its site, and of every other site one, to which the
   * others there send.
   */
  private static List<Integer> bySite(
      List<Integer> heads,
      int root,
      Network network,
      Function<List<Integer>, List<Hop>> between,
      List<Hop> hops) {
    Map<Integer, List<Integer>> sites = new LinkedHashMap<>();
    for (int head : heads) {
      sites.computeIfAbsent(network.siteOf(head), unused -> new ArrayList<>()).add(head);
    }
    List<Integer> near = sites.remove(network.siteOf(root));
    List<Integer> senders = new ArrayList<>();
    for (List<Integer> site : sites.values()) {
      int head = site.get(site.size() - 1);
      senders.add(head);
      for (Hop hop : between.apply(site.subList(0, site.size() - 1))) {
        hops.add(new Hop(hop.from(), hop.to() == Hop.ROOTS ? head : hop.to(), true));
      }
    }
    senders.addAll(near == null ? List.of() : near);
    return senders;
  }

  private static List<Hop> hops(
      List<Integer> helpers,
      int root,
      Network network,
      Function<List<Integer>, List<Hop>> inside,
      Function<List<Integer>, List<Hop>> between) {
    Map<Integer, List<Integer>> racks = new LinkedHashMap<>();
    for (int helper : helpers) {
      racks.computeIfAbsent(network.rackOf(helper), unused -> new ArrayList<>()).add(helper);
    }
    List<Integer> near = racks.remove(network.rackOf(root));
    List<Hop> hops = new ArrayList<>();
    List<Integer> heads = new ArrayList<>();
    for (List<Integer> rack : racks.values()) {
      int head = rack.get(rack.size() - 1);
      heads.add(head);
      for (Hop hop : inside.apply(rack.subList(0, rack.size() - 1))) {
        // All that leaves the rack goes through its head.
        hops.add(new Hop(hop.from(), hop.to() == Hop.ROOTS ? head : hop.to(), true));
      }
    }
    hops.addAll(inside.apply(near == null ? List.of() : near));
    hops.addAll(between.apply(bySite(heads, root, network, between, hops)));
    return hops;
  }
}
