package org.braid.cli.place;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.placement.replication.ReplicationPolicies;
import org.braid.placement.site.SitePolicies;
import picocli.CommandLine.Command;

@Command(
    name = "list",
    description = "Lists the placement policies.",
    footer = {"", "Example:", "  braid place list"})
final class ListCommand extends BaseCommand {
  @Override
  protected CommandResult perform() {
    TextTable table = new TextTable("policy", "for", "what it does", "source");
    ObjectNode object = Json.object();
    ArrayNode policies = object.putArray("policies");
    ReplicationPolicies.all()
        .forEach(p -> add(table, policies, p.name(), "replicas", p.description(), p.source()));
    SitePolicies.all()
        .forEach(p -> add(table, policies, p.name(), "sites", p.description(), p.source()));
    return new CommandResult(ExitStatus.DONE, object, table.lines());
  }

  private static void add(TextTable table, ArrayNode policies, String... cells) {
    table.row((Object[]) cells);
    policies
        .addObject()
        .put("name", cells[0])
        .put("for", cells[1])
        .put("description", cells[2])
        .put("source", cells[3]);
  }
}
