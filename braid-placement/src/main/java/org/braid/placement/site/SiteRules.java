package org.braid.placement.site;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.code.derive.Tolerance;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.rule.ParityCopiesRule;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;

/** Makes stripe rules with promises on sites. */
public final class SiteRules {
  private SiteRules() {}

  /**
   * The rule of a policy with given limits.
   *
   * @param policy {@link SitePolicies#EVEN} or {@link SitePolicies#CODE_AWARE}
   * @param perRack c, the most blocks of a stripe in a rack
   * @param perSite the most blocks of a stripe at a site
   * @throws IllegalArgumentException when the policy has no promise
   */
  public static StripeRule of(ErasureCode code, SitePolicy policy, int perRack, int perSite) {
    if (policy != SitePolicies.EVEN && policy != SitePolicies.CODE_AWARE) {
      throw new IllegalArgumentException(
          "site policy %s promises nothing that could be kept: use %s or %s"
              .formatted(policy.name(), SitePolicies.EVEN.name(), SitePolicies.CODE_AWARE.name()));
    }
    return rule(code, policy, perRack, perSite);
  }

  /** Copies of parity may swap nodes with all parities that no group binds to a site. */
  private static StripeRule rule(ErasureCode code, SitePolicy policy, int perRack, int perSite) {
    StripeRule rule = new SiteRule(code, policy, perRack, perSite);
    if (!(code instanceof ParityCopies copied)) {
      return rule;
    }
    Set<Integer> bound = new HashSet<>();
    groups(code, policy).stream().filter(group -> group.size() > 1).forEach(bound::addAll);
    return new ParityCopiesRule(rule, copied, block -> !bound.contains(block));
  }

  /**
   * The rule for stripes of a code on a cluster: c blocks a rack, or as few as fit, and no more
   * blocks at a site than the policy needs.
   *
   * @param perRack c; empty for the fewest that fit
   * @throws PlacementException with the numbers when the promise cannot be kept: fewer than two
   *     sites, too few nodes, a rack whose loss would lose data, or a code whose columns have racks
   *     of their own
   */
  public static StripeRule on(
      ErasureCode code, SitePolicy policy, OptionalInt perRack, EligibleNodes eligible) {
    Topology topology = eligible.topology();
    if (topology.sites() < 2) {
      throw new PlacementException(
          "sites",
          2,
          topology.sites(),
          ("placement %s needs racks at 2 sites or more, the cluster has %d: name racks /SITE/RACK"
                  + " in HDFS's topology script, or place by racks")
              .formatted(policy.name(), topology.sites()));
    }
    int columns = StripeRules.columns(code).size();
    if (columns > 0) {
      throw new PlacementException(
          "sites",
          columns,
          topology.sites(),
          "%s keeps its %d columns in racks of their own, which leaves sites no choice: place by racks"
              .formatted(code.name(), columns));
    }
    int survived = Tolerance.counted(code);
    int from = perRack.orElse(1);
    int most = perRack.orElse(Math.max(1, survived));
    if (most > survived) {
      throw new PlacementException(
          "losses",
          most,
          survived,
          "%d blocks of a stripe a rack are more than the %d losses that %s survives: allow at most %d"
              .formatted(most, survived, code.name(), survived));
    }
    for (int c = from; ; c++) {
      try {
        return rule(code, policy, c, mostAtASite(code, policy, c, eligible));
      } catch (PlacementException e) {
        if (c >= most) {
          throw e;
        }
      }
    }
  }

  /**
   * The smallest limit for a site with which the groups of the policy fit; copies of parity get the
   * room that they need to be apart.
   */
  private static int mostAtASite(
      ErasureCode code, SitePolicy policy, int perRack, EligibleNodes eligible) {
    List<List<Integer>> groups = groups(code, policy);
    SiteRequest request = new SiteRequest(eligible, code, 1, perRack);
    int[] held = new int[eligible.topology().sites()];
    Arrays.stream(new SiteCompletion(request, new SplittableRandom(1)).sites(groups))
        .forEach(site -> held[site]++);
    int most = Arrays.stream(held).max().orElseThrow();
    if (ParityCopies.of(code) > 1) {
      return most;
    }
    // The result must not depend on the numbering of sites.
    for (int fewer = (code.n() + held.length - 1) / held.length; fewer < most; fewer++) {
      if (new SiteCompletion(request, fewer, new SplittableRandom(1)).fits(groups)) {
        return fewer;
      }
    }
    return most;
  }

  /** The groups of blocks that a policy keeps at one site each. */
  static List<List<Integer>> groups(ErasureCode code, SitePolicy policy) {
    if (policy == SitePolicies.CODE_AWARE) {
      return LocalityGroups.of(code);
    }
    return IntStream.range(0, code.n()).mapToObj(List::of).toList();
  }
}
