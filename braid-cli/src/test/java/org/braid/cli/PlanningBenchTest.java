package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.command.ExitStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The bench of planning at a size that measures nothing but that it works. */
@Tag("cluster")
final class PlanningBenchTest {
  private static Run run(String... more) {
    List<String> words = new ArrayList<>(List.of("bench", "planning", "--in-process"));
    words.addAll(List.of(more));
    return Run.of(new FakeCluster(), words.toArray(String[]::new));
  }

  @Test
  void everyFigureIsThereAndNoGoalIsJudgedOnASmallCluster() throws Exception {
    Run run =
        run(
            "--racks",
            "4",
            "--nodes-per-rack",
            "5",
            "--blocks",
            "500",
            "--runs",
            "1",
            "--seconds",
            "0.02",
            "--seed",
            "7",
            "--json");
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    JsonNode object = run.json();
    assertTrue(object.get("ok").booleanValue());
    assertEquals(7, object.get("seed").longValue());
    assertTrue(object.get("machine").get("cores").intValue() > 0);
    JsonNode rows = object.get("rows");
    assertEquals(2 * 4 + 3, rows.size());
    for (JsonNode row : rows) {
      assertTrue(row.get("median").doubleValue() > 0, row.toString());
      assertTrue(row.get("low").doubleValue() <= row.get("high").doubleValue(), row.toString());
      assertEquals(1, row.get("runs").intValue(), row.toString());
      assertEquals("-", row.get("reached").textValue(), row.toString());
    }
    assertEquals("189", rows.get(0).get("paper").textValue());
    assertEquals("115", rows.get(7).get("paper").textValue());
    assertEquals("targets of a block, HDFS default", rows.get(8).get("what").textValue());
    assertTrue(rows.get(10).get("peak_bytes").longValue() > 0, rows.toString());
  }

  @Test
  void wrongSizesAreRefused() {
    Run few = run("--racks", "3", "--nodes-per-rack", "5");
    assertEquals(ExitStatus.USAGE, few.status());
    assertTrue(few.err().contains("15 nodes do not hold a stripe of rs-12-4"), few.err());
    Run never = run("--seconds", "0");
    assertEquals(ExitStatus.USAGE, never.status());
    assertTrue(never.err().contains("--seconds 0.0 is not above 0"), never.err());
  }
}
