package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import org.braid.cli.command.ExitStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The bench of a NameNode at a size that measures nothing but that it works. */
@Tag("cluster")
@Tag("slow")
final class NameNodeBenchTest {
  @Test
  void everyFigureIsMeasured() throws Exception {
    Run run =
        Run.of(
            new FakeCluster(),
            "bench",
            "namenode",
            "--stripes",
            "50",
            "--code",
            "rs-2-1",
            "--json");
    JsonNode object = run.json();
    assertEquals(object.get("ok").booleanValue(), run.status() == ExitStatus.DONE, run.err());
    Map<String, JsonNode> rows = new TreeMap<>();
    object.get("rows").forEach(row -> rows.put(row.get("name").textValue(), row));
    assertEquals(35, rows.size(), rows.keySet().toString());
    for (JsonNode row : rows.values()) {
      assertEquals(row.has("goal"), row.has("held"), row.toString());
      boolean heap = row.get("unit").textValue().equals("B/stripe");
      assertEquals(!heap, row.has("braid") || row.has("plain"), row.toString());
    }
    assertTrue(rows.get("start-up").get("plain").doubleValue() > 0);
    assertTrue(rows.get("all its holds in this run").get("remark").textValue().endsWith(" holds"));
    for (String row :
        new String[] {
          "status",
          "fsck, each stripe",
          "dry run of a conversion of all files",
          "create and addBlock beside a user who asks without end",
          "a silent node's first stripes",
          "a directory of 1000 files deleted",
          "a converted file renamed and back",
          "create, addBlock and delete",
          "index after changes elsewhere, in all directories",
          "longest hold, listing files",
          "longest hold, listing lost blocks"
        }) {
      assertTrue(rows.get(row).get("braid").doubleValue() > 0, row);
    }
  }

  @Test
  void wrongSizesAreRefused() {
    Run code = Run.of(new FakeCluster(), "bench", "namenode", "--code", "rs-0-0");
    assertEquals(ExitStatus.USAGE, code.status(), code.err());
    Run none = Run.of(new FakeCluster(), "bench", "namenode", "--stripes", "0");
    assertEquals(ExitStatus.USAGE, none.status(), none.err());
    Run most = Run.of(new FakeCluster(), "bench", "namenode", "--stripes", "999999999");
    assertEquals(ExitStatus.REFUSED, most.status(), most.err());
    assertTrue(most.err().contains("999999999 stripes of rs-6-3 need a heap of "), most.err());
  }
}
