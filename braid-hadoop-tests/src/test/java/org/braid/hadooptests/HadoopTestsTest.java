package org.braid.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program, and with it a sample of Hadoop's tests. */
final class HadoopTestsTest {
  private static final String PACKAGE = "org.apache.hadoop.hdfs.";

  @TempDir private Path directory;
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  @Test
  void classesAreListed() {
    assertEquals(0, run("--list", "TestDFSMkdirs", "org.apache.hadoop.hdfs.TestQuot*"));
    assertEquals(
        List.of(PACKAGE + "TestDFSMkdirs", PACKAGE + "TestQuota", PACKAGE + "TestQuotaAllowOwner"),
        output.toString(StandardCharsets.UTF_8).lines().toList());
  }

  @Test
  void allClassesAreMany() {
    assertEquals(0, run("--list"));
    long classes = output.toString(StandardCharsets.UTF_8).lines().count();
    assertTrue(classes > 700, classes + " classes");
  }

  @Test
  void unknownClassIsNamed() {
    assertEquals(2, run("TestNothingAtAll"));
    assertEquals(
        "hadoop-tests: no class of Hadoop's tests is named TestNothingAtAll; --list names them",
        errors());
  }

  @Test
  void classesAreWanted() {
    assertEquals(2, run());
    assertEquals(
        "hadoop-tests: name classes of Hadoop's tests, or all; --list names them", errors());
  }

  @Test
  void numbersHaveBounds() {
    assertEquals(2, run("--jobs", "0", "TestQuota"));
    assertEquals(
        "hadoop-tests: --jobs and --timeout are at least 1, --repeat at least 0", errors());
  }

  @Test
  void pageThatClassesAreMissingOnIsWanted() {
    assertEquals(2, run("--missing", "TestQuota"));
    assertEquals("hadoop-tests: --missing wants the --page that classes are missing on", errors());
  }

  @Test
  void resultsOfThePageStayWithoutRunningThemAgain() throws Exception {
    Path page = directory.resolve("page.md");
    String row = "| hdfs.TestQuota | 23 / 0 / 0 / 0 | 33 | 22 / 0 / 1 / 0 | 32 | c0ffee |";
    Files.writeString(page, row + "\n");
    assertEquals(0, run("--page", "" + page, "--missing", "TestQuota"), this::errors);
    assertTrue(Files.readString(page).contains("\n" + row + "\n"), Files.readString(page));
    assertEquals("", errors());
  }

  @Test
  void fileIsNoDirectoryForResults() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertEquals(2, HadoopTests.run(to(output), to(errors), "--results", "" + file, "TestQuota"));
    assertEquals("hadoop-tests: " + file + " is no directory for results", errors());
  }

  /** The classes are quick, and use what Braid extends: both clients, appends, dropped replicas. */
  @Tag("cluster")
  @Test
  void sampleHasNoDifferences() throws Exception {
    List<String> sample =
        List.of("TestHDFSContractAppend", "TestFcHdfsCreateMkdir", "TestSetrepDecreasing");
    Path page = directory.resolve("page.md");
    String earlier = "| hdfs.TestQuota | 23 / 0 / 0 / 0 | 33 | 23 / 0 / 0 / 0 | 32 |  |";
    Files.writeString(page, earlier + "\n");
    List<String> arguments = new ArrayList<>(List.of("--jobs", "4", "--json", "--page", "" + page));
    arguments.addAll(sample);
    assertEquals(0, run(arguments.toArray(String[]::new)), () -> errors() + output);
    JsonNode json = new ObjectMapper().readTree(output.toString(StandardCharsets.UTF_8));
    assertTrue(json.get("ok").asBoolean());
    assertEquals(sample.size() + 1, json.get("classes").size());
    for (JsonNode each : json.get("classes")) {
      assertTrue(each.get("braid").get("passed").asInt() > 0, each::toString);
    }
    assertTrue(Files.readString(page).contains("\n| hdfs.TestSetrepDecreasing | "));
    assertTrue(Files.readString(page).contains(earlier));
  }

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--results", directory.resolve("r").toString()));
    all.addAll(List.of(arguments));
    return HadoopTests.run(to(output), to(errors), all.toArray(String[]::new));
  }

  private static PrintStream to(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private String errors() {
    return errors.toString(StandardCharsets.UTF_8).strip();
  }
}
