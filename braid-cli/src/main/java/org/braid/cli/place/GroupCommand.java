package org.braid.cli.place;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.grouping.Grouping;
import org.braid.placement.grouping.ReplicaTable;
import org.braid.placement.grouping.RetroactiveGrouping;
import org.braid.placement.replication.RandomReplication;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "group",
    description = {
      "Groups randomly replicated blocks into stripes that share a core rack and need no"
          + " relocation, and compares them with stripes of blocks in file order."
    },
    footer = {"", "Example:", "  braid place group --blocks 100000 --topology 20x20"})
final class GroupCommand extends BaseCommand {
  @Option(
      names = "--blocks",
      defaultValue = "100000",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of blocks to place; default: ${DEFAULT-VALUE}.")
  private int blocks;

  @Option(
      names = "--topology",
      required = true,
      paramLabel = "RxN",
      description = "R racks of N nodes.")
  @SuppressWarnings("NullAway.Init")
  private Topology topology;

  @Option(
      names = "--code",
      defaultValue = "rs-10-4",
      paramLabel = "CODE",
      description = "The code of the stripes; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private ErasureCode code;

  @Mixin private final PlaceOptions options = new PlaceOptions();

  @Override
  protected CommandResult perform() {
    if (code.racks().isPresent()) {
      throw wrong(
          code.name()
              + " prescribes the rack of each block, which grouping does not support: choose"
              + " another code");
    }
    RandomGenerator random = options.random();
    StripeLimits limits = options.limits(code, topology, random);
    ReplicaTable.Builder builder = ReplicaTable.builder();
    for (int block = 0; block < blocks; block++) {
      builder.add(
          RandomReplication.place(
              EligibleNodes.all(topology), -1, options.replicas(), options.layout(), random));
    }
    ReplicaTable table = builder.build();
    StripeRule rule = StripeRules.of(code, limits);
    Grouping naive = RetroactiveGrouping.naive(EligibleNodes.all(topology), table, rule);
    Grouping grouped = RetroactiveGrouping.group(EligibleNodes.all(topology), table, rule);
    ObjectNode object =
        Json.object()
            .put("code", code.name())
            .put("blocks", blocks)
            .put("replicas", options.replicas())
            .put("layout", options.layout().label())
            .put("max_per_rack", limits.perRack())
            .put("seed", options.seed());
    object.set("naive", json(naive));
    object.set("grouped", json(grouped));
    object
        .putObject("saved")
        .put("downloads", naive.downloads() - grouped.downloads())
        .put("relocations", naive.relocations() - grouped.relocations());
    return new CommandResult(ExitStatus.DONE, object, lines(naive, grouped, limits));
  }

  private static ObjectNode json(Grouping grouping) {
    return Json.object()
        .put("stripes", grouping.stripes().size())
        .put("downloads", grouping.downloads())
        .put("relocations", grouping.relocations())
        .put("rest", grouping.rest().length);
  }

  private List<String> lines(Grouping naive, Grouping grouped, StripeLimits limits) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%d blocks of %d replicas on %d nodes in %d racks, %s with at most %d blocks in a rack"
            .formatted(
                blocks,
                options.replicas(),
                topology.nodes(),
                topology.racks(),
                code.name(),
                limits.perRack()));
    lines.add("");
    TextTable table =
        new TextTable("grouping", ">stripes", ">cross-rack downloads", ">relocations", ">rest");
    row(table, "file order", naive);
    row(table, "by core rack", grouped);
    table.row(
        "saved",
        "",
        naive.downloads() - grouped.downloads(),
        naive.relocations() - grouped.relocations(),
        "");
    lines.addAll(table.lines());
    return lines;
  }

  private static void row(TextTable table, String name, Grouping grouping) {
    table.row(
        name,
        grouping.stripes().size(),
        grouping.downloads(),
        grouping.relocations(),
        grouping.rest().length);
  }
}
