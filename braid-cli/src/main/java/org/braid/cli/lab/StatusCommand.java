package org.braid.cli.lab;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.text.Sizes;
import org.braid.lab.LabRegistry;
import picocli.CommandLine.Command;

@Command(
    name = "status",
    description = {
      "Shows the labs of this user on this machine and their daemons.",
      "The exit status is 1 when a daemon does not run or a killed lab left files."
    },
    footer = {"", "Example", "  braid lab status --json"})
final class StatusCommand extends LabCommand {
  @Override
  CommandResult work() throws ExperimentException {
    List<LabRegistry.Status> labs = LabRegistry.here().list();
    boolean ok = true;
    ObjectNode object = Json.object();
    ArrayNode array = object.putArray("labs");
    List<String> lines = new ArrayList<>();
    for (LabRegistry.Status lab : labs) {
      array.add(LabJson.of(lab));
      lines.addAll(lines(lab));
      ok &=
          lab.state() != LabRegistry.State.LEFTOVER
              && lab.daemons().stream().allMatch(daemon -> daemon.pid() != 0);
    }
    if (labs.isEmpty()) {
      lines.add("no lab runs: start one by braid lab up");
    }
    object.put("ok", ok);
    return new CommandResult(ok ? ExitStatus.DONE : ExitStatus.FAILED, object, lines);
  }

  private static List<String> lines(LabRegistry.Status lab) {
    if (lab.state() == LabRegistry.State.LEFTOVER) {
      return List.of(
          "lab %s was ended by force, its files are in %s: braid lab down removes them"
              .formatted(lab.id(), lab.directory()));
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "lab %s, %s since %s: %s; keeper: process %d; %s stored; logs: %s/logs"
            .formatted(
                lab.id(),
                LabJson.state(lab),
                Instant.ofEpochMilli(lab.since()),
                lab.settings().map(settings -> settings.topology().toString()).orElse("?"),
                lab.keeper(),
                Sizes.format(lab.stored()),
                lab.directory()));
    TextTable table = new TextTable("daemon", "rack", ">process", ">memory", ">processor");
    for (LabRegistry.Daemon daemon : lab.daemons()) {
      if (daemon.pid() == 0) {
        table.row(daemon.name(), daemon.location(), "does not run", "", "");
      } else {
        table.row(
            daemon.name(),
            daemon.location(),
            daemon.pid(),
            Sizes.format(daemon.memory()),
            Sizes.seconds(daemon.cpuSeconds()));
      }
    }
    lines.addAll(table.lines());
    return lines;
  }
}
