package org.braid.lab.network;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.experiment.text.Sizes;
import org.braid.placement.Topology;

/**
 * Sites, racks, DataNodes and clients of a lab. The NameNode's host {@code nn} and the loader
 * {@code ld} are in no rack but connected to the core. Immutable.
 */
public final class LabTopology {
  /** The NameNode's host. */
  public static final String NAME_NODE = "nn";

  /** The loader's host. */
  public static final String LOADER = "ld";

  private static final int MAX_RACKS = 250;
  private static final int MAX_NODES = 250;
  private static final int MAX_IN_RACK = 190;
  private static final int MAX_CLIENTS = 50;
  private static final String NAME = "[a-z][a-z0-9-]{0,30}";

  private final Topology topology;
  private final List<Client> clients;
  private final List<Host> hosts;

  /**
   * A client's host.
   *
   * @param name its name
   * @param rack the name of its rack; empty: it is connected to the core
   */
  public record Client(String name, String rack) {}

  private LabTopology(Topology topology, List<Client> clients) {
    this.topology = topology;
    this.clients = List.copyOf(clients);
    this.hosts = hosts(topology, clients);
  }

  /**
   * A topology with its clients.
   *
   * @throws IllegalArgumentException when it is too large, or when a name is unknown, duplicate or
   *     no host name
   */
  public static LabTopology of(Topology topology, List<Client> clients) {
    if (topology.racks() > MAX_RACKS
        || topology.nodes() > MAX_NODES
        || clients.size() > MAX_CLIENTS) {
      throw new IllegalArgumentException(
          "%d racks, %d nodes and %d clients are too many for a lab: at most %d, %d and %d"
              .formatted(
                  topology.racks(),
                  topology.nodes(),
                  clients.size(),
                  MAX_RACKS,
                  MAX_NODES,
                  MAX_CLIENTS));
    }
    Set<String> names = new HashSet<>(Set.of(NAME_NODE, LOADER, "localhost"));
    for (int node = 0; node < topology.nodes(); node++) {
      claim(topology.nodeName(node), names);
    }
    for (int rack = 0; rack < topology.racks(); rack++) {
      claim(topology.rackName(rack), names);
      if (topology.nodesIn(rack).size() > MAX_IN_RACK) {
        throw new IllegalArgumentException(
            "rack %s has %d nodes, at most %d have addresses"
                .formatted(topology.rackName(rack), topology.nodesIn(rack).size(), MAX_IN_RACK));
      }
    }
    for (int site = 0; topology.sites() > 1 && site < topology.sites(); site++) {
      claim(topology.siteName(site), names);
    }
    for (Client client : clients) {
      claim(client.name(), names);
    }
    return new LabTopology(topology, clients);
  }

  /**
   * The lab of a notation, {@code RACKSxNODES} or {@code SITESxRACKSxNODES}, with clients {@code
   * c0..} that are assigned to the racks in turn.
   *
   * @throws IllegalArgumentException when the text is no such notation, or the topology is too
   *     large
   */
  public static LabTopology parse(String notation, int clients) {
    Topology topology = Topology.parse(notation);
    return of(topology, inTurn(topology, clients));
  }

  /** Clients {@code c0..} that are assigned to the racks in turn. */
  static List<Client> inTurn(Topology topology, int clients) {
    return IntStream.range(0, clients)
        .mapToObj(i -> new Client("c" + i, topology.rackName(i % topology.racks())))
        .toList();
  }

  private static void claim(String name, Set<String> names) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException(
          "\"" + name + "\" is no name for a host: small letters, digits and hyphens, at most 31");
    }
    if (!names.add(name)) {
      throw new IllegalArgumentException("the name " + name + " is given twice");
    }
  }

  private static List<Host> hosts(Topology topology, List<Client> clients) {
    List<Host> hosts = new ArrayList<>();
    OptionalInt core = OptionalInt.empty();
    hosts.add(new Host(NAME_NODE, Host.Role.NAME_NODE, core, "10.77.0.1"));
    hosts.add(new Host(LOADER, Host.Role.LOADER, core, "10.77.0.2"));
    for (int i = 0; i < clients.size(); i++) {
      Client client = clients.get(i);
      if (client.rack().isEmpty()) {
        hosts.add(new Host(client.name(), Host.Role.CLIENT, core, "10.77.0." + (10 + i)));
      } else {
        int rack = rack(topology, client.rack());
        String address = "10.77.%d.%d".formatted(rack + 1, 200 + i);
        hosts.add(new Host(client.name(), Host.Role.CLIENT, OptionalInt.of(rack), address));
      }
    }
    int[] inRack = new int[topology.racks()];
    for (int node = 0; node < topology.nodes(); node++) {
      int rack = topology.rackOf(node);
      String address = "10.77.%d.%d".formatted(rack + 1, ++inRack[rack]);
      hosts.add(
          new Host(topology.nodeName(node), Host.Role.DATA_NODE, OptionalInt.of(rack), address));
    }
    return List.copyOf(hosts);
  }

  private static int rack(Topology topology, String name) {
    return IntStream.range(0, topology.racks())
        .filter(rack -> topology.rackName(rack).equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no rack " + name));
  }

  /** The topology of the DataNodes. */
  public Topology topology() {
    return topology;
  }

  public List<Client> clients() {
    return clients;
  }

  /**
   * All hosts: the NameNode's, the loader, the clients, the DataNodes in the topology's command.
   */
  public List<Host> hosts() {
    return hosts;
  }

  /** The hosts of a role, in order. */
  public List<Host> hosts(Host.Role role) {
    return hosts.stream().filter(host -> host.role() == role).toList();
  }

  /**
   * The host of a name.
   *
   * @throws NoSuchElementException when there is none
   */
  public Host host(String name) {
    return hosts.stream()
        .filter(host -> host.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("the lab has no host " + name));
  }

  /** The network location of a rack as HDFS writes it: {@code /rack} or {@code /site/rack}. */
  public String location(int rack) {
    String name = "/" + topology.rackName(rack);
    return topology.sites() == 1 ? name : "/" + topology.siteName(topology.siteOfRack(rack)) + name;
  }

  /** Whether all hosts have the same names, racks and sites as in another topology. */
  public boolean sameAs(LabTopology other) {
    if (!hosts.equals(other.hosts) || topology.racks() != other.topology.racks()) {
      return false;
    }
    return IntStream.range(0, topology.racks())
        .allMatch(rack -> location(rack).equals(other.location(rack)));
  }

  @Override
  public String toString() {
    String sites = topology.sites() == 1 ? "" : topology.sites() + " sites, ";
    return "%s%s, %s, %s"
        .formatted(
            sites,
            Sizes.count(topology.racks(), "rack"),
            Sizes.count(topology.nodes(), "DataNode"),
            Sizes.count(clients.size(), "client"));
  }
}
