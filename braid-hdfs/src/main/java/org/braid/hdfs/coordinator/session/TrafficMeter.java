package org.braid.hdfs.coordinator.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.engine.FragmentResult;
import org.braid.hdfs.api.RepairReport.Phases;
import org.braid.hdfs.api.Traffic;
import org.braid.hdfs.engine.HdfsResult;
import org.braid.plan.Link;

/** Adds up what plans moved. Thread-safe. */
public final class TrafficMeter {
  private long crossRack;
  private long inRack;
  private long cpuNanos;
  private final List<Phases> storing = new ArrayList<>();
  private final Map<String, Long> out = new HashMap<>();
  private final Map<String, Long> in = new HashMap<>();

  public synchronized void add(ClusterState state, HdfsResult result) {
    cpuNanos += result.cpuNanos();
    for (FragmentResult outcome : result.outcomes().values()) {
      if (!outcome.storeCrcs().isEmpty()) {
        storing.add(
            new Phases(
                outcome.readNanos() / 1e9, outcome.cpuNanos() / 1e9, outcome.waitNanos() / 1e9));
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

  /** What took the time of the nodes that stored: the mean. */
  public synchronized Phases phases() {
    return new Phases(
        storing.stream().mapToDouble(Phases::readSeconds).average().orElse(0),
        storing.stream().mapToDouble(Phases::decodeSeconds).average().orElse(0),
        storing.stream().mapToDouble(Phases::waitSeconds).average().orElse(0));
  }
}
