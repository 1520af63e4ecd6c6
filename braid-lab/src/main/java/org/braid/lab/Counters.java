package org.braid.lab;

import java.util.LinkedHashMap;
import java.util.Map;
import org.braid.lab.network.LinkCounts;
import org.braid.lab.space.Proc;

/**
 * What a lab and its machine have done so far, or, as a difference, between two looks.
 *
 * @param seconds since some moment; as a difference: between the looks
 * @param links bytes of every link
 * @param machine processor time of the whole machine
 * @param processes processor seconds of each daemon and client by role: {@code nn} and the names of
 *     DataNodes; clients by host and number, {@code c0#1}; of those that run at the end
 * @param disks what the machine's disks read and wrote, all of them
 * @param stored bytes in the files of NameNode and DataNodes; as a difference: how much more
 */
public record Counters(
    double seconds,
    LinkCounts links,
    Proc.Machine machine,
    Map<String, Double> processes,
    Proc.Disks disks,
    long stored) {
  /** What was done since an earlier look at the same lab. */
  public Counters since(Counters before) {
    Map<String, Double> difference = new LinkedHashMap<>();
    processes.forEach(
        (role, cpu) -> {
          double earlier = before.processes.getOrDefault(role, 0.0);
          // A daemon that was started anew counts from its start.
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
   * Processor seconds that others than the lab took on this machine, the kernel's work for the
   * lab's network among them.
   */
  public double otherSeconds() {
    return Math.max(0, machine.busy() - processSeconds());
  }
}
