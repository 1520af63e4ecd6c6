package org.braid.hdfs.coordinator.policy;

import java.util.Collection;
import java.util.Optional;
import org.braid.hdfs.coordinator.convert.ConvertRule;
import org.braid.hdfs.policy.Conversion;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.rpc.NetworkLocations;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StripeCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;

/** Checks whether stripes of a policy's code find places on some nodes. */
public final class PolicyFit {
  private PolicyFit() {}

  /**
   * Why a policy converts nothing, with numbers; empty when its code fits, or it does not convert.
   */
  public static Optional<String> problem(Policy policy, EligibleNodes nodes) {
    Optional<Conversion> conversion = policy.conversion();
    if (!policy.enabled() || conversion.isEmpty()) {
      return Optional.empty();
    }
    Conversion how = conversion.get();
    Optional<String> sites = Optional.of(how.placement()).filter(p -> !p.equals(Conversion.RACKS));
    try {
      ConvertRule.of(
          StripeCode.named(how.code(), how.parityCopies()),
          how.perRack(),
          how.targetRacks(),
          sites,
          nodes);
      return Optional.empty();
    } catch (PlacementException | IllegalArgumentException e) {
      return Optional.of(
          "policy %s converts nothing: %s does not fit: %s"
              .formatted(policy.name(), how.code(), e.getMessage()));
    }
  }

  /** The nodes that may get blocks: those that are live and in service. */
  static EligibleNodes places(Collection<Datanode> nodes) {
    Topology.Builder topology = Topology.builder();
    nodes.stream()
        .filter(node -> node.live() && node.inService())
        .forEach(node -> NetworkLocations.add(topology, node.uuid(), node.rack()));
    return EligibleNodes.all(topology.build());
  }
}
