package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.braid.cli.BaseCommand;
import org.braid.cli.ExitStatus;
import org.braid.cli.Outcome;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.code.CodeFamily;
import org.braid.code.Codes;
import picocli.CommandLine.Command;

@Command(
    name = "list",
    description = "Lists the families of codes.",
    footer = {"", "Example: all families", "  braid codes list"})
final class ListCommand extends BaseCommand {
  @Override
  protected Outcome perform() {
    ObjectNode object = Json.object();
    ArrayNode families = object.putArray("families");
    var table = new TextTable("name", "example", "what it is");
    for (CodeFamily family : Codes.families()) {
      families
          .addObject()
          .put("pattern", family.pattern())
          .put("description", family.description())
          .put("example", family.example());
      table.row(family.pattern(), family.example(), family.description());
    }
    return new Outcome(ExitStatus.DONE, object, table.lines());
  }
}
