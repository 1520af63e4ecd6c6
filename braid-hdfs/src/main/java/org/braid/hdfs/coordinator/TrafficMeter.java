package org.braid.hdfs.coordinator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.engine.Link;
import org.braid.hdfs.api.RepairReport.Phases;
import org.braid.hdfs.api.Traffic;

/** Adds up what plans moved. Thread-safe. */
final class TrafficMeter {
  private long crossRack;
  private long inRack;
  private long cpuNanos;
  private final List<Phases> storing = new ArrayList<>();
  private final Map<String, Long> out = new HashMap<>();
  private final Map<String, Long> in = new HashMap<>();

  synchronized void add(ClusterState state, PlanRun.Result result) {
    cpuNanos += result.cpuNanos();
    storing.addAll(result.storing());
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

  synchronized Traffic total() {
    long busiest = 0;
    for (Map<String, Long> side : List.of(out, in)) {
      for (long bytes : side.values()) {
        busiest = Math.max(busiest, bytes);
      }
    }
    return new Traffic(crossRack, inRack, busiest, cpuNanos / 1e9);
  }

  /** What took the time of the nodes that stored: the mean. */
  synchronized Phases phases() {
    return new Phases(
        storing.stream().mapToDouble(Phases::readSeconds).average().orElse(0),
        storing.stream().mapToDouble(Phases::decodeSeconds).average().orElse(0),
        storing.stream().mapToDouble(Phases::waitSeconds).average().orElse(0));
  }
}
