package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CodeArgument;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.TextTable;
import org.braid.code.Codes;
import org.braid.code.LocalGroup;
import org.braid.code.derive.Repair;
import org.braid.code.derive.RepairAim;
import org.braid.code.derive.RepairCost;
import org.braid.code.derive.RepairSearch;
import org.braid.code.derive.Tolerance;
import org.braid.experiment.text.Sizes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "show",
    description = {
      "Shows what a code stores, survives and promises, and what its repairs cost.",
      "Everything is derived from the code's matrix."
    },
    footer = {"", "Example: ten data and four parity blocks", "  braid codes show rs-10-4"})
final class CodesShowCommand extends BaseCommand {
  @Mixin private final CodeArgument argument = new CodeArgument();

  @Option(
      names = "--matrix",
      description =
          "Also print the parity rows of the generator matrix; --json always has the"
              + " whole matrix.")
  private boolean matrix;

  @Override
  protected CommandResult perform() {
    CodeProperties properties = CodeProperties.of(argument.code());
    List<RepairCost> pairs =
        argument.code().m() < 2
            ? List.of()
            : RepairCost.pairs(argument.code(), RepairSearch.Effort.MANY);
    return new CommandResult(ExitStatus.DONE, object(properties, pairs), lines(properties, pairs));
  }

  private ObjectNode object(CodeProperties properties, List<RepairCost> pairs) {
    ObjectNode object = CodesJson.of(argument.code());
    object.set("tolerance", CodesJson.of(properties.tolerance()));
    object.set("update_cost", CodesJson.of(properties.update()));
    ObjectNode repair = object.putObject("repair");
    for (RepairAim aim : RepairAim.values()) {
      ObjectNode node = repair.putObject(CodesJson.name(aim));
      ObjectNode singles = CodesJson.of(properties.repair(aim));
      ArrayNode each = singles.putArray("each");
      for (Repair single : properties.repair(aim).repairs()) {
        each.addObject()
            .put("block", single.lost().get(0))
            .put("blocks_touched", single.reads().size())
            .put("traffic", single.traffic())
            .put("racks_touched", single.racks())
            .put("cross_rack", single.crossRack())
            .put("exact", single.exact());
      }
      node.set("single", singles);
      if (!pairs.isEmpty()) {
        node.set("pair", CodesJson.of(RepairCost.under(aim, pairs)));
      }
    }
    return object;
  }

  private List<String> lines(CodeProperties properties, List<RepairCost> pairs) {
    List<String> lines = new ArrayList<>();
    lines.add(argument.code().name());
    var facts = new TextTable("", "");
    facts.row(
        "blocks",
        "%d: %d data, %d parity"
            .formatted(argument.code().n(), argument.code().k(), argument.code().m()));
    if (argument.code().alpha() > 1) {
      facts.row("sub-blocks", argument.code().alpha() + " a block");
    }
    facts.row("overhead", CodeText.number(properties.overhead()));
    facts.row("survives", survives(properties.tolerance()));
    facts.row("", "not " + CodeText.named(properties.tolerance().fatal()));
    properties.tolerance().racks().ifPresent(r -> facts.row("", racks(r)));
    argument.code().promises().forEach(p -> facts.row("promises", p.text()));
    for (LocalGroup group : argument.code().groups()) {
      facts.row(
          group.name(),
          "blocks " + CodeText.ranges(group.blocks()) + ", rebuilds any " + group.losses());
    }
    facts.row(
        "update",
        "a data sub-block changes %s parity sub-blocks, at most %d"
            .formatted(
                CodeText.number(properties.update().average()), properties.update().worst()));
    argument
        .code()
        .encodings()
        .forEach(s -> facts.row("encoding", s.name() + ", " + s.terms() + " terms"));
    facts.row("digest", Codes.digest(argument.code()));
    facts.lines().stream().skip(1).map(line -> "  " + line).forEach(lines::add);
    argument.code().racks().ifPresent(racks -> grid(racks, lines));
    lines.add("");
    repairs(properties, pairs, lines);
    if (matrix) {
      lines.add("");
      for (int row = argument.code().k() * argument.code().alpha();
          row < argument.code().generator().rows();
          row++) {
        int[] values = argument.code().generator().row(row);
        lines.add(
            "b%d.%d  ".formatted(row / argument.code().alpha(), row % argument.code().alpha())
                + IntStream.of(values).mapToObj("%3d"::formatted).collect(Collectors.joining(" ")));
      }
    }
    return lines;
  }

  private static String survives(Tolerance tolerance) {
    return tolerance.isExact()
        ? "any " + Sizes.count(tolerance.proven(), "block")
        : "any " + tolerance.text();
  }

  private static String racks(Tolerance.RackTolerance racks) {
    return "any %s of %d whole".formatted(Sizes.count(racks.racks(), "rack"), racks.of());
  }

  /** Columns are racks; data blocks are b, parities p. */
  private void grid(List<Integer> racks, List<String> lines) {
    int count = racks.stream().mapToInt(r -> r + 1).max().orElse(0);
    String[] header = IntStream.range(0, count).mapToObj(r -> ">rack " + r).toArray(String[]::new);
    var table = new TextTable(header);
    List<List<Integer>> columns =
        IntStream.range(0, count)
            .mapToObj(
                r ->
                    IntStream.range(0, argument.code().n())
                        .filter(b -> racks.get(b) == r)
                        .boxed()
                        .toList())
            .toList();
    int rows = columns.stream().mapToInt(List::size).max().orElse(0);
    for (int row = 0; row < rows; row++) {
      Object[] cells = new Object[count];
      for (int rack = 0; rack < count; rack++) {
        List<Integer> column = columns.get(rack);
        cells[rack] =
            row >= column.size()
                ? ""
                : (column.get(row) < argument.code().k() ? "b" : "p") + column.get(row);
      }
      table.row(cells);
    }
    lines.add("");
    table.lines().forEach(line -> lines.add("  " + line));
  }

  private void repairs(CodeProperties properties, List<RepairCost> pairs, List<String> lines) {
    lines.add("Repair of one block: what is read (averages over all blocks)");
    var table = new TextTable("least", ">average", ">worst", "two blocks", ">average", ">worst");
    for (RepairAim aim : RepairAim.values()) {
      RepairCost single = properties.repair(aim);
      boolean none = pairs.isEmpty();
      RepairCost pair = none ? single : RepairCost.under(aim, pairs);
      table.row(
          unit(aim),
          CodeProperties.cell(single.average(), single),
          CodeProperties.cell(single.worst(), single),
          none ? "-" : pairs(pair),
          none ? "-" : CodeProperties.cell(pair.average(), pair),
          none ? "-" : CodeProperties.cell(pair.worst(), pair));
    }
    table.lines().forEach(line -> lines.add("  " + line));
    lines.add("By block, for the fewest bytes");
    var each = new TextTable("blocks", ">read from", ">traffic", ">racks", ">other racks");
    List<Repair> repairs = properties.repair(RepairAim.BYTES).repairs();
    List<Integer> alike = new ArrayList<>();
    for (int i = 0; i < repairs.size(); i++) {
      alike.add(repairs.get(i).lost().get(0));
      if (i + 1 == repairs.size() || !cells(repairs.get(i)).equals(cells(repairs.get(i + 1)))) {
        List<String> cells = cells(repairs.get(i));
        each.row(CodeText.ranges(alike), cells.get(0), cells.get(1), cells.get(2), cells.get(3));
        alike.clear();
      }
    }
    each.lines().forEach(line -> lines.add("  " + line));
  }

  private static List<String> cells(Repair repair) {
    return List.of(
        String.valueOf(repair.reads().size()),
        (repair.exact() ? "" : "<= ") + CodeText.number(repair.traffic()),
        String.valueOf(repair.racks()),
        CodeText.number(repair.crossRack()));
  }

  private static String unit(RepairAim aim) {
    return switch (aim) {
      case BLOCKS -> "blocks touched";
      case BYTES -> "bytes, in blocks";
      case RACKS -> "racks touched";
    };
  }

  private static String pairs(RepairCost cost) {
    String which =
        cost.isSampled()
            ? cost.repairs().size() + cost.fatal() + " of " + cost.patterns()
            : "all " + cost.patterns();
    return which + (cost.fatal() == 0 ? "" : ", " + cost.fatal() + " fatal");
  }
}
