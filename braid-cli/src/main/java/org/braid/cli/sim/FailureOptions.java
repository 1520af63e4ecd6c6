package org.braid.cli.sim;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.braid.cli.command.Converters;
import org.braid.cli.text.Durations;
import org.braid.placement.Topology;
import org.braid.sim.durability.Durability;
import org.braid.sim.durability.FailureModel;
import org.braid.sim.durability.FailureModel.Bursts;
import org.braid.sim.durability.FailureModel.Latent;
import org.braid.sim.durability.FailureModel.Outage;
import org.braid.sim.durability.FailureModel.Outages;
import org.braid.sim.failure.FailureTrace;
import org.braid.sim.failure.Lifetime;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the failures of a simulated cluster. */
final class FailureOptions {
  private static final double TERABYTE = 1e12;
  private static final double OUTAGE_SECONDS = 600;

  @Option(
      names = "--mttf",
      defaultValue = "4y",
      paramLabel = "TIME",
      converter = SimConverters.Time.class,
      description =
          "Mean time to failure of a node, which loses its blocks, as in 4y; default:"
              + " ${DEFAULT-VALUE}.")
  private double mttf;

  @Option(
      names = "--weibull",
      defaultValue = "1",
      paramLabel = "SHAPE",
      converter = SimConverters.Amount.class,
      description = {
        "Shape of the Weibull distribution of node lifetimes: 1 for exponential,"
            + " below 1 when young nodes fail most, above 1 when old nodes do; default:"
            + " ${DEFAULT-VALUE}."
      })
  private double shape;

  @Option(
      names = "--rack-mttf",
      defaultValue = "never",
      paramLabel = "TIME",
      converter = SimConverters.Time.class,
      description =
          "Mean time to failure of a rack, which loses the blocks of its nodes;"
              + " default: ${DEFAULT-VALUE}.")
  private double rackMttf;

  @Option(
      names = "--site-mttf",
      defaultValue = "never",
      paramLabel = "TIME",
      converter = SimConverters.Time.class,
      description =
          "Mean time to failure of a site, which loses the blocks of its nodes;"
              + " default: ${DEFAULT-VALUE}.")
  private double siteMttf;

  @Option(
      names = "--node-outage",
      defaultValue = "never",
      paramLabel = "EVERY[/LASTS]",
      description = {
        "Mean time between outages of a node and their mean length, as in 60d/10m;"
            + " the length is 10m if it is not given. An outage loses no blocks; default:"
            + " ${DEFAULT-VALUE}."
      })
  @SuppressWarnings("NullAway.Init")
  private String nodeOutage;

  @Option(
      names = "--rack-outage",
      defaultValue = "never",
      paramLabel = "EVERY[/LASTS]",
      description =
          "Outages of a rack, given like --node-outage, as in 1y/1h; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private String rackOutage;

  @Option(
      names = "--site-outage",
      defaultValue = "never",
      paramLabel = "EVERY[/LASTS]",
      description = "Outages of a site, given like --node-outage; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private String siteOutage;

  @Option(
      names = "--latent",
      defaultValue = "0.01",
      paramLabel = "N",
      converter = SimConverters.Amount.class,
      description = {
        "Latent sector errors per year and stored terabyte (10^12 bytes); default:"
            + " ${DEFAULT-VALUE}."
      })
  private double latent;

  @Option(
      names = "--scrub",
      defaultValue = "14d",
      paramLabel = "TIME",
      converter = SimConverters.Time.class,
      description =
          "Time in which the scrubber reads every block once, as in 14d; default:"
              + " ${DEFAULT-VALUE}.")
  private double scrub;

  @Option(
      names = "--burst-every",
      defaultValue = "never",
      paramLabel = "TIME",
      converter = SimConverters.Time.class,
      description =
          "Mean time between bursts, each of which fails several nodes at once;"
              + " default: ${DEFAULT-VALUE}.")
  private double burstEvery;

  @Option(
      names = "--burst-nodes",
      defaultValue = "10",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of nodes that fail in a burst; default: ${DEFAULT-VALUE}.")
  private int burstNodes;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = {
        "Trace of failures, in addition to the random ones (give --mttf never to have"
            + " no random failures of nodes). A line is HOURS fail|down|up node|rack|site"
            + " NAME, with the hours since the start, as in 12.5 fail node r3n7."
      })
  private @Nullable Path trace;

  /**
   * The failures of a cluster.
   *
   * @throws IllegalArgumentException when a value or a line of the trace is wrong
   * @throws IOException when the trace cannot be read
   */
  FailureModel model(Topology topology) throws IOException {
    FailureTrace events = trace == null ? FailureTrace.EMPTY : events(trace, topology);
    return new FailureModel(
        new Lifetime(mttf, shape),
        Lifetime.exponential(rackMttf),
        Lifetime.exponential(siteMttf),
        new Outages(
            outage("--node-outage", nodeOutage),
            outage("--rack-outage", rackOutage),
            outage("--site-outage", siteOutage)),
        latent == 0
            ? Latent.NONE
            : new Latent(latent / TERABYTE / Durability.SECONDS_PER_YEAR, scrub),
        Double.isInfinite(burstEvery) ? Bursts.NONE : new Bursts(burstEvery, burstNodes),
        events);
  }

  private static FailureTrace events(Path file, Topology topology) throws IOException {
    try {
      return FailureTrace.parse(file.toString(), Files.readAllLines(file), topology);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(file + " is not UTF-8 text", e);
    }
  }

  private static Outage outage(String option, String text) {
    if (text.equals("never")) {
      return Outage.NONE;
    }
    String[] parts = text.split("/", -1);
    if (parts.length > 2) {
      throw new IllegalArgumentException(
          option
              + " \""
              + text
              + "\": write the time between outages and their length, as in 60d/10m");
    }
    double lasts = parts.length == 1 ? OUTAGE_SECONDS : Durations.parse(parts[1]);
    return new Outage(Durations.parse(parts[0]), lasts);
  }
}
