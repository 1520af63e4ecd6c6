package org.braid.cli.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.braid.cli.cluster.base.ClusterCommand;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.code.Codes;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.view.CheckReport;
import org.braid.hdfs.api.view.CheckReport.Finding;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "check",
    description = {
      "Says what is missing, wrong or half configured on each NameNode and DataNode, and what to"
          + " do.",
      "Use it after an installation and after each change of the configuration. It needs no"
          + " running plugin: it reads the daemons' configurations from their web servers. The exit"
          + " status is 0 only if conversion and repair will work."
    },
    footer = {
      "",
      "Example: check a cluster that is to use rs-10-4",
      "  braid check -fs hdfs://namenode:8020 --code rs-10-4"
    })
final class CheckCommand extends ClusterCommand {
  @Option(
      names = "--code",
      paramLabel = "CODE",
      description =
          "A code that is to be used, as in rs-10-4: says whether it fits the nodes and racks;"
              + " may be repeated.")
  private List<String> codes = new ArrayList<>();

  CheckCommand(ClusterConnector connector) {
    super(connector);
  }

  @Override
  protected void checkArguments() {
    codes.forEach(Codes::named); // an unknown one is wrong usage
  }

  @Override
  protected CommandResult perform(ClusterConnector connects, Connection connection)
      throws IOException {
    CheckReport report = connects.check(connection, codes);
    ObjectNode object = Json.of(report).put("ok", report.ok());
    return new CommandResult(
        report.ok() ? ExitStatus.DONE : ExitStatus.FAILED, object, lines(report));
  }

  @Override
  protected CommandResult perform(Cluster cluster) {
    throw new IllegalStateException("check works without a connection");
  }

  private static List<String> lines(CheckReport report) {
    List<String> lines = new ArrayList<>();
    for (Finding finding : report.findings()) {
      lines.add(
          "%s: %s: %s"
              .formatted(
                  finding.severity().name().toLowerCase(Locale.ROOT),
                  finding.host(),
                  finding.problem()));
      if (!finding.property().isEmpty()) {
        lines.add(
            "  %s %s"
                .formatted(
                    finding.property(),
                    finding.value().isEmpty()
                        ? "is not set"
                        : "= "
                            + finding.value()
                            + (finding.source().isEmpty() ? "" : " (" + finding.source() + ")")));
      }
      lines.add("  do: " + finding.remedy());
    }
    lines.add(
        "%s looked at, %s: %s"
            .formatted(
                Sizes.count(report.nameNodes(), "NameNode")
                    + " and "
                    + Sizes.count(report.dataNodes(), "DataNode"),
                Sizes.count(report.findings().size(), "finding"),
                report.ok()
                    ? "conversion and repair will work"
                    : "conversion or repair will not work"));
    return lines;
  }
}
