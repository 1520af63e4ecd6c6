package org.braid.cli.lab;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.experiment.ConsoleProgress;
import org.braid.cli.text.Json;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.text.Sizes;
import org.braid.lab.LabRegistry;
import org.braid.lab.LabSettings;
import org.braid.lab.LinkTest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "up",
    description = {
      "Starts a lab that runs until braid lab down, and tests its links. NameNode and DataNodes"
          + " are processes in network namespaces of their own.",
      "Experiments with the same topology then run on it and need not start one."
    },
    footer = {
      "",
      "Example: three sites of two racks, joined by slow links",
      "  braid lab up --topology 3x2x3 --link 200mbit --oversubscription 1 --site-link 50mbit",
      "Example: with YARN, for braid lab job",
      "  braid lab up --topology 3x2 --yarn"
    })
final class UpCommand extends LabCommand {
  /** The least room: the bytes that HDFS keeps free on each disk, and as many for files. */
  private static final long LEAST_ROOM = 2L << 30;

  @Mixin private final TopologyOptions topology = new TopologyOptions();

  @Override
  CommandResult work() throws ExperimentException, InterruptedException {
    LabSettings settings = topology.settings();
    if (settings.room() < LEAST_ROOM && settings.directory().isEmpty()) {
      throw ExperimentException.wrong(
          "--room %s leaves no room for files: DataNodes keep 1 GiB of it free; give at least %s"
              .formatted(Sizes.format(settings.room()), Sizes.format(LEAST_ROOM)));
    }
    LabRegistry labs = LabRegistry.here();
    long start = System.nanoTime();
    LinkTest test;
    try (ConsoleProgress progress = new ConsoleProgress(err())) {
      test = labs.up(settings, progress);
    }
    double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
    LabRegistry.Status status = labs.kept().orElseThrow();
    ObjectNode object = LabJson.of(status);
    object.put("ok", true).put("seconds", seconds);
    ArrayNode rings = object.putArray("links");
    test.rings()
        .forEach(ring -> rings.add(Json.of(ring).put("share", ring.share()).put("ok", ring.ok())));
    List<String> lines = new ArrayList<>();
    lines.add("lab of %s, up in %s".formatted(settings.topology(), Sizes.seconds(seconds)));
    test.rings().forEach(ring -> lines.add("links carry what they should: " + ring));
    lines.add("keeper: process %d; logs: %s/logs".formatted(status.keeper(), status.directory()));
    lines.add(use(Path.of("").toAbsolutePath(), System.getProperty("braid.home")));
    return new CommandResult(ExitStatus.DONE, object, lines);
  }

  /**
   * How the lab is used.
   *
   * @param here the present directory
   * @param home where the program's files lie, as its launcher says: in a checkout with the
   *     program, which an installed release has elsewhere
   */
  static String use(Path here, @Nullable String home) {
    String braid = "braid";
    if (home != null && Files.isRegularFile(Path.of(home, "braid"))) {
      braid = here.equals(Path.of(home)) ? "./braid" : home + "/braid";
    }
    return "use it: %1$s lab exec -- %1$s status, as a program on the client c0 of the lab"
        .formatted(braid);
  }
}
