package org.braid.hdfs.rpc;

import java.util.HashSet;
import java.util.Set;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.placement.StripeLimits;
import org.braid.placement.StripeRule;
import org.braid.placement.StripeRules;
import org.braid.placement.Topology;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SiteRules;

/** What the description of a stripe promises of the places of its blocks. */
public final class StripePromise {
  private StripePromise() {}

  /** Writes down what a rule promises. */
  public static void describe(StripeProto.Builder stripe, StripeRule rule, Topology topology) {
    stripe.setPerRack(rule.perRack());
    rule.sites()
        .ifPresent(sites -> stripe.setSitePolicy(sites.policy()).setPerSite(sites.perSite()));
    rule.targetRacks().stream().map(topology::rackName).sorted().forEach(stripe::addTargetRacks);
  }

  /**
   * The rule by which a stripe was placed, on racks as they are now.
   *
   * @param topology a cluster whose racks have their names in HDFS
   * @throws IllegalArgumentException when the description names no known code or no rule
   */
  public static StripeRule of(StripeProto stripe, Topology topology) {
    if (stripe.hasSitePolicy()) {
      return SiteRules.of(
          StripeCode.of(stripe),
          SitePolicies.named(stripe.getSitePolicy()),
          stripe.getPerRack(),
          stripe.getPerSite());
    }
    Set<Integer> racks = new HashSet<>();
    for (int rack = 0; rack < topology.racks(); rack++) {
      if (stripe.getTargetRacksList().contains(topology.rackName(rack))) {
        racks.add(rack);
      }
    }
    if (racks.isEmpty() && stripe.getTargetRacksCount() > 0) {
      racks.add(topology.racks()); // none of them is there: not the same as none at all
    }
    return StripeRules.of(StripeCode.of(stripe), new StripeLimits(stripe.getPerRack(), racks));
  }
}
