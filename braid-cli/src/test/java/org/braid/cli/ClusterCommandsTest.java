package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.Braid;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs.Client;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a running cluster that is named by {@code -fs}. */
@Tag("cluster")
final class ClusterCommandsTest {
  @TempDir Path directory;

  private static Run run(EmbeddedHdfs hdfs, String... command) {
    List<String> args = new ArrayList<>(List.of(command));
    args.add("-fs=" + hdfs.connection().fileSystem().orElseThrow());
    args.add("--json");
    return Run.of(Braid::connect, args.toArray(String[]::new));
  }

  private static JsonNode done(Run run) throws Exception {
    assertEquals(0, run.status(), run.out() + run.err());
    assertEquals("", run.err());
    return run.json();
  }

  /** A coordinator's process, which SIGTERM must end as if its work was done. */
  private static Process coordinator(EmbeddedHdfs hdfs, Path out, Path err) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            Main.class.getName(),
            "coordinator",
            "-fs=" + hdfs.connection().fileSystem().orElseThrow(),
            "--interval=1",
            "--json")
        .redirectOutput(out.toFile())
        .redirectError(err.toFile())
        .start();
  }

  private static void await(Path file, String text) throws IOException {
    Await.until(text, () -> Files.readString(file), said -> said.contains(text));
  }

  @Test
  void theCoordinatorGivesWayAndEndsCleanly() throws Exception {
    var settings = new EmbeddedSettings(3, 7, 65536, directory.resolve("watched"), Map.of());
    Path out = directory.resolve("coordinator.out");
    Path err = directory.resolve("coordinator.err");
    try (EmbeddedHdfs hdfs = EmbeddedHdfs.start(settings)) {
      Process process = coordinator(hdfs, out, err);
      try {
        await(err, " watching");
        hdfs.makeDirectory("/e", Optional.empty());
        done(run(hdfs, "convert", "--code", "rs-3-2", "/e"));
        await(err, " giving way");
        process.destroy();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), Files.readString(err));
        JsonNode report = new ObjectMapper().readTree(Files.readString(out));
        assertTrue(report.get("ok").booleanValue(), report.toString());
        assertEquals(1, report.get("hand_overs").intValue());
        // Its lease is given back, not left to expire.
        JsonNode status = done(run(hdfs, "status"));
        assertEquals("", status.at("/coordination/coordinator").textValue(), status.toString());
        done(run(hdfs, "repair"));
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void commandsWorkTogether() throws Exception {
    Random random = Seeds.random(ClusterCommandsTest.class);
    byte[] content = new byte[400_000 + random.nextInt(50_000)];
    random.nextBytes(content);
    Path local = Files.write(directory.resolve("local"), content);
    var settings = new EmbeddedSettings(3, 7, 65536, directory.resolve("hdfs"), Map.of());
    try (EmbeddedHdfs hdfs = EmbeddedHdfs.start(settings)) {
      hdfs.makeDirectory("/d", Optional.empty());
      String sha256 = hdfs.write(local, "/d/f", 3);
      Run missing = run(hdfs, "convert", "--code", "rs-3-2", "/none");
      assertEquals(1, missing.status(), missing.err());
      assertEquals(1, missing.err().lines().count(), missing.err());
      assertTrue(missing.err().contains("/none"), missing.err());
      Run large = run(hdfs, "convert", "--code", "rs-10-4", "/d");
      assertEquals(3, large.status(), large.err());
      assertTrue(large.err().contains("14") && large.err().contains("7"), large.err());

      Run copies = run(hdfs, "convert", "--code", "rs-3-2", "--parity-copies", "2", "/d");
      assertEquals(3, copies.status(), copies.err());
      assertTrue(copies.err().contains("rs-3-2, parity x2"), copies.err());

      JsonNode converted = done(run(hdfs, "convert", "--code", "rs-3-2", "/d"));
      assertEquals(1, converted.get("parity_copies").intValue());
      assertEquals(7, converted.get("data_blocks").intValue());
      assertEquals(3, converted.get("stripes").intValue());
      JsonNode again = done(run(hdfs, "convert", "--code", "rs-3-2", "/d"));
      assertTrue(again.get("files").get(0).get("already").booleanValue(), again.toString());
      JsonNode status = done(run(hdfs, "status", "/d"));
      assertEquals(1, status.get("files").get("converted").intValue());
      assertEquals(7, status.get("nodes").size());

      hdfs.stopNode(0);
      hdfs.stopNode(1);
      JsonNode repaired = done(run(hdfs, "repair", "--shape", "ppr"));
      assertTrue(repaired.get("repaired").size() > 0, repaired.toString());
      assertEquals(sha256, hdfs.read("/d/f", Client.PLAIN).sha256());
      hdfs.startNode(0);
      hdfs.startNode(1);

      JsonNode restored = done(run(hdfs, "restore", "/d"));
      assertEquals(3, restored.get("files").get(0).get("replication").intValue());
      assertEquals(3, restored.get("parity_files_deleted").intValue());
      JsonNode fsck = done(run(hdfs, "fsck", "/"));
      assertEquals(0, fsck.get("counts").get("lost").intValue());
      assertEquals(0, fsck.get("counts").get("degraded").intValue(), fsck.toString());
      assertEquals(0, fsck.get("orphans").size());
      assertEquals(sha256, hdfs.read("/d/f", Client.PLAIN).sha256());
    }
  }
}
