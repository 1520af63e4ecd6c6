package org.braid.lab;

import org.braid.lab.namespace.Proc;
import org.braid.lab.network.LinkCounts;

/**
 * Counters of a lab and its machine since their start, or the difference of two readings.
 *
 * @param seconds of a monotonic clock; as a difference: between the readings
 * @param links bytes of each link
 * @param machine processor time of the whole machine
 */
public record Counters(double seconds, LinkCounts links, Proc.Machine machine) {
  /** The difference to an earlier reading of the same lab. */
  public Counters since(Counters before) {
    return new Counters(
        seconds - before.seconds, links.since(before.links), machine.since(before.machine));
  }
}
