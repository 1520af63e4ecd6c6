package org.braid.cli.cluster.throttle;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.ThrottleControl;
import org.braid.hdfs.api.view.ThrottleView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "set",
    description = {
      "Sets limits of the throttle for all work on the cluster; all others stay as they are.",
      "A setting takes effect within a second, also for running plans, and holds until it is"
          + " changed or cleared. A limit of 0 stops all work that needs such a link; stopped work"
          + " starts anew later."
    },
    footer = {
      "",
      "Example: 50 MiB a second of each node's network, nothing between sites",
      "  braid throttle set --node 50m --site 0",
      "Example: nodes give way when a packet takes readers longer than 5 ms",
      "  braid throttle set --latency-target 5ms"
    })
final class ThrottleSetCommand extends ThrottleCommand {
  @Option(
      names = "--node",
      paramLabel = "SIZE",
      description =
          "Bytes a second of each node's network, in each direction: 64k or more, 0 or none.")
  private @Nullable String node;

  @Option(
      names = "--disk",
      paramLabel = "SIZE",
      description = "Bytes a second of each node's disks, read and written together.")
  private @Nullable String disk;

  @Option(
      names = "--uplink",
      paramLabel = "SIZE",
      description = "Bytes a second of each rack's uplink, in each direction.")
  private @Nullable String uplink;

  @Option(
      names = "--site",
      paramLabel = "SIZE",
      description = "Bytes a second of each site's link to the others, in each direction.")
  private @Nullable String site;

  @Option(
      names = "--cluster",
      paramLabel = "SIZE",
      description = "Bytes a second between all nodes of the cluster.")
  private @Nullable String cluster;

  @Option(
      names = "--repair-share",
      paramLabel = "PART",
      description =
          "Part of each limit that repair gets when conversion wants more, as in 0.7; none for the"
              + " configured part.")
  private @Nullable String repairShare;

  @Option(
      names = "--conversion-share",
      paramLabel = "PART",
      description = "The same for conversion, as in 0.3 or none; each uses what the other leaves.")
  private @Nullable String conversionShare;

  @Option(
      names = "--latency-target",
      paramLabel = "TIME",
      description =
          "Target of the mean time of a packet from a DataNode to a reader, from 100us to 10s, as"
              + " in 5ms. A DataNode above its target keeps halving its limits; 0 for no target.")
  private @Nullable String latencyTarget;

  /** The values to set, by key. */
  private final Map<String, String> changes = new LinkedHashMap<>();

  ThrottleSetCommand(ClusterConnector connector) {
    super(connector);
  }

  @Override
  protected void checkArguments() {
    add("node", node);
    add("disk", disk);
    add("uplink", uplink);
    add("site", site);
    add("cluster", cluster);
    add("repair-share", repairShare);
    add("conversion-share", conversionShare);
    add("latency-target", latencyTarget);
    if (changes.isEmpty()) {
      throw wrong("nothing is to be set: name a part of the throttle, as --node 50m");
    }
    try {
      Braid.checkThrottle(changes);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  @Override
  ThrottleView perform(ThrottleControl throttle) throws IOException {
    try {
      return throttle.set(changes);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private void add(String key, @Nullable String value) {
    if (value != null) {
      changes.put(key, value);
    }
  }
}
