package org.braid.plan.throttle;

import java.util.HashMap;
import java.util.Map;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.SharedLink.Way;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that plans move over each shared link, and how long the links are busy with them. Not
 * thread-safe.
 */
public final class LinkBytes {
  private final Map<SharedLink, Long> bytes = new HashMap<>();
  private final Map<String, Long> uplinks = new HashMap<>();
  private @Nullable Topology known;

  /**
   * Adds a plan whose nodes are those of a topology.
   *
   * @param value bytes of each of its values
   */
  public void add(Plan plan, Topology topology, long value) {
    LinkLoads.of(plan, topology).forEach((link, values) -> add(link, values * value));
    if (topology != known) {
      known = topology;
      for (int rack = 0; rack < topology.racks(); rack++) {
        uplinks.put(topology.rackName(rack), (long) topology.nodesIn(rack).size());
      }
    }
  }

  /** Adds bytes to one link. */
  public void add(SharedLink link, long more) {
    bytes.merge(link, more, Long::sum);
  }

  /** Bytes that go from one node to another. */
  public long total() {
    return bytes.getOrDefault(SharedLink.CLUSTER, 0L);
  }

  /** Of these, bytes that go from one rack to another. */
  public long crossRack() {
    return leaving(Kind.UPLINK);
  }

  /** Of these, bytes that go from one site to another. */
  public long crossSite() {
    return leaving(Kind.SITE);
  }

  private long leaving(Kind kind) {
    return bytes.entrySet().stream()
        .filter(entry -> entry.getKey().kind() == kind && entry.getKey().way() == Way.OUT)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /**
   * The time that the busiest link needs for its bytes when nothing else uses it.
   *
   * @param rates of the network
   * @param throttle the part of each limit that is granted counts, see {@link
   *     ThrottledRuns#GRANTED}
   * @return seconds; infinite where a limit of 0 stops something
   */
  public double seconds(Network.Rates rates, Throttle throttle) {
    double most = 0;
    for (Map.Entry<SharedLink, Long> entry : bytes.entrySet()) {
      double rate = rate(entry.getKey(), rates);
      var limit = throttle.limit(entry.getKey().kind());
      if (limit.isPresent()) {
        rate = Math.min(rate, ThrottledRuns.GRANTED * limit.getAsLong());
      }
      if (entry.getValue() > 0) {
        most = Math.max(most, entry.getValue() / rate);
      }
    }
    return most;
  }

  private double rate(SharedLink link, Network.Rates rates) {
    return switch (link.kind()) {
      case NODE -> rates.link();
      case UPLINK ->
          uplinks.getOrDefault(link.name(), 1L) * rates.link() / rates.oversubscription();
      case SITE -> rates.site();
      case DISK, CLUSTER -> Double.POSITIVE_INFINITY;
    };
  }
}
