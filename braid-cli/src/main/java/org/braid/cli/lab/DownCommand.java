package org.braid.cli.lab;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.ExitStatus;
import org.braid.cli.Outcome;
import org.braid.cli.text.Json;
import org.braid.experiment.ExperimentException;
import org.braid.lab.Labs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "down",
    description = {
      "Ends the lab that runs, with all it stores, and removes what labs left behind that were ended"
          + " by force."
    },
    footer = {"", "Example: also labs that other runs are using", "  braid lab down --all"})
final class DownCommand extends LabCommand {
  @Option(names = "--all", description = "Also labs that running experiments are using.")
  private boolean all;

  @Override
  Outcome work() throws ExperimentException, InterruptedException {
    Labs labs = Labs.here();
    List<Labs.Status> gone = labs.down(all ? Labs.Scope.ALL : Labs.Scope.KEPT);
    ObjectNode object = Json.object().put("ok", true);
    ArrayNode down = object.putArray("down");
    List<String> lines = new ArrayList<>();
    for (Labs.Status status : gone) {
      down.add(LabJson.of(status));
      lines.add(
          status.state() == Labs.State.LEFTOVER
              ? "removed what a lab left behind in " + status.directory()
              : "lab %s is down: %d daemons ended".formatted(status.id(), running(status)));
    }
    for (Labs.Status status : labs.list()) {
      lines.add(
          "lab %s is in use by a run (keeper: process %d); braid lab down --all would end it"
              .formatted(status.id(), status.keeper()));
    }
    if (lines.isEmpty()) {
      lines.add("no lab runs, and none was left behind");
    }
    return new Outcome(ExitStatus.DONE, object, lines);
  }

  private static long running(Labs.Status status) {
    return status.daemons().stream().filter(daemon -> daemon.pid() != 0).count();
  }
}
