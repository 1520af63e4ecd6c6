package org.braid.cli.lab;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.braid.cli.Converters;
import org.braid.experiment.ExperimentException;
import org.braid.lab.LabSettings;
import org.braid.lab.daemon.Plugins;
import org.braid.lab.network.LabPlan;
import org.braid.lab.network.Limits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** What a lab is to be like. */
final class TopologyOptions {
  private static final double USUAL_LINK = 100e6 / 8;
  private static final double USUAL_OVERSUBSCRIPTION = 5;

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
        "What the links of a rack's DataNodes add up to, over the rate of the rack's uplink;"
            + " default: the file's, or 5."
      })
  private @Nullable Double oversubscription;

  @Option(
      names = "--site-link",
      paramLabel = "RATE",
      converter = Converters.Rate.class,
      description =
          "Rate of the link that joins a site to the others; default: the file's, or no limit.")
  private @Nullable Double siteLink;

  @Option(
      names = "--clients",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Hosts for clients, in the racks in turn; default: the file's, or 1.")
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
      description = "Bytes for what the DataNodes store; default: ${DEFAULT-VALUE}.")
  private long room;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "A directory on a disk where they store it; default: in memory.")
  private @Nullable Path directory;

  @ArgGroup(exclusive = true)
  private @Nullable Daemons daemons;

  /** What runs beside the usual. */
  private static final class Daemons {
    @Option(names = "--stock", description = "HDFS as it comes, without Braid's plugins.")
    private boolean stock;

    @Option(
        names = "--coordinator",
        description = "Run braid coordinator on the NameNode's host, too.")
    private boolean watched;

    Plugins plugins() {
      return stock ? Plugins.NONE : watched ? Plugins.BRAID_WATCHED : Plugins.BRAID;
    }
  }

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A property of Hadoop for all daemons and clients; repeatable.")
  private Map<String, String> properties = new LinkedHashMap<>();

  LabSettings settings() throws ExperimentException {
    LabPlan plan = LabPlan.of(topology);
    try {
      return settings(plan);
    } catch (IllegalArgumentException e) {
      throw ExperimentException.wrong(String.valueOf(e.getMessage()));
    }
  }

  private LabSettings settings(LabPlan said) {
    boolean isFile = !LabPlan.isNotation(topology);
    Limits limits = said.limits();
    double usualLink = isFile ? limits.link() : USUAL_LINK;
    double usualRatio = isFile ? limits.oversubscription() : USUAL_OVERSUBSCRIPTION;
    LabPlan plan =
        (clients == null ? said : said.withClients(clients))
            .with(
                new Limits(
                    link == null ? usualLink : link,
                    oversubscription == null ? usualRatio : oversubscription,
                    siteLink == null ? limits.site() : siteLink,
                    limits.links()));
    return new LabSettings(
        plan,
        blockSize,
        daemons == null ? Plugins.BRAID : daemons.plugins(),
        properties,
        room,
        Optional.ofNullable(directory));
  }
}
