package org.braid.hdfs.coordinator.convert;

import java.util.Optional;
import java.util.OptionalInt;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.placement.rule.TargetRacks;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SiteRules;

/** Where the blocks of converted stripes may be. */
public final class ConvertRule {
  private ConvertRule() {}

  /**
   * The rule for some nodes.
   *
   * @param perRack most blocks of a stripe a rack; empty for the fewest that fit
   * @param targetRacks most racks of a stripe; empty for all
   * @param sites name of the policy over sites; empty for racks alone
   * @throws PlacementException when the code does not fit, with numbers
   */
  public static StripeRule of(
      ErasureCode code,
      OptionalInt perRack,
      OptionalInt targetRacks,
      Optional<String> sites,
      EligibleNodes nodes) {
    if (sites.isPresent()) {
      return SiteRules.on(code, SitePolicies.named(sites.get()), perRack, nodes);
    }
    return targetRacks.isEmpty()
        ? StripeRules.on(code, perRack, nodes)
        : StripeRules.on(code, perRack, TargetRacks.largest(nodes, targetRacks.getAsInt()), nodes);
  }
}
