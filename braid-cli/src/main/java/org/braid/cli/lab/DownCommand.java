package org.braid.cli.lab;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.experiment.ExperimentException;
import org.braid.lab.LabRegistry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "down",
    description = {
      "Takes down the running lab with its data, and removes the files of killed labs."
    },
    footer = {"", "Example: also labs that other runs are using", "  braid lab down --all"})
final class DownCommand extends LabCommand {
  @Option(names = "--all", description = "Also take down labs that running experiments use.")
  private boolean all;

  @Override
  CommandResult work() throws ExperimentException, InterruptedException {
    LabRegistry labs = LabRegistry.here();
    List<LabRegistry.Status> gone = labs.down(all ? LabRegistry.Scope.ALL : LabRegistry.Scope.KEPT);
    ObjectNode object = Json.object().put("ok", true);
    ArrayNode down = object.putArray("down");
    List<String> lines = new ArrayList<>();
    for (LabRegistry.Status status : gone) {
      down.add(LabJson.of(status));
      lines.add(
          status.state() == LabRegistry.State.LEFTOVER
              ? "removed what a lab left behind in " + status.directory()
              : "lab %s is down: %d daemons ended".formatted(status.id(), running(status)));
    }
    for (LabRegistry.Status status : labs.list()) {
      lines.add(
          "lab %s is in use by a run (keeper: process %d); braid lab down --all would end it"
              .formatted(status.id(), status.keeper()));
    }
    if (lines.isEmpty()) {
      lines.add("no lab runs, and none was left behind");
    }
    return new CommandResult(ExitStatus.DONE, object, lines);
  }

  private static long running(LabRegistry.Status status) {
    return status.daemons().stream().filter(daemon -> daemon.pid() != 0).count();
  }
}
