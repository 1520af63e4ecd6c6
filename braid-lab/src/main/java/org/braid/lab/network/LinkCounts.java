package org.braid.lab.network;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.placement.Topology;

/**
 * Bytes of each link of a lab, as network devices count them: Ethernet frames, where an unsegmented
 * packet counts its header once.
 *
 * @param hosts by name of the host
 * @param racks uplinks by name of the rack
 * @param sites links to other sites by name of the site; empty with one site
 */
public record LinkCounts(
    Map<String, CarriedBytes> hosts,
    Map<String, CarriedBytes> racks,
    Map<String, CarriedBytes> sites) {
  private static final int COLUMNS = 16;
  private static final int SENT = 8;

  /**
   * Parses {@code /proc/net/dev} of the lab's namespace.
   *
   * @throws IllegalArgumentException when it lacks a device of the lab
   */
  public static LinkCounts parse(LabTopology lab, List<String> lines) {
    Map<String, long[]> devices = devices(lines);
    Topology topology = lab.topology();
    Map<String, CarriedBytes> hosts = new LinkedHashMap<>();
    for (int i = 0; i < lab.hosts().size(); i++) {
      long[] port = device(devices, NetworkScript.port(i));
      // The port receives what the host sends.
      hosts.put(lab.hosts().get(i).name(), new CarriedBytes(port[0], port[1]));
    }
    Map<String, CarriedBytes> racks = new LinkedHashMap<>();
    for (int rack = 0; rack < topology.racks(); rack++) {
      long up = device(devices, NetworkScript.up(rack))[1];
      long down = device(devices, NetworkScript.down(rack))[1];
      racks.put(topology.rackName(rack), new CarriedBytes(up, down));
    }
    Map<String, CarriedBytes> sites = new LinkedHashMap<>();
    for (int site = 0; topology.sites() > 1 && site < topology.sites(); site++) {
      long out = device(devices, NetworkScript.out(site))[1];
      long in = device(devices, NetworkScript.in(site))[1];
      sites.put(topology.siteName(site), new CarriedBytes(out, in));
    }
    return new LinkCounts(hosts, racks, sites);
  }

  /** Received and sent bytes by name of a device. */
  private static Map<String, long[]> devices(List<String> lines) {
    Map<String, long[]> devices = new HashMap<>();
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        continue;
      }
      String[] counts = line.substring(colon + 1).strip().split("\\s+");
      if (counts.length >= COLUMNS) {
        devices.put(
            line.substring(0, colon).strip(),
            new long[] {Long.parseLong(counts[0]), Long.parseLong(counts[SENT])});
      }
    }
    return devices;
  }

  private static long[] device(Map<String, long[]> devices, String name) {
    long[] counts = devices.get(name);
    if (counts == null) {
      throw new IllegalArgumentException("the lab's network has no device " + name);
    }
    return counts;
  }

  /** The difference to an earlier count of the same lab. */
  public LinkCounts since(LinkCounts before) {
    return new LinkCounts(
        since(hosts, before.hosts), since(racks, before.racks), since(sites, before.sites));
  }

  private static Map<String, CarriedBytes> since(
      Map<String, CarriedBytes> now, Map<String, CarriedBytes> before) {
    Map<String, CarriedBytes> difference = new LinkedHashMap<>();
    now.forEach(
        (name, bytes) ->
            difference.put(name, bytes.since(before.getOrDefault(name, new CarriedBytes(0, 0)))));
    return difference;
  }

  /** Bytes that crossed racks, counted once. */
  public long crossRack() {
    return racks.values().stream().mapToLong(CarriedBytes::out).sum();
  }
}
