package org.braid.sim.failure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.braid.placement.Topology;
import org.braid.sim.failure.FailureTrace.Event;
import org.braid.sim.time.RandomStreams;

/**
 * Failures of nodes and racks, each an independent renewal process; times in seconds.
 *
 * @param node time from when a node is up until it fails
 * @param transientShare share of node failures after which the node comes back with its blocks; the
 *     others lose them
 * @param downtime mean time until it comes back, exponentially distributed
 * @param rack time from when a rack is up until it fails; all failures of racks are transient
 */
public record FailureProcess(Lifetime node, double transientShare, double downtime, Lifetime rack) {
  public FailureProcess {
    if (!(transientShare >= 0 && transientShare <= 1) || !(downtime > 0)) {
      throw new IllegalArgumentException(
          ("a fraction %s of transient failures that last %s s: must be 0 to 1 and more"
                  + " than 0 s")
              .formatted(transientShare, downtime));
    }
  }

  /** Draws all failures that begin within some time. */
  public FailureTrace draw(Topology topology, double seconds, RandomGenerator random) {
    List<Event> events = new ArrayList<>();
    for (int index = 0; index < topology.nodes(); index++) {
      double at = node.draw(random);
      while (at < seconds) {
        boolean comesBack = random.nextDouble() < transientShare;
        double back = at + RandomStreams.exponential(downtime, random);
        double until = comesBack ? back : Double.POSITIVE_INFINITY;
        events.add(new Event(at, FailureDomain.NODE, index, until, !comesBack));
        at = back + node.draw(random);
      }
    }
    for (int index = 0; index < topology.racks() && !rack.isEndless(); index++) {
      double at = rack.draw(random);
      while (at < seconds) {
        double back = at + RandomStreams.exponential(downtime, random);
        events.add(new Event(at, FailureDomain.RACK, index, back, false));
        at = back + rack.draw(random);
      }
    }
    events.sort(Comparator.comparingDouble(Event::at));
    return new FailureTrace(events);
  }
}
