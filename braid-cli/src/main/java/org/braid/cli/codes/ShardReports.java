package org.braid.cli.codes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.shard.decode.DecodeReport;
import org.braid.shard.encode.EncodeReport;
import org.braid.shard.report.ShardReport;
import org.braid.shard.report.ShardState;
import org.braid.shard.report.UnusedFile;

/** Writes reports on shards as JSON objects and as lines. */
final class ShardReports {
  private ShardReports() {}

  static ObjectNode json(EncodeReport report) {
    ObjectNode object = Json.object().put("ok", true);
    object.put("code", report.code()).put("set", report.set());
    file(object, report.file(), report.bytes(), report.sha256());
    object.put("directory", report.directory()).put("cell", report.cell());
    shards(object, report.shards());
    return object.put("bytes_written", report.bytesWritten());
  }

  static ObjectNode json(DecodeReport report) {
    ObjectNode object = Json.object().put("ok", report.problem().isEmpty());
    report.problem().ifPresent(problem -> object.put("error", problem));
    report
        .set()
        .ifPresent(
            set -> {
              object.put("code", set.code()).put("set", set.id()).put("name", set.name());
              object.put("bytes", set.bytes()).put("sha256", set.sha256());
            });
    ArrayNode files = object.putArray("files");
    report
        .set()
        .ifPresent(
            set -> report.out().ifPresent(out -> add(files, out, set.bytes(), set.sha256())));
    shards(object, report.shards());
    ArrayNode others = object.putArray("others");
    for (UnusedFile other : report.others()) {
      others
          .addObject()
          .put("path", other.path())
          .put("state", other.state().name())
          .put("why", other.why());
    }
    object.put("repaired", report.count(ShardState.REPAIRED));
    object.put("bytes_read", report.bytesRead());
    return object.put("bytes_written", report.bytesWritten());
  }

  private static void file(ObjectNode object, String path, long bytes, String sha256) {
    object.put("bytes", bytes).put("sha256", sha256);
    add(object.putArray("files"), path, bytes, sha256);
  }

  private static void add(ArrayNode files, String path, long bytes, String sha256) {
    files.addObject().put("path", path).put("bytes", bytes).put("sha256", sha256);
  }

  private static void shards(ObjectNode object, List<ShardReport> shards) {
    ArrayNode array = object.putArray("shards");
    for (ShardReport shard : shards) {
      ObjectNode one = array.addObject().put("index", shard.index());
      shard.rack().ifPresentOrElse(rack -> one.put("rack", rack), () -> one.putNull("rack"));
      one.put("path", shard.path());
      one.put("state", shard.state().name()).put("why", shard.why());
    }
  }

  static List<String> lines(DecodeReport report, double seconds) {
    List<String> lines = new ArrayList<>();
    report
        .set()
        .ifPresent(
            set -> {
              report
                  .out()
                  .ifPresent(
                      out ->
                          lines.add(
                              "%s restored from %s, set %s: %s, SHA-256 %s"
                                  .formatted(
                                      out,
                                      set.code(),
                                      set.id().substring(0, 8),
                                      Sizes.format(set.bytes()),
                                      set.sha256())));
              lines.add(
                  "%s read, %s written, %s repaired in %s"
                      .formatted(
                          Sizes.format(report.bytesRead()),
                          Sizes.format(report.bytesWritten()),
                          Sizes.count(report.count(ShardState.REPAIRED), "shard"),
                          Sizes.seconds(seconds)));
            });
    var table = new TextTable(">shard", "path", "state", "why");
    for (ShardReport shard : report.shards()) {
      if (shard.state() != ShardState.OK && shard.state() != ShardState.UNREAD) {
        table.row(shard.index(), shard.path(), shard.state(), shard.why());
      }
    }
    report.others().forEach(o -> table.row("-", o.path(), o.state(), o.why()));
    if (!table.rows().isEmpty()) {
      lines.addAll(table.lines());
    }
    return lines;
  }
}
