package org.braid.placement;

import java.util.List;
import org.braid.code.ErasureCode;
import org.braid.code.Registry;
import org.braid.code.derive.Tolerance;
import org.braid.placement.EncodingAwareReplication.BlockPlacement;

/** The registry of policies, baseline first. */
public final class ReplicationPolicies {
  /** HDFS's own policy. */
  public static final ReplicationPolicy RANDOM =
      new Member(
          "random",
          "random replication: HDFS's default rules, blind to stripes",
          "EAR section 2.1",
          (topology, code, limits, layout) ->
              (earlier, eligible, writer, replicas, random) ->
                  new BlockPlacement(
                      -1,
                      RandomReplication.place(topology, eligible, writer, replicas, layout, random),
                      1));

  /** A core rack without a flow test. */
  public static final ReplicationPolicy PRELIMINARY =
      new Member(
          "preliminary",
          "preliminary EAR: a core rack holds a replica of each block of a stripe",
          "EAR section 3.1",
          (topology, code, limits, layout) -> new PreliminaryReplication(topology, layout));

  /** A core rack and a flow test. */
  public static final ReplicationPolicy EAR =
      new Member(
          "ear",
          "encoding-aware replication: a core rack, and a flow test that rules relocations out",
          "EAR sections 3.2 - 3.4; grids of racks: R-STAIR section III-A",
          (topology, code, limits, layout) ->
              StripeRules.of(code, limits).replication(topology, layout));

  /** A core rack and a flow test for codes with local groups. */
  public static final ReplicationPolicy EAR_LRC =
      new Member(
          "ear-lrc",
          "EAR for codes with local groups: merged flow graphs of global and local conditions",
          "EAR section 3.5",
          (topology, code, limits, layout) ->
              SubstripePlacement.replication(topology, substripes(code, limits), layout));

  private static final Registry<ReplicationPolicy> ALL =
      new Registry<>(
          "placement policy", List.of(RANDOM, PRELIMINARY, EAR, EAR_LRC), ReplicationPolicy::name);

  private ReplicationPolicies() {}

  /**
   * The limits of {@link #EAR_LRC}: for as many rack failures as c gives a code that survives any t
   * losses, floor(t / c), at least one and at most what the conditions allow.
   */
  public static SubstripeLimits substripes(ErasureCode code, StripeLimits limits) {
    int failures = Math.max(1, limits.toleratedRacks(Tolerance.counted(code)));
    Substripes substripes = Substripes.of(code, failures);
    int most = Math.min(substripes.globalLosses(), substripes.localLosses());
    return new SubstripeLimits(substripes, Math.min(failures, most), limits.targetRacks());
  }

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

  private interface Maker {
    BlockPlacer on(Topology topology, ErasureCode code, StripeLimits limits, ReplicaLayout layout);
  }

  private record Member(String name, String description, String source, Maker maker)
      implements ReplicationPolicy {
    @Override
    public BlockPlacer on(
        Topology topology, ErasureCode code, StripeLimits limits, ReplicaLayout layout) {
      return maker.on(topology, code, limits, layout);
    }
  }
}
