package org.braid.lab;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.lab.daemon.Plugins;
import org.braid.lab.namespace.Namespaces;
import org.braid.lab.network.LabNetwork;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LabTopology.Client;
import org.braid.lab.network.LinkLimits;
import org.braid.placement.Topology;

/**
 * The description of a lab in its directory, by which other processes find, use and remove it.
 *
 * @param id its name and the name of its directory
 * @param owner the process that started it
 * @param since its start, in milliseconds since 1970
 * @param kept whether it outlives that process
 * @param space its namespaces
 * @param disk the directory of its data on a disk; empty: its data is in memory
 * @param nodes its DataNodes
 * @param clients its clients
 * @param rates the limits at its start, by kind; 0 for none
 * @param links rates of single links
 * @param blockSize bytes of a block
 * @param plugins the plugins of its daemons
 * @param properties further Hadoop properties
 * @param room bytes for data
 * @param disks whether the DataNodes share one disk
 * @param nodeManagers the number of YARN's NodeManagers
 */
record LabRecord(
    String id,
    long owner,
    long since,
    boolean kept,
    Namespaces.Identity space,
    String disk,
    List<Node> nodes,
    List<Client> clients,
    Rates rates,
    Map<String, Double> links,
    long blockSize,
    Plugins plugins,
    Map<String, String> properties,
    long room,
    LabSettings.Disks disks,
    int nodeManagers) {
  private static final String FILE = "lab.json";
  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** The position of a DataNode. */
  record Node(String name, String rack, String site) {}

  /** Rates in bytes a second, 0 for no limit. */
  record Rates(double link, double oversubscription, double site) {}

  /** The record of a lab that was started. */
  static LabRecord of(
      String id, LabSettings settings, Namespaces.Identity space, Optional<Path> disk) {
    Topology topology = settings.topology().topology();
    List<Node> nodes = new ArrayList<>();
    for (int node = 0; node < topology.nodes(); node++) {
      int rack = topology.rackOf(node);
      nodes.add(
          new Node(
              topology.nodeName(node),
              topology.rackName(rack),
              topology.siteName(topology.siteOf(node))));
    }
    LinkLimits limits = settings.plan().limits();
    return new LabRecord(
        id,
        ProcessHandle.current().pid(),
        System.currentTimeMillis(),
        false,
        space,
        disk.map(Path::toString).orElse(""),
        nodes,
        settings.topology().clients(),
        new Rates(finite(limits.link()), limits.oversubscription(), finite(limits.site())),
        limits.links(),
        settings.blockSize(),
        settings.plugins(),
        settings.properties(),
        settings.room(),
        settings.disks(),
        settings.nodeManagers());
  }

  private static double finite(double rate) {
    return Double.isInfinite(rate) ? 0 : rate;
  }

  private static double rate(double written) {
    return written == 0 ? Double.POSITIVE_INFINITY : written;
  }

  /** The record of a lab that outlives the process that started it. */
  LabRecord asKept() {
    return new LabRecord(
        id,
        owner,
        since,
        true,
        space,
        disk,
        nodes,
        clients,
        rates,
        links,
        blockSize,
        plugins,
        properties,
        room,
        disks,
        nodeManagers);
  }

  /** The settings of the lab. */
  LabSettings settings() {
    Topology.Builder builder = Topology.builder();
    nodes.forEach(node -> builder.add(node.name(), node.rack(), node.site()));
    LabTopology topology = LabTopology.of(builder.build(), clients);
    LinkLimits limits =
        new LinkLimits(rate(rates.link()), rates.oversubscription(), rate(rates.site()), links);
    return new LabSettings(
        new LabNetwork(topology, limits),
        blockSize,
        plugins,
        properties,
        room,
        disk.isEmpty() ? Optional.empty() : Optional.ofNullable(Path.of(disk).getParent()),
        disks,
        nodeManagers);
  }

  /** Its files, below the directory of all labs. */
  LabDirectory directory(Path labs) {
    return new LabDirectory(
        labs.resolve(id), disk.isEmpty() ? Optional.empty() : Optional.of(Path.of(disk)));
  }

  /** Writes the record atomically. */
  void write(Path labs) throws IOException {
    Path file = labs.resolve(id).resolve(FILE);
    Path made = file.resolveSibling(FILE + ".new");
    Files.write(made, JSON.writeValueAsBytes(this));
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Whether a directory has a record, readable or not. */
  static boolean isIn(Path directory) {
    return Files.exists(directory.resolve(FILE));
  }

  /** Reads the record in a directory; empty when there is none that can be read. */
  static Optional<LabRecord> read(Path directory) {
    try {
      return Optional.of(
          JSON.readValue(Files.readAllBytes(directory.resolve(FILE)), LabRecord.class));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
