package org.braid.lab;

import java.util.LinkedHashMap;
import java.util.Map;
import org.braid.lab.namespace.Proc;
import org.braid.lab.network.LinkCounts;

/**
 * Counters of a lab and its machine since their start, or the difference of two readings.
 *
 * @param seconds of a monotonic clock; as a difference: between the readings
 * @param links bytes of each link
 * @param machine processor time of the whole machine
 * @param processes processor seconds of each running daemon and client, by role: {@code nn}, the
 *     name of a DataNode, or host and number of a client, {@code c0#1}
 * @param disks bytes read and written by all disks of the machine
 * @param stored bytes in the files of NameNode and DataNodes
 */
public record Counters(
    double seconds,
    LinkCounts links,
    Proc.Machine machine,
    Map<String, Double> processes,
    Proc.Disks disks,
    long stored) {
  /** The difference to an earlier reading of the same lab. */
  public Counters since(Counters before) {
    Map<String, Double> difference = new LinkedHashMap<>();
    processes.forEach(
        (role, cpu) -> {
          double earlier = before.processes.getOrDefault(role, 0.0);
          // A restarted daemon counts from its start.
          difference.put(role, cpu >= earlier ? cpu - earlier : cpu);
        });
    return new Counters(
        seconds - before.seconds,
        links.since(before.links),
        machine.since(before.machine),
        difference,
        disks.since(before.disks),
        stored - before.stored);
  }

  /** Processor seconds of all daemons and clients. */
  public double processSeconds() {
    return processes.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /**
   * Processor seconds of the machine outside the lab's processes, including the kernel's work for
   * the lab's network.
   */
  public double otherSeconds() {
    return Math.max(0, machine.busy() - processSeconds());
  }
}
