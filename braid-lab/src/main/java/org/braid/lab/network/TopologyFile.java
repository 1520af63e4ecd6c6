package org.braid.lab.network;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.braid.experiment.ExperimentException;
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
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Set<String> TOP =
      new TreeSet<>(Set.of("link", "oversubscription", "sites", "racks", "clients"));
  private static final Set<String> SITE = new TreeSet<>(Set.of("name", "link", "racks"));
  private static final Set<String> RACK = new TreeSet<>(Set.of("name", "nodes", "uplink", "link"));
  private static final Set<String> CLIENT = new TreeSet<>(Set.of("name", "rack", "link"));

  private final Topology.Builder builder = Topology.builder();
  private final Map<String, Double> rates = new TreeMap<>();
  private final List<String> racks = new ArrayList<>();
  private int sites;

  private TopologyFile() {}

  /**
   * Reads a file.
   *
   * @throws ExperimentException when it cannot be read or says something that is not known
   */
  public static LabPlan read(Path file) throws ExperimentException {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw ExperimentException.wrong(
          "no topology in " + file + ": it is neither a readable file nor RACKSxNODES");
    }
    try {
      return parse(text);
    } catch (IllegalArgumentException e) {
      throw ExperimentException.wrong(file + ": " + e.getMessage());
    }
  }

  /**
   * Reads the text of a file.
   *
   * @throws IllegalArgumentException when it says something that is not known
   */
  public static LabPlan parse(String text) {
    JsonNode top;
    try {
      top = YAML.readTree(text);
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
      throw new IllegalArgumentException(
          where + e.getOriginalMessage().lines().findFirst().orElse("not YAML"));
    }
    return new TopologyFile().plan(top);
  }

  private LabPlan plan(JsonNode top) {
    keys(top, TOP, "the file");
    if (top.has("sites") == top.has("racks")) {
      throw new IllegalArgumentException("it needs either sites or racks");
    }
    if (top.has("sites")) {
      for (JsonNode site : list(top, "sites")) {
        site(site);
      }
    } else {
      for (JsonNode rack : list(top, "racks")) {
        rack(rack, "", "r" + racks.size());
      }
    }
    Topology topology = builder.build();
    List<Client> clients = clients(top.get("clients"), topology);
    LabTopology lab = LabTopology.of(topology, clients);
    double link = top.has("link") ? rate(top.get("link")) : Double.POSITIVE_INFINITY;
    return new LabPlan(
        lab, new Limits(link, oversubscription(top), Double.POSITIVE_INFINITY, rates));
  }

  private static double oversubscription(JsonNode top) {
    JsonNode node = top.path("oversubscription");
    if (node.isMissingNode()) {
      return 1;
    }
    if (!node.isNumber()) {
      throw new IllegalArgumentException(
          "oversubscription: " + node + " is not a number of at least 1");
    }
    return node.doubleValue();
  }

  private void site(JsonNode site) {
    keys(site, SITE, "a site");
    String name = site.has("name") ? site.get("name").asText() : "s" + sites;
    sites++;
    if (site.has("link")) {
      rates.put(name, rate(site.get("link")));
    }
    int first = racks.size();
    for (JsonNode rack : list(site, "racks")) {
      rack(rack, name, name + "r" + (racks.size() - first));
    }
  }

  private void rack(JsonNode rack, String site, String usual) {
    String name = usual;
    int nodes;
    if (rack.isIntegralNumber()) {
      nodes = rack.intValue();
    } else {
      keys(rack, RACK, "a rack");
      name = rack.has("name") ? rack.get("name").asText() : usual;
      nodes = rack.path("nodes").asInt(0);
      if (rack.has("uplink")) {
        rates.put(name, rate(rack.get("uplink")));
      }
    }
    if (nodes < 1 || nodes > 1000) {
      throw new IllegalArgumentException("rack " + name + " needs 1 to 1000 nodes");
    }
    racks.add(name);
    for (int i = 0; i < nodes; i++) {
      String node = name + "n" + i;
      if (rack.has("link")) {
        rates.put(node, rate(rack.get("link")));
      }
      if (site.isEmpty()) {
        builder.add(node, name);
      } else {
        builder.add(node, name, site);
      }
    }
  }

  private List<Client> clients(@Nullable JsonNode node, Topology racks) {
    if (node == null) {
      return LabTopology.inTurn(racks, 1);
    }
    if (node.isIntegralNumber() && node.intValue() >= 0) {
      return LabTopology.inTurn(racks, Math.min(node.intValue(), 1000));
    }
    List<Client> clients = new ArrayList<>();
    for (JsonNode client : elements(node, "clients")) {
      keys(client, CLIENT, "a client");
      String name = client.has("name") ? client.get("name").asText() : "c" + clients.size();
      if (client.has("link")) {
        rates.put(name, rate(client.get("link")));
      }
      clients.add(new Client(name, client.path("rack").asText("")));
    }
    return clients;
  }

  private static double rate(JsonNode node) {
    return Sizes.parseRate(node.asText());
  }

  private static List<JsonNode> list(JsonNode node, String key) {
    return elements(node.path(key), key);
  }

  private static List<JsonNode> elements(JsonNode node, String key) {
    if (!node.isArray() || node.isEmpty()) {
      throw new IllegalArgumentException(key + " needs a list of at least one");
    }
    List<JsonNode> elements = new ArrayList<>();
    node.forEach(elements::add);
    return elements;
  }

  private static void keys(JsonNode node, Set<String> known, String what) {
    if (!node.isObject()) {
      throw new IllegalArgumentException(what + " is not a mapping of " + String.join(", ", known));
    }
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "unknown key \"%s\"; %s knows %s".formatted(name, what, String.join(", ", known)));
      }
    }
  }
}
