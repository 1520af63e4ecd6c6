package org.braid.lab.network;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Place;
import org.braid.experiment.file.Fields;
import org.braid.experiment.file.Node;
import org.braid.experiment.file.Node.Kind;
import org.braid.experiment.file.Tree;
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
  private static final List<String> TOP =
      List.of("link", "oversubscription", "sites", "racks", "clients");
  private static final List<String> SITE = List.of("name", "link", "racks");
  private static final List<String> RACK = List.of("name", "nodes", "uplink", "link");
  private static final List<String> CLIENT = List.of("name", "rack", "link");
  private static final String RATE_EXAMPLE = "link: 100mbit";
  private static final String RACKS_EXAMPLE = "racks: [3, 3]";
  private static final long MOST = 1000;

  private final Topology.Builder builder = Topology.builder();
  private final Map<String, Double> rates = new TreeMap<>();
  private int racks;

  private TopologyFile() {}

  /**
   * Reads a file.
   *
   * @throws ExperimentException when it cannot be read or says something that is not known
   */
  public static LabPlan read(Path file) throws ExperimentException {
    if (!Files.isRegularFile(file)) {
      throw ExperimentException.wrong(
          "\"" + file + "\" is no topology: neither RACKSxNODES, as in 6x3, nor a file");
    }
    return of(Tree.read(file, file.toString()));
  }

  /**
   * Reads the text of a file.
   *
   * @param shown how messages call it
   * @throws ExperimentException when it says something that is not known
   */
  public static LabPlan parse(String text, String shown) throws ExperimentException {
    return of(Tree.parse(text, shown));
  }

  private static LabPlan of(Node root) throws ExperimentException {
    Fields top = Fields.of(root, "a topology", TOP);
    try {
      return new TopologyFile().plan(top);
    } catch (IllegalArgumentException e) {
      throw top.place().wrong(String.valueOf(e.getMessage()));
    }
  }

  private LabPlan plan(Fields top) throws ExperimentException {
    Optional<Node> sites = top.optional("sites");
    if (sites.isPresent() && top.optional("racks").isPresent()) {
      throw top.place("racks").wrong("racks stand beside sites: write them below a site");
    }
    if (sites.isPresent()) {
      int number = 0;
      for (Node site : list(sites.get(), "sites")) {
        site(Fields.of(site, "a site", SITE), "s" + number++);
      }
    } else {
      for (Node rack : list(top.required("racks", RACKS_EXAMPLE), "racks")) {
        rack(rack, "", "r" + racks);
      }
    }
    Topology topology = builder.build();
    List<Client> clients = clients(top.optional("clients"), topology);
    Double link = rate(top, "link");
    Double oversubscription = read(top, "oversubscription", Double::valueOf, "a number");
    return new LabPlan(
        LabTopology.of(topology, clients),
        new Limits(
            link == null ? Double.POSITIVE_INFINITY : link,
            oversubscription == null ? 1 : oversubscription,
            Double.POSITIVE_INFINITY,
            rates));
  }

  private static @Nullable Double rate(Fields fields, String key) throws ExperimentException {
    return read(fields, key, Sizes::parseRate, "");
  }

  /** A value that may be left out. */
  private static @Nullable Double read(
      Fields fields, String key, Function<String, Double> reader, String what)
      throws ExperimentException {
    String text = fields.text(key, RATE_EXAMPLE, "");
    if (text.isEmpty()) {
      return null;
    }
    try {
      return reader.apply(text);
    } catch (NumberFormatException e) {
      throw fields.place(key).wrong("%s is \"%s\", not %s".formatted(key, text, what));
    } catch (IllegalArgumentException e) {
      throw fields.place(key).wrong(key + ": " + e.getMessage());
    }
  }

  private void rate(Fields fields, String key, String name) throws ExperimentException {
    Double rate = rate(fields, key);
    if (rate != null) {
      rates.put(name, rate);
    }
  }

  private void site(Fields site, String usual) throws ExperimentException {
    String name = site.text("name", "name: paris", usual);
    rate(site, "link", name);
    int number = 0;
    for (Node rack : list(site.required("racks", RACKS_EXAMPLE), "racks")) {
      rack(rack, name, name + "r" + number++);
    }
  }

  private void rack(Node rack, String site, String usual) throws ExperimentException {
    racks++;
    if (rack.kind() == Kind.TEXT) {
      add(usual, whole(rack.text(), rack.place(), "nodes of a rack"), site);
      return;
    }
    Fields fields = Fields.of(rack, "a rack", RACK);
    String name = fields.text("name", "name: r7", usual);
    fields.required("nodes", "nodes: 3");
    int nodes = (int) fields.whole("nodes", 1, MOST, 1);
    rate(fields, "uplink", name);
    Double link = rate(fields, "link");
    for (int i = 0; link != null && i < nodes; i++) {
      rates.put(node(name, i), link);
    }
    add(name, nodes, site);
  }

  private void add(String rack, int nodes, String site) {
    for (int i = 0; i < nodes; i++) {
      if (site.isEmpty()) {
        builder.add(node(rack, i), rack);
      } else {
        builder.add(node(rack, i), rack, site);
      }
    }
  }

  private static String node(String rack, int number) {
    return rack + "n" + number;
  }

  private List<Client> clients(Optional<Node> node, Topology topology) throws ExperimentException {
    if (node.isEmpty()) {
      return LabTopology.inTurn(topology, 1);
    }
    if (node.get().kind() == Kind.TEXT) {
      return LabTopology.inTurn(topology, whole(node.get().text(), node.get().place(), "clients"));
    }
    List<Client> clients = new ArrayList<>();
    for (Node client : list(node.get(), "clients")) {
      Fields fields = Fields.of(client, "a client", CLIENT);
      String name = fields.text("name", "name: c0", "c" + clients.size());
      rate(fields, "link", name);
      clients.add(new Client(name, fields.text("rack", "rack: r7", "")));
    }
    return clients;
  }

  private static int whole(String text, Place place, String what) throws ExperimentException {
    if (!text.matches("[0-9]{1,4}")
        || Integer.parseInt(text) < 1
        || Integer.parseInt(text) > MOST) {
      throw place.wrong(
          "%s are \"%s\": write a whole number from 1 to %d".formatted(what, text, MOST));
    }
    return Integer.parseInt(text);
  }

  private static List<Node> list(Node node, String key) throws ExperimentException {
    node.as(Kind.LIST, key, RACKS_EXAMPLE);
    if (node.items().isEmpty()) {
      throw node.place().wrong(key + " is an empty list: write " + RACKS_EXAMPLE);
    }
    return node.items();
  }
}
