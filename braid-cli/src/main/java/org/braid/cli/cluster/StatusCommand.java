package org.braid.cli.cluster;

import java.io.IOException;
import java.util.List;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.cluster.base.PathCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.Termination;
import org.braid.cli.text.Json;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.view.StatusReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "status",
    description = {
      "Shows in one word how safe converted files are, and why; the space that they use and save;"
          + " and which workers answer.",
      "The word is healthy; degraded: less than promised is there, or nobody would repair it; at"
          + " risk: the next loss may cost data; or lost: blocks can neither be read nor rebuilt"
          + " now. braid fsck names what is damaged.",
      "HDFS's superuser sees the whole cluster, other users what they may read below PATH."
    },
    footer = {
      "",
      "Example: how much of /logs is converted",
      "  braid status -fs hdfs://namenode:8020 /logs",
      "Example: the same for a script, which finds the word in health.word",
      "  braid status -fs hdfs://namenode:8020 --json",
      "Example: how a conversion goes on",
      "  braid status -fs hdfs://namenode:8020 --watch --every 5s"
    })
final class StatusCommand extends PathCommand {
  private static final String EVERY = "2s";

  @Option(
      names = "--watch",
      description = "Repeat until Ctrl-C, and show the changes since the last time.")
  private boolean watch;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = Converters.Duration.class,
      description =
          "With --watch, the time between two looks, at least 100ms; default: " + EVERY + ".")
  private @Nullable Long everyMillis;

  private final Termination termination;

  StatusCommand(ClusterConnector connector, Termination termination) {
    super(connector);
    this.termination = termination;
  }

  @Override
  protected void checkArguments() {
    if (everyMillis != null && !watch) {
      throw wrong("--every is the time between the looks of --watch: name both");
    }
    if (watch && printsJson()) {
      throw wrong("--watch is for people: a script asks again when it wants to know");
    }
  }

  @Override
  protected CommandResult perform(Cluster cluster) throws IOException {
    StatusReport report = cluster.status(path());
    if (watch) {
      new StatusWatch(cluster, path(), out()).show(report, termination.arm(), everyMillis());
    }
    return new CommandResult(
        ExitStatus.DONE,
        Json.of(report).put("ok", true),
        watch ? List.of() : StatusText.lines(report));
  }

  private long everyMillis() {
    long least = 100; // a NameNode has other things to do
    return Math.max(least, everyMillis == null ? 2000 : everyMillis);
  }
}
