package org.braid.hdfs.stripe;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.braid.code.ErasureCode;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SiteRules;

/**
 * The recorded placement of a stripe's blocks.
 *
 * @param perRack maximum number of the stripe's blocks in a rack
 * @param targetRacks names of the racks that the stripe may use; empty for all
 * @param sites the policy over sites; empty when sites do not count
 */
public record StripePromise(int perRack, List<String> targetRacks, Optional<Sites> sites) {
  /**
   * A policy over sites.
   *
   * @param policy its name: {@code even}, or {@code code-aware} with each locality group at one
   *     site
   * @param perSite maximum number of the stripe's blocks at a site
   */
  public record Sites(String policy, int perSite) {}

  public StripePromise {
    targetRacks = List.copyOf(targetRacks);
  }

  /** The record of a rule. */
  public static StripePromise of(StripeRule rule, Topology topology) {
    return new StripePromise(
        rule.perRack(),
        rule.targetRacks().stream().map(topology::rackName).sorted().toList(),
        rule.sites().map(sites -> new Sites(sites.policy(), sites.perSite())));
  }

  /**
   * The rule of this record, for the present racks.
   *
   * @param topology a cluster whose racks have their names in HDFS
   * @throws IllegalArgumentException when the policy over sites is unknown
   */
  StripeRule rule(ErasureCode code, Topology topology) {
    if (sites.isPresent()) {
      return SiteRules.of(
          code, SitePolicies.named(sites.get().policy()), perRack, sites.get().perSite());
    }
    Set<Integer> racks = new HashSet<>();
    for (int rack = 0; rack < topology.racks(); rack++) {
      if (targetRacks.contains(topology.rackName(rack))) {
        racks.add(rack);
      }
    }
    if (racks.isEmpty() && !targetRacks.isEmpty()) {
      racks.add(topology.racks()); // none of them is there: not the same as none at all
    }
    return StripeRules.of(code, new StripeLimits(perRack, racks));
  }
}
