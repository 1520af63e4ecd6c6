package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.code.CodeFamily;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.bound.Bound;
import org.braid.code.derive.Tolerance;
import picocli.CommandLine.Command;

@Command(
    name = "list",
    description = {
      "Lists the families of codes with an example of each, and the bounds on codes.",
      "Start here to learn the names of codes."
    },
    footer = {"", "Example: all families", "  braid codes list"})
final class CodesListCommand extends BaseCommand {
  @Override
  protected CommandResult perform() {
    ObjectNode object = Json.object();
    ArrayNode families = object.putArray("families");
    var table = new TextTable("names", "example", ">overhead", ">survives", "what it is", "from");
    for (CodeFamily family : Codes.families()) {
      ErasureCode example = Codes.named(family.example());
      Tolerance tolerance = Tolerance.of(example);
      ObjectNode node = families.addObject().put("pattern", family.pattern());
      node.put("description", family.description()).put("example", family.example());
      node.put("source", family.source());
      node.put("overhead", CodeProperties.overhead(example));
      node.set("tolerance", CodesJson.of(tolerance));
      table.row(
          family.pattern(),
          family.example(),
          CodeText.number(CodeProperties.overhead(example)),
          CodeProperties.cell(tolerance),
          family.description(),
          family.source());
    }
    List<String> lines = new ArrayList<>(table.lines());
    ArrayNode bounds = object.putArray("bounds");
    var limits = new TextTable("bound", "unit", "what it is", "proven in");
    for (Bound bound : Codes.bounds()) {
      ObjectNode node = bounds.addObject().put("name", bound.name());
      node.put("description", bound.description()).put("source", bound.source());
      node.put("unit", bound.quantity().unit());
      limits.row(bound.name(), bound.quantity().unit(), bound.description(), bound.source());
    }
    lines.add("");
    lines.addAll(limits.lines());
    return new CommandResult(ExitStatus.DONE, object, lines);
  }
}
