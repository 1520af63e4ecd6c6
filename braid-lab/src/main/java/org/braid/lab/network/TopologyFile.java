package org.braid.lab.network;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.file.YamlFile;
import org.braid.experiment.file.YamlPath;
import org.braid.experiment.text.Sizes;
import org.braid.lab.network.LabTopology.Client;
import org.braid.placement.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Reads a lab's topology from a YAML file:
 *
 * <pre>
 * link: 100mbit          # of a DataNode and of a client, in each direction
 * oversubscription: 5    # of the racks' uplinks; default 1
 * sites:                 # or only racks: at the top
 *   - name: paris        # default s0, s1, ...
 *     link: 50mbit       # to the other sites; default: no limit
 *     racks: [3, 3]      # nodes of each rack
 *   - racks:
 *       - {name: r7, nodes: 3, uplink: 40mbit, link: 200mbit}
 * clients: 2             # or a list of {name: c0, rack: r7, link: 1gbit}; default 1
 * </pre>
 */
public final class TopologyFile {
  private static final int MOST = 1000;

  private final Topology.Builder builder = Topology.builder();
  private final Map<String, Double> rates = new TreeMap<>();

  /** The file. */
  record Entry(
      @Nullable String link,
      @Nullable String oversubscription,
      @Nullable List<SiteEntry> sites,
      @Nullable List<RackEntry> racks,
      @Nullable ClientsEntry clients) {}

  /** A site. */
  record SiteEntry(@Nullable String name, @Nullable String link, @Nullable List<RackEntry> racks) {}

  /** A rack, or the number of its nodes alone. */
  record RackEntry(
      @Nullable String name,
      @Nullable Integer nodes,
      @Nullable String uplink,
      @Nullable String link) {
    @JsonCreator
    RackEntry {}

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static RackEntry of(int nodes) {
      return new RackEntry(null, nodes, null, null);
    }
  }

  /** Clients, or their number alone. */
  record ClientsEntry(int number, List<ClientEntry> clients) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static ClientsEntry of(int number) {
      return new ClientsEntry(number, List.of());
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static ClientsEntry of(List<ClientEntry> clients) {
      return new ClientsEntry(clients.size(), clients);
    }
  }

  /** A client. */
  record ClientEntry(@Nullable String name, @Nullable String rack, @Nullable String link) {}

  private TopologyFile() {}

  /**
   * Reads a file.
   *
   * @throws ExperimentException when it cannot be read or has an unknown key or value
   */
  public static LabNetwork read(Path file) throws ExperimentException {
    if (!Files.isRegularFile(file)) {
      throw ExperimentException.wrong(
          "\"" + file + "\" is no topology: neither RACKSxNODES, as in 6x3, nor a file");
    }
    return of(YamlFile.read(file, file.toString(), Entry.class));
  }

  /**
   * Reads the text of a file.
   *
   * @param shown its name in messages
   * @throws ExperimentException when it has an unknown key or value
   */
  public static LabNetwork parse(String text, String shown) throws ExperimentException {
    return of(YamlFile.parse(text, shown, Entry.class));
  }

  private static LabNetwork of(YamlFile<Entry> file) throws ExperimentException {
    try {
      return new TopologyFile().plan(file.value(), file.root());
    } catch (IllegalArgumentException e) {
      throw file.root().wrong(String.valueOf(e.getMessage()));
    }
  }

  private LabNetwork plan(Entry top, YamlPath path) throws ExperimentException {
    if (top.sites() == null) {
      racks(top.racks(), "", "", path);
    } else if (top.racks() != null) {
      throw path.at("racks").wrong("racks stand beside sites: write them below a site");
    } else {
      for (int i = 0; i < top.sites().size(); i++) {
        SiteEntry site = top.sites().get(i);
        YamlPath at = path.at("sites").at(i);
        String name = Objects.requireNonNullElse(site.name(), "s" + i);
        limit(name, site.link(), at.at("link"));
        racks(site.racks(), name, name, at);
      }
    }
    Topology topology = builder.build();
    List<Client> clients = clients(top.clients(), topology, path.at("clients"));
    return new LabNetwork(
        LabTopology.of(topology, clients),
        new LinkLimits(
            top.link() == null ? Double.POSITIVE_INFINITY : rate(top.link(), path.at("link")),
            oversubscription(top.oversubscription(), path.at("oversubscription")),
            Double.POSITIVE_INFINITY,
            rates));
  }

  private static double oversubscription(@Nullable String ratio, YamlPath path)
      throws ExperimentException {
    try {
      return ratio == null ? 1 : Double.parseDouble(ratio);
    } catch (NumberFormatException e) {
      throw path.wrong("oversubscription is \"%s\", not a number".formatted(ratio));
    }
  }

  private static double rate(String rate, YamlPath path) throws ExperimentException {
    try {
      return Sizes.parseRate(rate);
    } catch (IllegalArgumentException e) {
      throw path.wrong("link: " + e.getMessage());
    }
  }

  private void limit(String name, @Nullable String rate, YamlPath path) throws ExperimentException {
    if (rate != null) {
      rates.put(name, rate(rate, path));
    }
  }

  /** Adds racks; those without a name become {@code prefix}r0, r1, ... */
  private void racks(@Nullable List<RackEntry> entries, String site, String prefix, YamlPath parent)
      throws ExperimentException {
    if (entries == null || entries.isEmpty()) {
      throw parent.at("racks").wrong("there are no racks: write racks: [3, 3]");
    }
    for (int i = 0; i < entries.size(); i++) {
      RackEntry rack = entries.get(i);
      YamlPath path = parent.at("racks").at(i);
      String name = Objects.requireNonNullElse(rack.name(), prefix + "r" + i);
      if (rack.nodes() == null) {
        throw path.wrong("a rack has no nodes: write nodes: 3");
      }
      int nodes = count(rack.nodes(), "nodes of a rack", path);
      limit(name, rack.uplink(), path.at("uplink"));
      for (int n = 0; n < nodes; n++) {
        String node = name + "n" + n;
        limit(node, rack.link(), path.at("link"));
        if (site.isEmpty()) {
          builder.add(node, name);
        } else {
          builder.add(node, name, site);
        }
      }
    }
  }

  private List<Client> clients(@Nullable ClientsEntry entry, Topology topology, YamlPath path)
      throws ExperimentException {
    if (entry == null || entry.clients().isEmpty()) {
      int number = entry == null ? 1 : count(entry.number(), "clients", path);
      return LabTopology.inTurn(topology, number);
    }
    List<Client> clients = new ArrayList<>();
    for (ClientEntry client : entry.clients()) {
      YamlPath at = path.at(clients.size());
      String name = Objects.requireNonNullElse(client.name(), "c" + clients.size());
      limit(name, client.link(), at.at("link"));
      clients.add(new Client(name, Objects.requireNonNullElse(client.rack(), "")));
    }
    return clients;
  }

  private static int count(int number, String what, YamlPath path) throws ExperimentException {
    if (number < 1 || number > MOST) {
      throw path.wrong(
          "%s are \"%s\": write a whole number from 1 to %d".formatted(what, number, MOST));
    }
    return number;
  }
}
