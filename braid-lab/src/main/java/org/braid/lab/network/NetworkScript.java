package org.braid.lab.network;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.braid.placement.Topology;

/**
 * Writes the shell scripts that create and limit a lab's network. They run inside the lab's
 * namespaces.
 *
 * <p>All bridges are in the lab's network namespace: one for each rack, one for each of several
 * sites, and the core. A host's {@code eth0} is the peer of port {@code pI} on the bridge of its
 * rack. The devices {@code uR} (at the rack) and {@code kR} connect a rack to its site or the core,
 * {@code sS} (at the site) and {@code wS} a site to the core. Each end limits what it sends, so
 * that both directions are limited.
 */
public final class NetworkScript {
  private static final String CORE = "core";

  /**
   * Size of the token bucket: bytes that an idle link sends at once. A bucket smaller than a packet
   * of 64 KiB would segment packets, which costs forty times the processor time and loses packets
   * under load.
   */
  public static final int BURST = 131072;

  private static final String LATENCY = "100ms";

  private final LabTopology lab;
  private final Topology topology;

  public NetworkScript(LabTopology lab) {
    this.lab = lab;
    this.topology = lab.topology();
  }

  /** The port of a host on the bridge of its rack, by its position among the hosts. */
  static String port(int host) {
    return "p" + host;
  }

  /** The rack's end of its uplink; bytes it sends leave the rack. */
  static String up(int rack) {
    return "u" + rack;
  }

  /** The upper end of a rack's uplink; bytes it sends enter the rack. */
  static String down(int rack) {
    return "k" + rack;
  }

  /** The site's end of its link; bytes it sends leave the site. */
  static String out(int site) {
    return "s" + site;
  }

  /** The core's end of a site's link; bytes it sends enter the site. */
  static String in(int site) {
    return "w" + site;
  }

  private static String bridge(int rack) {
    return "rack" + rack;
  }

  private String above(int rack) {
    return topology.sites() == 1 ? CORE : "site" + topology.siteOfRack(rack);
  }

  private static String bridge(OptionalInt rack) {
    return rack.isPresent() ? bridge(rack.getAsInt()) : CORE;
  }

  /** Creates the namespaces of all hosts, bridges and links, without limits. */
  public String setUp() {
    StringBuilder text = new StringBuilder("set -e\n");
    // Else the counters would include neighbour discovery.
    text.append("for kind in all default; do\n")
        .append("  [ ! -e /proc/sys/net/ipv6/conf/$kind/disable_ipv6 ] ||\n")
        .append("    echo 1 >/proc/sys/net/ipv6/conf/$kind/disable_ipv6\n")
        .append("done\n");
    for (Host host : lab.hosts()) {
      text.append("ip netns add ").append(host.name()).append('\n');
    }
    batch(text, "ip -batch -", fabric());
    for (Host host : lab.hosts()) {
      text.append("nsenter --net=/run/netns/").append(host.name()).append(" sh -c '\n");
      text.append("for kind in all default; do\n")
          .append("  [ ! -e /proc/sys/net/ipv6/conf/$kind/disable_ipv6 ] ||\n")
          .append("    echo 1 >/proc/sys/net/ipv6/conf/$kind/disable_ipv6\n")
          .append("done\n")
          // One congestion control everywhere; no flow inherits the metrics of an earlier one.
          .append("echo reno >/proc/sys/net/ipv4/tcp_congestion_control\n")
          .append("echo 1 >/proc/sys/net/ipv4/tcp_no_metrics_save\n")
          .append("'\n");
      batch(text, "ip -n " + host.name() + " -batch -", inside(host));
    }
    return text.toString();
  }

  private List<String> fabric() {
    List<String> lines = new ArrayList<>();
    lines.add("link set dev lo up");
    addBridge(lines, CORE);
    for (int site = 0; topology.sites() > 1 && site < topology.sites(); site++) {
      addBridge(lines, "site" + site);
      join(lines, out(site), "site" + site, in(site), CORE);
    }
    for (int rack = 0; rack < topology.racks(); rack++) {
      addBridge(lines, bridge(rack));
      join(lines, up(rack), bridge(rack), down(rack), above(rack));
    }
    for (int i = 0; i < lab.hosts().size(); i++) {
      Host host = lab.hosts().get(i);
      lines.add(
          "link add name %s type veth peer name eth0 netns %s".formatted(port(i), host.name()));
      lines.add("link set dev %s master %s".formatted(port(i), bridge(host.rack())));
      lines.add("link set dev %s up".formatted(port(i)));
    }
    return lines;
  }

  private static void addBridge(List<String> lines, String name) {
    lines.add("link add name " + name + " type bridge");
    lines.add("link set dev " + name + " up");
  }

  private static void join(
      List<String> lines, String low, String lowBridge, String high, String highBridge) {
    lines.add("link add name %s type veth peer name %s".formatted(low, high));
    lines.add("link set dev %s master %s".formatted(low, lowBridge));
    lines.add("link set dev %s master %s".formatted(high, highBridge));
    lines.add("link set dev " + low + " up");
    lines.add("link set dev " + high + " up");
  }

  private static List<String> inside(Host host) {
    return List.of(
        "link set dev lo up",
        "addr add " + host.address() + "/16 dev eth0",
        "link set dev eth0 up");
  }

  /** Sets the rate of each link in place. */
  public String limit(LinkLimits limits) {
    StringBuilder text = new StringBuilder("set -e\n");
    List<String> fabric = new ArrayList<>();
    for (int site = 0; topology.sites() > 1 && site < topology.sites(); site++) {
      double rate = limits.ofSite(lab, site);
      fabric.add(limit(out(site), rate));
      fabric.add(limit(in(site), rate));
    }
    for (int rack = 0; rack < topology.racks(); rack++) {
      double rate = limits.ofRack(lab, rack);
      fabric.add(limit(up(rack), rate));
      fabric.add(limit(down(rack), rate));
    }
    for (int i = 0; i < lab.hosts().size(); i++) {
      fabric.add(limit(port(i), limits.ofHost(lab.hosts().get(i))));
    }
    batch(text, "tc -batch -", fabric);
    for (Host host : lab.hosts()) {
      text.append("tc -n %s ".formatted(host.name()))
          .append(limit("eth0", limits.ofHost(host)))
          .append('\n');
    }
    return text.toString();
  }

  /**
   * Cuts a link in both directions.
   *
   * @param name of a host, or of a rack for its uplink
   */
  public String cut(String name) {
    return "ip link set dev " + device(name) + " down\n";
  }

  /** Joins a link that was cut. */
  public String join(String name) {
    return "ip link set dev " + device(name) + " up\n";
  }

  private String device(String name) {
    for (int rack = 0; rack < topology.racks(); rack++) {
      if (topology.rackName(rack).equals(name)) {
        return up(rack);
      }
    }
    return port(lab.hosts().indexOf(lab.host(name)));
  }

  private static String limit(String device, double rate) {
    return Double.isInfinite(rate)
        ? "qdisc replace dev " + device + " root noqueue"
        : "qdisc replace dev %s root tbf rate %dbit burst %d latency %s"
            .formatted(device, Math.round(rate * 8), BURST, LATENCY);
  }

  private static void batch(StringBuilder text, String program, List<String> lines) {
    text.append(program).append(" <<'END'\n");
    lines.forEach(line -> text.append(line).append('\n'));
    text.append("END\n");
  }
}
