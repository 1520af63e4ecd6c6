package org.braid.cli.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.braid.cli.text.Json;

/** A report as one JSON object. */
public final class DemoJson {
  private DemoJson() {}

  /**
   * The object.
   *
   * @param page where the HTML report was written, empty when nowhere
   */
  public static ObjectNode of(DemoReport report, String page) {
    ObjectNode object = Json.object();
    DemoSettings settings = report.settings();
    object.put("ok", report.ok());
    object.put("code", settings.code().name());
    object.put("racks", settings.racks());
    object.put("nodes", settings.nodes());
    object.put("block_size", settings.blockSize());
    object.put("max_per_rack", report.perRack());
    object.put("slice", settings.slice());
    object.put("seed", settings.seed());
    ObjectNode machine = object.putObject("machine");
    report.machine().forEach(fact -> machine.put(fact.name(), fact.value()));
    add(object, "files", report.files());
    add(object, "skipped", report.skipped());
    object.set("storage", Json.of(report.storage()));
    add(object, "conversion", report.conversions());
    add(object, "repairs", report.repairs());
    add(object, "reads", report.reads());
    add(object, "checks", report.checks());
    object.put("seconds", report.seconds());
    object.put("report", page);
    return object;
  }

  private static void add(ObjectNode object, String key, List<? extends Record> rows) {
    ArrayNode array = object.putArray(key);
    rows.forEach(row -> array.add(Json.of(row)));
  }
}
