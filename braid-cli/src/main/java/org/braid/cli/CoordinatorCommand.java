package org.braid.cli;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.braid.cli.text.Json;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.WatchReport;
import org.braid.hdfs.api.WatchRequest;
import org.braid.plan.RepairPlanner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "coordinator",
    description = {
      "Watches a cluster until it is told to stop: rebuilds lost blocks, those first that readers"
          + " wait for.",
      "It gives way to convert, restore and repair, and goes on when they have finished. SIGTERM"
          + " and Ctrl-C end it cleanly; what it did is summed up on standard output, what it does"
          + " is said on standard error."
    },
    footer = {
      "",
      "Example: watch a cluster in the background",
      "  braid coordinator -fs hdfs://namenode:8020 2>>coordinator.log &"
    })
final class CoordinatorCommand extends ClusterCommand {
  @Option(
      names = "--shape",
      defaultValue = "chain",
      paramLabel = "SHAPE",
      description =
          "How helpers pass data on: chain, ppr, racktree, star, or auto, which takes the fastest;"
              + " default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private RepairPlanner shape;

  @Option(
      names = "--interval",
      defaultValue = "10",
      paramLabel = "SECONDS",
      converter = Converters.Count.class,
      description = "How often lost blocks are looked for; default: ${DEFAULT-VALUE}.")
  private int interval;

  @Mixin private final PolicyOptions policy = new PolicyOptions();

  @Mixin private final WorkOptions work = new WorkOptions();

  private final Termination termination;

  CoordinatorCommand(Connector connector, Termination termination) {
    super(connector);
    this.termination = termination;
  }

  @Override
  List<HdfsPath> paths() {
    return List.of(HdfsPath.ROOT);
  }

  @Override
  Outcome perform(Cluster cluster) throws IOException {
    WatchReport report =
        cluster.watch(
            new WatchRequest(
                shape.name(),
                work.parallel(),
                work.slice(),
                work.seed(),
                policy.policy(),
                1000L * interval,
                termination.arm(),
                this::say));
    return new Outcome(ExitStatus.DONE, Json.of(report).put("ok", true), lines(report));
  }

  private void say(String line) {
    err().println(Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + line);
    err().flush();
  }

  private static List<String> lines(WatchReport report) {
    return List.of(
        "%s rebuilt, %d more for readers that waited, in %s; %s across racks, %s inside"
            .formatted(
                Sizes.count(report.repaired(), "block"),
                report.demanded(),
                Sizes.seconds(report.seconds()),
                Sizes.format(report.traffic().crossRackBytes()),
                Sizes.format(report.traffic().inRackBytes())),
        "gave way %d times; %s beyond repair at the last look"
            .formatted(report.handOvers(), Sizes.count(report.unrepairable(), "block")));
  }
}
