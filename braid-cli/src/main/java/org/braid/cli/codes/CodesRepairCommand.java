package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CodeArgument;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.code.Equation;
import org.braid.code.derive.NotRepairableException;
import org.braid.code.derive.Repair;
import org.braid.code.derive.RepairAim;
import org.braid.code.derive.RepairSearch;
import org.braid.experiment.text.Sizes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "repair",
    description = {
      "Finds the cheapest repair of lost blocks: the blocks to read, and the equations.",
      "The exit status is 1 when the blocks cannot be rebuilt."
    },
    footer = {
      "",
      "Example: two lost blocks, and block 8 cannot be read",
      "  braid codes repair rs-6-3 --lost 3,7 --alive 0,1,2,4,5,6"
    })
final class CodesRepairCommand extends BaseCommand {
  @Mixin private final CodeArgument argument = new CodeArgument();

  @Option(
      names = "--lost",
      required = true,
      split = ",",
      paramLabel = "BLOCK",
      description = "Positions of the blocks to rebuild, counted from 0, as in 3,7.")
  private List<Integer> lost = new ArrayList<>();

  @Option(
      names = "--alive",
      split = ",",
      paramLabel = "BLOCK",
      description =
          "Positions of the blocks that may be read, as in 0,1,2; default: all that are not"
              + " lost.")
  private @Nullable List<Integer> alive;

  @Option(
      names = "--aim",
      defaultValue = "bytes",
      paramLabel = "AIM",
      description =
          "What the repair minimises: blocks, the number of blocks that it reads from;"
              + " bytes, the bytes that it reads; racks, the number of racks that it reads"
              + " from; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private RepairAim aim;

  @Override
  protected CommandResult perform() {
    checkPositions("--lost", lost);
    List<Integer> readable =
        alive == null
            ? IntStream.range(0, argument.code().n())
                .filter(b -> !lost.contains(b))
                .boxed()
                .toList()
            : alive;
    checkPositions("--alive", readable);
    List<Integer> both = readable.stream().filter(lost::contains).distinct().sorted().toList();
    if (!both.isEmpty()) {
      throw wrong("--lost and --alive both name " + CodeText.named(both));
    }
    try {
      Repair repair =
          RepairSearch.find(argument.code(), lost, readable, aim, RepairSearch.Effort.ONE);
      return new CommandResult(ExitStatus.DONE, object(repair), lines(repair));
    } catch (NotRepairableException e) {
      err().println("braid: " + e.getMessage());
      ObjectNode object = Json.object().put("ok", false).put("error", e.getMessage());
      object.put("name", argument.code().name()).put("missing", e.missing());
      lost.stream().distinct().sorted().forEach(object.putArray("lost")::add);
      return new CommandResult(ExitStatus.FAILED, object, List.of());
    }
  }

  private void checkPositions(String option, List<Integer> blocks) {
    List<Integer> outside =
        blocks.stream().filter(b -> b < 0 || b >= argument.code().n()).distinct().sorted().toList();
    if (!outside.isEmpty()) {
      throw wrong(
          "%s names %s, a stripe of %s has 0..%d"
              .formatted(
                  option,
                  CodeText.named(outside),
                  argument.code().name(),
                  argument.code().n() - 1));
    }
  }

  private ObjectNode object(Repair repair) {
    ObjectNode object = Json.object().put("name", argument.code().name());
    object.put("aim", repair.aim().name().toLowerCase(Locale.ROOT));
    repair.lost().forEach(object.putArray("lost")::add);
    ArrayNode reads = object.putArray("reads");
    for (Repair.Read read : repair.reads()) {
      ObjectNode node = reads.addObject().put("block", read.block());
      node.put("fraction", read.fraction());
      read.subBlocks().forEach(node.putArray("sub_blocks")::add);
    }
    object.put("traffic", repair.traffic());
    object.put("blocks_touched", repair.reads().size());
    object.put("racks_touched", repair.racks());
    object.put("cross_rack", repair.crossRack());
    object.put("exact", repair.exact());
    ArrayNode equations = object.putArray("equations");
    for (Equation equation : repair.equations()) {
      ObjectNode node = equations.addObject();
      node.put("block", equation.target().block()).put("sub_block", equation.target().index());
      ArrayNode terms = node.putArray("terms");
      equation
          .terms()
          .forEach(
              t ->
                  terms
                      .addObject()
                      .put("block", t.source().block())
                      .put("sub_block", t.source().index())
                      .put("coefficient", t.coefficient()));
      node.put("text", CodeText.equation(argument.code(), equation));
    }
    return object;
  }

  private List<String> lines(Repair repair) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s, %s lost: reads %s blocks' worth from %s in %s"
            .formatted(
                argument.code().name(),
                CodeText.named(repair.lost()),
                CodeText.number(repair.traffic()),
                Sizes.count(repair.reads().size(), "block"),
                Sizes.count(repair.racks(), "rack")));
    lines.add(
        (repair.exact() ? "no repair needs fewer " : "the best found: others may need fewer ")
            + repair.aim().name().toLowerCase(Locale.ROOT));
    lines.add("");
    var table = new TextTable(">block", ">fraction", "sub-blocks", ">rack");
    for (Repair.Read read : repair.reads()) {
      table.row(
          read.block(),
          CodeText.number(read.fraction()),
          argument.code().alpha() == 1 ? "-" : CodeText.ranges(read.subBlocks()),
          argument.code().racks().map(r -> String.valueOf(r.get(read.block()))).orElse("-"));
    }
    lines.addAll(table.lines());
    lines.add("");
    repair.equations().forEach(e -> lines.add(CodeText.equation(argument.code(), e)));
    return lines;
  }
}
