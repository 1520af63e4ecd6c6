package org.braid.cli.lab;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.braid.cli.ExitStatus;
import org.braid.cli.Outcome;
import org.braid.cli.experiment.ConsoleProgress;
import org.braid.cli.text.Json;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.text.Sizes;
import org.braid.lab.LabSettings;
import org.braid.lab.Labs;
import org.braid.lab.SelfTest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "up",
    description = {
      "Starts a lab that runs until braid lab down: NameNode and DataNodes, each a process with a"
          + " network of its own, and tests its links.",
      "Runs of experiments that fit its topology use it, and are spared the start."
    },
    footer = {
      "",
      "Example: three sites of two racks, joined by slow links",
      "  braid lab up --topology 3x2x3 --link 200mbit --oversubscription 1 --site-link 50mbit"
    })
final class UpCommand extends LabCommand {
  @Mixin private final TopologyOptions topology = new TopologyOptions();

  @Override
  Outcome work() throws ExperimentException, InterruptedException {
    LabSettings settings = topology.settings();
    Labs labs = Labs.here();
    long start = System.nanoTime();
    SelfTest test;
    try (ConsoleProgress progress = new ConsoleProgress(err())) {
      test = labs.up(settings, progress);
    }
    double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
    Labs.Status status = labs.kept().orElseThrow();
    ObjectNode object = LabJson.of(status);
    object.put("ok", true).put("seconds", seconds);
    ArrayNode rings = object.putArray("links");
    test.rings()
        .forEach(ring -> rings.add(Json.of(ring).put("share", ring.share()).put("ok", ring.ok())));
    List<String> lines = new ArrayList<>();
    lines.add("lab of %s, up in %s".formatted(settings.topology(), Sizes.seconds(seconds)));
    test.rings().forEach(ring -> lines.add("links carry what they should: " + ring));
    lines.add("keeper: process %d; logs: %s/logs".formatted(status.keeper(), status.directory()));
    return new Outcome(ExitStatus.DONE, object, lines);
  }
}
