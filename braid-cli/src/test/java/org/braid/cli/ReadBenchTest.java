package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;
import org.braid.cli.command.ExitStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The bench of reading at a size that measures nothing but that it works. */
@Tag("cluster")
final class ReadBenchTest {
  private static Run run(String... more) {
    String[] words = new String[more.length + 2];
    words[0] = "bench";
    words[1] = "read";
    System.arraycopy(more, 0, words, 2, more.length);
    return Run.of(new FakeCluster(), words);
  }

  @Test
  void everyReaderGetsTheBytesThatWereWritten() throws Exception {
    Run run =
        run("--size", "7000001", "--block-size", "1m", "--rate", "0", "--runs", "1", "--json");
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    JsonNode object = run.json();
    assertTrue(object.get("ok").booleanValue());
    List<String> readers =
        StreamSupport.stream(object.get("rows").spliterator(), false)
            .map(row -> row.get("what").textValue())
            .toList();
    assertEquals(7, readers.size(), readers.toString());
    for (JsonNode row : object.get("rows")) {
      assertTrue(row.get("exact").booleanValue(), row.toString());
      assertTrue(row.get("mib_per_second").doubleValue() > 0, row.toString());
      assertEquals(1, row.get("seconds").size(), row.toString());
    }
  }

  @Test
  void eachIsReadEncryptedBesideItself() throws Exception {
    Run run =
        run(
            "--size",
            "3000001",
            "--block-size",
            "1m",
            "--rate",
            "0",
            "--runs",
            "1",
            "--encrypted",
            "--json");
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    JsonNode rows = run.json().get("rows");
    assertEquals(14, rows.size());
    for (int i = 0; i < rows.size(); i++) {
      assertEquals(i % 2 == 1, rows.get(i).get("encrypted").booleanValue());
      assertEquals(rows.get(i - i % 2).get("what"), rows.get(i).get("what"));
      assertTrue(rows.get(i).get("exact").booleanValue(), rows.get(i).toString());
    }
  }

  @Test
  void wrongSizesAreRefused() {
    Run odd = run("--block-size", "1000k");
    assertEquals(ExitStatus.USAGE, odd.status());
    assertTrue(odd.err().contains("blocks a multiple of 1 MiB"), odd.err());
    Run huge = run("--block-size", "4g");
    assertEquals(ExitStatus.USAGE, huge.status());
    Run rate = run("--rate", "fast");
    assertEquals(ExitStatus.USAGE, rate.status());
    assertTrue(rate.err().contains("fast"), rate.err());
  }
}
