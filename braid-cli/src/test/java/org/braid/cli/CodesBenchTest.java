package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.command.Termination;
import org.braid.kernel.Kernels;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bench at a size that measures nothing but that it works. */
@Tag("slow")
final class CodesBenchTest {
  private static final List<String> SMOKE =
      List.of(
          "codes",
          "bench",
          "--sizes",
          "1k,5000",
          "--runs",
          "2",
          "--seconds",
          "0.00001",
          "--warmup",
          "0");

  private static Run run(String... more) {
    List<String> words = new ArrayList<>(SMOKE);
    words.addAll(List.of(more));
    return Run.of(new FakeCluster(), words.toArray(String[]::new));
  }

  @Test
  void theHeaderTellsWhatWasMeasuredOnAndHow() {
    Run run = run("--seed", "7", "rs-3-2");
    assertEquals(0, run.status(), run.err());
    assertEquals("", run.err());
    List<String> lines = run.out().lines().toList();
    assertTrue(lines.get(0).matches("cpu     .+, [0-9]+ cores?"), run.out());
    assertTrue(lines.get(2).matches("kernel  (isal|scalar) .*"), run.out());
    assertTrue(lines.get(3).contains("threads=1, seed=7"), run.out());
    assertTrue(run.out().contains("blocks of 1.0 KiB"), run.out());
    assertTrue(run.out().contains("blocks of 4.9 KiB"), run.out());
    assertTrue(run.out().contains("\nrs-3-2  encode"), run.out());
    assertTrue(run.out().contains("\nrs-3-2  decode 0,1"), run.out());
    assertTrue(run.out().contains("\n-       hop"), run.out());
  }

  /** All rows take minutes. */
  @Test
  void eachRowIsPrintedBeforeTheNextIsMeasured() {
    var printed = new StringBuilder();
    OutputStream unread =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int from, int count) throws IOException {
            String text = new String(bytes, from, count, StandardCharsets.UTF_8);
            printed.append(text);
            if (text.contains("rs-3-2  encode")) {
              throw new IOException("Broken pipe");
            }
          }
        };
    List<String> words = new ArrayList<>(SMOKE);
    words.add("rs-3-2");
    Main.run(
        words.toArray(String[]::new),
        unread,
        new ByteArrayOutputStream(),
        new FakeCluster(),
        Termination.ofCommand());
    assertTrue(printed.toString().contains("\nrs-3-2  encode"), printed.toString());
    assertFalse(printed.toString().contains("\nrs-3-2  decode"), printed.toString());
  }

  @Test
  void theObjectHasEveryNumber() throws Exception {
    JsonNode object = run("--json", "rs-3-2", "rs-4-2").json();
    assertTrue(object.get("ok").booleanValue());
    assertEquals(1, object.get("machine").get("threads").intValue());
    assertEquals(1, object.get("seed").longValue());
    JsonNode rows = object.get("rows");
    assertEquals(10, rows.size());
    JsonNode decode = rows.get(1);
    assertEquals("rs-3-2", decode.get("code").textValue());
    assertEquals("decode", decode.get("task").textValue());
    assertEquals(1024, decode.get("block_bytes").intValue());
    assertEquals(1, decode.get("lost").get(1).intValue());
    assertTrue(decode.get("speeds").get("hadoop").get("median").doubleValue() > 0);
    assertTrue(decode.get("ratios").get("hadoop").doubleValue() > 0);
    boolean isal = Kernels.active() != Kernels.scalar();
    assertEquals(isal, decode.get("speeds").has("raw"));
    assertEquals(isal, decode.get("ratios").has("scalar"));
    JsonNode hop = rows.get(4);
    assertEquals("hop", hop.get("task").textValue());
    assertTrue(hop.get("speeds").get("scalar").get("low").doubleValue() > 0);
    assertTrue(!hop.get("speeds").has("hadoop"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "codes bench foo-6-3|no code is named \"foo-6-3\"",
        "codes bench --sizes 1x|\"1x\" is not a size",
        "codes bench --sizes 1g|--sizes 1073741824 is above 268435456 bytes a block",
        "codes bench --runs 0|\"0\" is not a number of at least 1",
        "codes bench --warmup -1|--warmup -1.0 is not from 0 to 60",
        "codes bench --seconds 0|--seconds 0.0 is not above 0 and at most 60",
      })
  void wrongUsageIsOneLineAndStatusTwo(String line, String message) {
    Run run = Run.of(new FakeCluster(), line.split(" "));
    assertEquals(2, run.status(), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }
}
