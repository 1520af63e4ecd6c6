package org.braid.placement.site;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.code.derive.Tolerance;
import org.braid.placement.CopiesRule;
import org.braid.placement.PlacementException;
import org.braid.placement.StripeRule;
import org.braid.placement.StripeRules;
import org.braid.placement.Topology;

/** Makes rules that know sites. */
public final class SiteRules {
  private SiteRules() {}

  /**
   * The rule that a description names.
   *
   * @param policy {@link SitePolicies#EVEN} or {@link SitePolicies#CODE_AWARE}
   * @param perRack c, blocks of a stripe that a rack may hold
   * @param perSite blocks of a stripe that a site may hold
   * @throws IllegalArgumentException when the policy promises nothing
   */
  public static StripeRule of(ErasureCode code, SitePolicy policy, int perRack, int perSite) {
    if (policy != SitePolicies.EVEN && policy != SitePolicies.CODE_AWARE) {
      throw new IllegalArgumentException(
          "site policy %s promises nothing that could be kept: use %s or %s"
              .formatted(policy.name(), SitePolicies.EVEN.name(), SitePolicies.CODE_AWARE.name()));
    }
    return rule(code, policy, perRack, perSite);
  }

  /** Copies of parity may change places with all parities that are bound to no site. */
  private static StripeRule rule(ErasureCode code, SitePolicy policy, int perRack, int perSite) {
    StripeRule rule = new SiteRule(code, policy, perRack, perSite);
    if (!(code instanceof ParityCopies copied)) {
      return rule;
    }
    Set<Integer> bound = new HashSet<>();
    groups(code, policy).stream().filter(group -> group.size() > 1).forEach(bound::addAll);
    return new CopiesRule(rule, copied, block -> !bound.contains(block));
  }

  /**
   * The rule for stripes of a code on a cluster: with c blocks a rack, or as few as fit, and no
   * more blocks at a site than the policy needs there.
   *
   * @param perRack c; empty for the fewest that fit
   * @throws PlacementException with the numbers when the promise cannot be kept: fewer than two
   *     sites, too few places, a rack that could take data with it, or a code whose columns have
   *     racks of their own
   */
  public static StripeRule on(
      ErasureCode code,
      SitePolicy policy,
      OptionalInt perRack,
      Topology topology,
      IntPredicate eligible) {
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
        return rule(code, policy, c, mostAtASite(code, policy, c, topology, eligible));
      } catch (PlacementException e) {
        if (c >= most) {
          throw e;
        }
      }
    }
  }

  /**
   * The fewest blocks a site that the policy's groups fit with; copies of parity take as many more
   * as they need to be apart.
   */
  private static int mostAtASite(
      ErasureCode code, SitePolicy policy, int perRack, Topology topology, IntPredicate eligible) {
    List<List<Integer>> groups = groups(code, policy);
    SiteRequest request = new SiteRequest(topology, eligible, code, 1, perRack);
    int[] held = new int[topology.sites()];
    Arrays.stream(new SiteFill(request, new SplittableRandom(1)).sites(groups))
        .forEach(site -> held[site]++);
    int most = Arrays.stream(held).max().orElseThrow();
    if (ParityCopies.of(code) > 1) {
      return most;
    }
    // Who numbers the sites in another order must come to the same.
    for (int fewer = (code.n() + held.length - 1) / held.length; fewer < most; fewer++) {
      if (new SiteFill(request, fewer, new SplittableRandom(1)).fits(groups)) {
        return fewer;
      }
    }
    return most;
  }

  /** The blocks that a policy keeps at one site each. */
  static List<List<Integer>> groups(ErasureCode code, SitePolicy policy) {
    if (policy == SitePolicies.CODE_AWARE) {
      return LocalityGroups.of(code);
    }
    return IntStream.range(0, code.n()).mapToObj(List::of).toList();
  }
}
