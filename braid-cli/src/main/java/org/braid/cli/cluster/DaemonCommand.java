package org.braid.cli.cluster;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.braid.cli.cluster.base.ClusterCommand;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.StripeWorkOptions;
import org.braid.cli.command.SystemdNotifier;
import org.braid.cli.command.Termination;
import org.braid.cli.text.Json;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.api.WatchReport;
import org.braid.hdfs.api.WatchRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "daemon",
    aliases = "coordinator",
    description = {
      "Serves a cluster until it is stopped: rebuilds lost blocks, first those that readers wait"
          + " for, then converts and restores files as policies say (braid policy --help), and reads"
          + " all blocks of stripes from time to time (braid scrub --help).",
      "Run one for each cluster, or several, of which one works: clients without Braid wait for"
          + " lost blocks only while it runs. It yields to convert, restore and repair. SIGTERM"
          + " and Ctrl-C stop it within seconds; the next one goes on from there. It logs to"
          + " standard error and prints a summary to standard output when it stops. It tells"
          + " systemd that it is ready, alive and stopping."
    },
    footer = {
      "",
      "Example: serve a cluster in the background",
      "  braid daemon -fs hdfs://namenode:8020 2>>daemon.log &"
    })
final class DaemonCommand extends ClusterCommand {
  @Option(
      names = "--interval",
      defaultValue = "10",
      paramLabel = "SECONDS",
      converter = Converters.Count.class,
      description =
          "Seconds between two scans for lost blocks; blocks that readers wait for are"
              + " rebuilt at once; default: ${DEFAULT-VALUE}.")
  private int interval;

  @Option(
      names = "--policy-interval",
      defaultValue = "3600",
      paramLabel = "SECONDS",
      converter = Converters.Count.class,
      description =
          "Seconds between two walks over all files that policies may take; a change of the"
              + " policies and the opening of a window start one at once; default:"
              + " ${DEFAULT-VALUE}.")
  private int policyInterval;

  @Mixin private final RepairOptions repair = new RepairOptions();

  @Mixin private final StripeWorkOptions work = new StripeWorkOptions();

  private final Termination termination;

  DaemonCommand(ClusterConnector connector, Termination termination) {
    super(connector);
    this.termination = termination;
  }

  @Override
  protected CommandResult perform(Cluster cluster) throws IOException {
    SystemdNotifier systemd = SystemdNotifier.ofEnvironment();
    StopSignal stop = termination.arm(systemd::stopping);
    systemd.ready();
    WatchReport report =
        cluster.watch(
            new WatchRequest(
                repair.shape(),
                work.parallel(),
                work.slice(),
                work.seed(),
                repair.policy(),
                1000L * interval,
                1000L * policyInterval,
                stop,
                this::say,
                (phase, done, total) -> systemd.alive()));
    return new CommandResult(ExitStatus.DONE, Json.of(report).put("ok", true), lines(report));
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
        "policies: %s converted, %s restored"
            .formatted(
                Sizes.count(report.converted(), "file"), Sizes.count(report.restored(), "file")),
        "gave way to other commands %s; %s beyond repair at the end"
            .formatted(
                Sizes.count(report.handOvers(), "time"),
                Sizes.count(report.unrepairable(), "block")));
  }
}
