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
 * The homes of a stripe's blocks by rack, including those on dead nodes, and the stripe's rule.
 * Contains the nodes of the stripe and those to be checked, not the whole cluster.
 *
 * @param rule the rule that the stripe promises
 * @param topology the nodes by UUID
 * @param nodeOf index of each member's home in the topology; {@link StripeRule#UNKNOWN} for a node
 *     that has not registered since the NameNode started
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
record StripeHomes(StripeRule rule, Topology topology, int[] nodeOf) {
  /**
   * The homes that a stripe records.
   *
   * @throws IllegalArgumentException when the stripe's description is no valid rule
   */
  static StripeHomes of(NameNodeHost host, Stripe stripe, Collection<DatanodeDescriptor> asked) {
    return of(
        host.nodes()::getDatanode,
        stripe,
        stripe.members().stream().map(Member::home).toList(),
        asked);
  }

  /**
   * A stripe with other homes.
   *
   * @param registered returns the DataNode with a UUID, dead or alive, or null
   * @param homes UUID of each member's home; ignored for a member without a block
   * @param asked nodes to check with {@link #fits}
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

  /** The members whose home breaks the rule, with the reason. */
  Map<Integer, String> breaches() {
    List<Integer> known =
        IntStream.range(0, nodeOf.length).filter(i -> nodeOf[i] >= 0).boxed().toList();
    return rule.breaches(topology, nodeOf, known);
  }

  /** Whether the rule allows a member on one of the nodes to check, with all others at home. */
  boolean fits(int member, String uuid) {
    return rule.fits(topology, nodeOf, member, topology.indexOf(uuid).orElseThrow());
  }
}
