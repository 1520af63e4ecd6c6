package org.braid.lab.work;

import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.lab.Counters;
import org.braid.lab.Lab;
import org.braid.lab.network.CarriedBytes;
import org.braid.lab.network.Host;
import org.braid.lab.network.LinkLimits;
import org.braid.placement.Topology;

/** Measures the use of a lab's network and processors. */
final class Meter {
  private final Lab lab;
  private final Counters before;

  /**
   * The use between start and stop.
   *
   * @param crossRackBytes bytes that crossed racks
   * @param movedBytes bytes that hosts sent
   * @param busiestLink use of the busiest link as a share of its capacity, 0 to 1
   * @param cpu busy time as a share of all processors' time, 0 to 1
   */
  record Use(long crossRackBytes, long movedBytes, double busiestLink, double cpu) {}

  private Meter(Lab lab, Counters before) {
    this.lab = lab;
    this.before = before;
  }

  static Meter start(Lab lab) throws ExperimentException {
    return new Meter(lab, lab.counters());
  }

  /** The use since the start. */
  Use stop() throws ExperimentException {
    Counters done = lab.counters().since(before);
    LinkLimits limits = lab.limits();
    double busiest = 0;
    long moved = 0;
    for (Host host : lab.topology().hosts()) {
      CarriedBytes bytes = bytes(done.links().hosts(), host.name());
      moved += bytes.out();
      busiest = Math.max(busiest, use(bytes, limits.ofHost(host), done.seconds()));
    }
    Topology topology = lab.topology().topology();
    for (int rack = 0; rack < topology.racks(); rack++) {
      CarriedBytes bytes = bytes(done.links().racks(), topology.rackName(rack));
      busiest = Math.max(busiest, use(bytes, limits.ofRack(lab.topology(), rack), done.seconds()));
    }
    for (int site = 0; topology.sites() > 1 && site < topology.sites(); site++) {
      CarriedBytes bytes = bytes(done.links().sites(), topology.siteName(site));
      busiest = Math.max(busiest, use(bytes, limits.ofSite(lab.topology(), site), done.seconds()));
    }
    return new Use(done.links().crossRack(), moved, busiest, done.machine().load());
  }

  private static CarriedBytes bytes(Map<String, CarriedBytes> all, String name) {
    return all.getOrDefault(name, new CarriedBytes(0, 0));
  }

  private static double use(CarriedBytes bytes, double rate, double seconds) {
    return Math.max(bytes.in(), bytes.out()) / (rate * seconds);
  }
}
