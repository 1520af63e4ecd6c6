package org.braid.hdfs.namenode.stripes;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.braid.hdfs.namenode.host.ClusterTopology;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.jspecify.annotations.Nullable;

/**
 * The homes of a stripe's blocks on the racks of their nodes, dead ones too, and the rule that they
 * keep. It knows the nodes of the stripe and those that are asked about, not the whole cluster.
 *
 * @param rule what the stripe promises
 * @param topology the nodes by UUID
 * @param nodeOf the home of each member by its number in the topology; {@link StripeRule#UNKNOWN}
 *     for one that has not registered since the NameNode started
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
record StripeHomes(StripeRule rule, Topology topology, int[] nodeOf) {
  /**
   * The homes that a stripe names.
   *
   * @throws IllegalArgumentException when its description makes no rule
   */
  static StripeHomes of(NameNodeHost host, Stripe stripe, Collection<DatanodeDescriptor> asked) {
    return of(
        host.nodes()::getDatanode,
        stripe,
        stripe.members().stream().map(Member::home).toList(),
        asked);
  }

  /**
   * The same with other homes.
   *
   * @param registered gives the DataNode of a UUID, dead ones too, or null
   * @param homes for each member the UUID of a node; what it says of a member without a block does
   *     not count
   * @param asked nodes that {@link #fits} is asked about
   */
  static StripeHomes of(
      Function<String, @Nullable DatanodeDescriptor> registered,
      Stripe stripe,
      List<String> homes,
      Collection<DatanodeDescriptor> asked) {
    Map<String, DatanodeDescriptor> nodes = new LinkedHashMap<>();
    for (String home : homes) {
      DatanodeDescriptor node = home.isEmpty() ? null : registered.apply(home);
      if (node != null) {
        nodes.put(home, node);
      }
    }
    asked.forEach(node -> nodes.put(node.getDatanodeUuid(), node));
    Topology topology = ClusterTopology.of(List.copyOf(nodes.values())).topology();
    int[] nodeOf =
        IntStream.range(0, stripe.members().size())
            .map(
                i ->
                    stripe.isVirtual(i)
                        ? StripeRule.NOWHERE
                        : topology.indexOf(homes.get(i)).orElse(StripeRule.UNKNOWN))
            .toArray();
    return new StripeHomes(stripe.rule(topology), topology, nodeOf);
  }

  /** Members whose home breaks the promise, and how. */
  Map<Integer, String> breaches() {
    List<Integer> known =
        IntStream.range(0, nodeOf.length).filter(i -> nodeOf[i] >= 0).boxed().toList();
    return rule.breaches(topology, nodeOf, known);
  }

  /** Whether a member may be on a node that was asked about, all others being at home. */
  boolean fits(int member, String uuid) {
    return rule.fits(topology, nodeOf, member, topology.indexOf(uuid).orElseThrow());
  }
}
