package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole demo on small files; the cluster, the codes and the repairs are the real ones. */
@Tag("cluster")
final class DemoCommandTest {
  private static final List<String> KEYS =
      List.of("ok", "code", "files", "storage", "conversion", "repairs", "report");

  @TempDir Path directory;

  private static void write(Path file, int bytes, Random random) throws IOException {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    Files.write(file, content);
  }

  private Run demo(String... more) {
    List<String> args = new ArrayList<>(List.of("demo", "--json", "--dir", directory.toString()));
    args.addAll(List.of(more));
    return Run.of(c -> failing(), args.toArray(String[]::new));
  }

  private static org.braid.hdfs.api.Cluster failing() throws IOException {
    throw new IOException("a demo has its own cluster");
  }

  @Test
  void everythingHoldsOnSmallFiles() throws Exception {
    Random random = Seeds.random(DemoCommandTest.class);
    Path inputs = Files.createDirectories(directory.resolve("in"));
    write(inputs.resolve("a"), 3_000_001, random);
    write(inputs.resolve("b & <b>"), 200_000 + random.nextInt(100_000), random);
    Files.createFile(inputs.resolve("empty"));
    Path page = directory.resolve("report.html");
    Run run =
        demo(
            "--code",
            "rs-3-2",
            "--racks",
            "4",
            "--nodes",
            "9",
            "--block-size",
            "64k",
            "--slice",
            "16k",
            "--report",
            page.toString(),
            inputs.toString());
    assertEquals(0, run.status(), run.out() + run.err());
    assertEquals("", run.err());
    JsonNode json = run.json();
    KEYS.forEach(key -> assertTrue(json.has(key), key));
    assertTrue(json.get("ok").booleanValue());
    assertEquals(6, json.get("files").size());
    for (JsonNode file : json.get("files")) {
      String name = file.get("path").textValue().replaceAll(".*/", "");
      byte[] content = Files.readAllBytes(inputs.resolve(name));
      assertEquals(content.length, file.get("bytes").longValue());
      assertEquals(
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)),
          file.get("sha256").textValue());
    }
    assertEquals(2, json.get("skipped").size());
    assertTrue(json.get("skipped").get(0).get("path").textValue().endsWith("/empty"));
    checkConversion(json);
    checkRepairs(json);
    assertEquals(page.toString(), json.get("report").textValue());
    assertTrue(Files.readString(page).contains("b &amp; &lt;b&gt;"));
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(
          List.of("in", "report.html"),
          left.map(p -> p.getFileName().toString()).sorted().toList());
    }
  }

  private static void checkConversion(JsonNode json) {
    long before = json.get("storage").get("before").longValue();
    long after = json.get("storage").get("after").longValue();
    assertTrue(after < 0.65 * before, after + " of " + before);
    JsonNode ear = json.get("conversion").get(0);
    JsonNode random = json.get("conversion").get(1);
    assertEquals("ear", ear.get("placement").textValue());
    assertEquals(0, ear.get("cross_rack_data_blocks").intValue());
    assertEquals(0, ear.get("relocated_blocks").intValue());
    assertEquals("random", random.get("placement").textValue());
    assertTrue(random.get("cross_rack_data_blocks").intValue() > 0);
    assertEquals(1.5, random.get("predicted_per_stripe").doubleValue());
    for (String key : List.of("cross_rack_bytes", "in_rack_bytes", "seconds")) {
      assertTrue(random.has(key), key);
    }
  }

  private static void checkRepairs(JsonNode json) {
    List<String> shapes = new ArrayList<>();
    for (JsonNode repair : json.get("repairs")) {
      shapes.add(repair.get("shape").textValue());
      assertTrue(repair.get("lost").intValue() > 0, repair.toString());
      long moved =
          repair.get("cross_rack_bytes").longValue() + repair.get("in_rack_bytes").longValue();
      assertTrue(moved > 0);
      // One block from each of the three helpers of a lost one, whatever the shape.
      assertTrue(moved <= 3L * repair.get("lost").intValue() * (64 << 10), repair.toString());
      assertTrue(repair.get("busiest_link_bytes").longValue() > 0);
    }
    assertEquals(List.of("chain", "ppr", "star", "chain", "chain"), shapes);
  }

  @Test
  void refusesBeforeAnythingStarts() throws Exception {
    Run few = demo("--code", "rs-10-4", "--racks", "6", "--nodes", "6");
    assertEquals(3, few.status());
    assertTrue(few.err().startsWith("braid: rs-10-4 needs 14 "), few.err());
    assertFalse(few.json().get("ok").booleanValue());
    Run missing = demo(directory.resolve("none").toString());
    assertEquals(1, missing.status());
    assertTrue(missing.err().startsWith("braid: no such file: "), missing.err());
    Run report = demo("--report", directory.toString());
    assertEquals(1, report.status());
    assertTrue(report.err().startsWith("braid: the report cannot be written to "), report.err());
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(0, left.count());
    }
  }
}
