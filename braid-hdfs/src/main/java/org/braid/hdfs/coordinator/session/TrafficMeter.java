package org.braid.hdfs.coordinator.session;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.engine.FragmentResult;
import org.braid.hdfs.api.RepairReport.Phases;
import org.braid.hdfs.api.Traffic;
import org.braid.hdfs.engine.HdfsResult;
import org.braid.plan.Link;

/**
 * Adds up the traffic of plans. Its memory does not grow with the number of plans, as a daemon
 * counts for as long as it runs. Thread-safe.
 */
public final class TrafficMeter {
  private long crossRack;
  private long inRack;
  private long cpuNanos;

  /** Number of fragments that stored blocks, and the phases of their time. */
  private long storing;

  private long readNanos;
  private long decodeNanos;
  private long waitNanos;

  private final Map<String, Long> out = new HashMap<>();
  private final Map<String, Long> in = new HashMap<>();

  public synchronized void add(ClusterState state, HdfsResult result) {
    cpuNanos += result.cpuNanos();
    for (FragmentResult outcome : result.outcomes().values()) {
      if (!outcome.storeCrcs().isEmpty()) {
        storing++;
        readNanos += outcome.readNanos();
        decodeNanos += outcome.cpuNanos();
        waitNanos += outcome.waitNanos();
      }
    }
    for (Map.Entry<Link, Long> entry : result.links().entrySet()) {
      Link link = entry.getKey();
      long bytes = entry.getValue();
      if (state.topology().rackOf(link.from()) == state.topology().rackOf(link.to())) {
        inRack += bytes;
      } else {
        crossRack += bytes;
      }
      out.merge(state.name(link.from()), bytes, Long::sum);
      in.merge(state.name(link.to()), bytes, Long::sum);
    }
  }

  public synchronized Traffic total() {
    long busiest = 0;
    for (Map<String, Long> side : List.of(out, in)) {
      for (long bytes : side.values()) {
        busiest = Math.max(busiest, bytes);
      }
    }
    return new Traffic(crossRack, inRack, busiest, cpuNanos / 1e9);
  }

  /** The mean phases of the nodes that stored blocks. */
  public synchronized Phases phases() {
    return storing == 0
        ? Phases.NONE
        : new Phases(
            readNanos / 1e9 / storing, decodeNanos / 1e9 / storing, waitNanos / 1e9 / storing);
  }
}
