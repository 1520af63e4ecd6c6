package org.braid.cli.lab;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.braid.cli.command.Converters;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.rpc.NetworkRates;
import org.braid.lab.LabSettings;
import org.braid.lab.daemon.Plugins;
import org.braid.lab.network.LabNetwork;
import org.braid.lab.network.LinkLimits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of a lab. */
final class TopologyOptions {
  private static final double USUAL_LINK = 100e6 / 8;
  private static final double USUAL_OVERSUBSCRIPTION = 5;
  private static final String ALL = "all";

  @Option(
      names = "--topology",
      defaultValue = "6x3",
      paramLabel = "TOPOLOGY",
      description = {
        "RACKSxNODES, SITESxRACKSxNODES, or a YAML file with the keys link, oversubscription, sites"
            + " or racks, and clients; default: ${DEFAULT-VALUE}."
      })
  @SuppressWarnings("NullAway.Init")
  private String topology;

  @Option(
      names = "--link",
      paramLabel = "RATE",
      converter = Converters.Rate.class,
      description =
          "Rate of the links of DataNodes and clients, as in 200mbit; default: the file's, or"
              + " 100mbit.")
  private @Nullable Double link;

  @Option(
      names = "--oversubscription",
      paramLabel = "X",
      converter = Converters.Ratio.class,
      description = {
        "Total rate of the links of a rack's DataNodes over the rate of its uplink; default: the"
            + " file's, or 5."
      })
  private @Nullable Double oversubscription;

  @Option(
      names = "--site-link",
      paramLabel = "RATE",
      converter = Converters.Rate.class,
      description = "Rate of the link from a site to the others; default: the file's, or no limit.")
  private @Nullable Double siteLink;

  @Option(
      names = "--clients",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Number of client hosts, assigned to the racks in turn; default: the file's," + " or 1.")
  private @Nullable Integer clients;

  @Option(
      names = "--block-size",
      defaultValue = "8m",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "Bytes of a block; default: ${DEFAULT-VALUE}.")
  private long blockSize;

  @Option(
      names = "--room",
      defaultValue = "4g",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "Total bytes for the data of all DataNodes; default: ${DEFAULT-VALUE}.")
  private long room;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Directory on a disk for the data of all DataNodes; default: in memory.")
  private @Nullable Path directory;

  @ArgGroup(exclusive = true)
  private @Nullable Daemons daemons;

  /** The options of additional daemons. */
  private static final class Daemons {
    @Option(names = "--stock", description = "Run stock HDFS, without Braid's plugins.")
    private boolean stock;

    @Option(names = "--coordinator", description = "Also run braid daemon on the NameNode's host.")
    private boolean watched;

    Plugins plugins() {
      return stock ? Plugins.NONE : watched ? Plugins.BRAID_WATCHED : Plugins.BRAID;
    }
  }

  @Option(
      names = "--yarn",
      arity = "0..1",
      fallbackValue = ALL,
      paramLabel = "N",
      description = {
        "Also run YARN: a ResourceManager, and a NodeManager beside each DataNode or beside N of"
            + " them, of all racks in turn."
      })
  private @Nullable String yarn;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A property of Hadoop for all daemons and clients; may be repeated.")
  private Map<String, String> properties = new LinkedHashMap<>();

  LabSettings settings() throws ExperimentException {
    LabNetwork plan = LabNetwork.of(topology);
    try {
      return settings(plan);
    } catch (IllegalArgumentException e) {
      throw ExperimentException.wrong(String.valueOf(e.getMessage()));
    }
  }

  private LabSettings settings(LabNetwork said) {
    boolean isFile = !LabNetwork.isNotation(topology);
    LinkLimits limits = said.limits();
    double usualLink = isFile ? limits.link() : USUAL_LINK;
    double usualRatio = isFile ? limits.oversubscription() : USUAL_OVERSUBSCRIPTION;
    LinkLimits links =
        new LinkLimits(
            link == null ? usualLink : link,
            oversubscription == null ? usualRatio : oversubscription,
            siteLink == null ? limits.site() : siteLink,
            limits.links());
    return new LabSettings(
        (clients == null ? said : said.withClients(clients)).with(links),
        blockSize,
        daemons == null ? Plugins.BRAID : daemons.plugins(),
        properties(links),
        room,
        Optional.ofNullable(directory),
        LabSettings.Disks.SHARED,
        nodeManagers(said));
  }

  private int nodeManagers(LabNetwork said) {
    if (yarn == null) {
      return 0;
    }
    if (yarn.equals(ALL)) {
      return said.topology().topology().nodes();
    }
    if (!yarn.matches("[1-9][0-9]{0,5}")) {
      throw new IllegalArgumentException(
          "--yarn " + yarn + " is no number of NodeManagers: write --yarn, or --yarn 4");
    }
    return Integer.parseInt(yarn);
  }

  /** The given properties, and the rates of the links for Braid. */
  private Map<String, String> properties(LinkLimits links) {
    Map<String, String> all = new LinkedHashMap<>();
    if (!Double.isInfinite(links.link())) {
      all.put(NetworkRates.LINK_KEY, Long.toString((long) links.link()));
    }
    all.put(NetworkRates.OVERSUBSCRIPTION_KEY, Double.toString(links.oversubscription()));
    if (!Double.isInfinite(links.site())) {
      all.put(NetworkRates.SITE_KEY, Long.toString((long) links.site()));
    }
    all.putAll(properties);
    return all;
  }
}
