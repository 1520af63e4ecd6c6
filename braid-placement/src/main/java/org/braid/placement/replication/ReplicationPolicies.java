package org.braid.placement.replication;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.braid.code.Registry;
import org.braid.placement.EligibleNodes;
import org.braid.placement.lrc.SubstripeLimits;
import org.braid.placement.lrc.SubstripePlacement;
import org.braid.placement.lrc.Substripes;
import org.braid.placement.rule.EncodedStripe;
import org.braid.placement.rule.StripeRule;
import org.jspecify.annotations.Nullable;

/** The registry of replication policies, the baseline first. */
public final class ReplicationPolicies {
  /** HDFS's own policy. */
  public static final ReplicationPolicy RANDOM =
      new Member(
          "random",
          "random replication: HDFS's default rules, blind to stripes",
          "EAR section 2.1",
          (rule, layout) -> new RandomReplication(layout));

  /** A core rack without a flow check. */
  public static final ReplicationPolicy PRELIMINARY =
      new Member(
          "preliminary",
          "preliminary EAR: a core rack holds a replica of each block of a stripe",
          "EAR section 3.1",
          (rule, layout) -> new PreliminaryReplication(layout));

  /** A core rack and a flow check. */
  public static final ReplicationPolicy EAR =
      new Member(
          "ear",
          "encoding-aware replication: a core rack, and a flow test that rules relocations out",
          "EAR sections 3.2 - 3.4; grids of racks: R-STAIR section III-A",
          EncodingAwareReplication::new);

  /** A core rack and a flow check for codes with local groups; for studies. */
  public static final ReplicationPolicy EAR_LRC =
      new EarForLocalGroups(SubstripeLimits::asTolerantAs);

  private static final Registry<ReplicationPolicy> ALL =
      new Registry<>(
          "placement policy", List.of(RANDOM, PRELIMINARY, EAR, EAR_LRC), ReplicationPolicy::name);

  private ReplicationPolicies() {}

  /** All policies, in the order of listings. */
  public static List<ReplicationPolicy> all() {
    return ALL.all();
  }

  /**
   * The policy of a name.
   *
   * @throws IllegalArgumentException when there is none; lists the known names
   */
  public static ReplicationPolicy named(String name) {
    return ALL.named(name);
  }

  /**
   * {@link #EAR_LRC} with stripes that survive a number of rack failures, whatever the limit of
   * blocks a rack of a rule is. Only the rule's code counts, and its target racks.
   *
   * @param rackFailures racks that may fail, 1 or more
   */
  public static ReplicationPolicy earLrc(int rackFailures) {
    return new EarForLocalGroups(
        rule ->
            new SubstripeLimits(
                Substripes.of(rule.code(), rackFailures), rackFailures, rule.targetRacks()));
  }

  private interface Maker {
    BlockPlacer placer(StripeRule rule, ReplicaLayout layout);
  }

  private record Member(String name, String description, String source, Maker maker)
      implements ReplicationPolicy {
    @Override
    public BlockPlacer placer(StripeRule rule, ReplicaLayout layout) {
      return maker.placer(rule, layout);
    }

    @Override
    public EncodedStripe encode(
        StripeRule rule, EligibleNodes eligible, List<int[]> replicas, RandomGenerator random) {
      return rule.layout(eligible, replicas, random);
    }
  }

  /**
   * Encoding-aware replication under the conditions of substripes. Stripe rules have no such
   * conditions: conversion, guard and fsck keep c blocks a rack for codes with local groups too.
   */
  private static final class EarForLocalGroups implements ReplicationPolicy {
    private final Function<StripeRule, SubstripeLimits> maker;
    private volatile @Nullable Known known;

    /** Limits are found by trying patterns of losses, which takes longer than to place a stripe. */
    private record Known(StripeRule rule, SubstripeLimits limits) {}

    EarForLocalGroups(Function<StripeRule, SubstripeLimits> maker) {
      this.maker = maker;
    }

    private SubstripeLimits limits(StripeRule rule) {
      Known last = known;
      if (last == null || !last.rule().equals(rule)) {
        last = new Known(rule, maker.apply(rule));
        known = last;
      }
      return last.limits();
    }

    @Override
    public String name() {
      return "ear-lrc";
    }

    @Override
    public String description() {
      return "EAR for codes with local groups: merged flow graphs of global and local conditions,"
          + " for studies";
    }

    @Override
    public String source() {
      return "EAR section 3.5";
    }

    @Override
    public BlockPlacer placer(StripeRule rule, ReplicaLayout layout) {
      return new EncodingAwareReplication(limits(rule), layout);
    }

    @Override
    public EncodedStripe encode(
        StripeRule rule, EligibleNodes eligible, List<int[]> replicas, RandomGenerator random) {
      return SubstripePlacement.layout(eligible, replicas, limits(rule), random);
    }

    @Override
    public Optional<String> studiesOnly() {
      return Optional.of("conversion keeps other conditions and would relocate blocks");
    }
  }
}
