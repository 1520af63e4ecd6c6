package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.braid.cli.command.Termination;
import org.braid.hdfs.policy.KnownReads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that imports reads, without a cluster. */
final class ImportReadsCommandTest {
  private static final String REPORT =
      """
      2 reads: recorded on 1 file of 100, 2 known already
        1 read of files that are not followed
      reads are known from audit logs, of /logs/** from 2026-01-10T09:00:00Z to 2026-01-10T10:30:00Z
      """;

  @TempDir private Path directory;
  private final FakeCluster cluster = new FakeCluster();

  @BeforeEach
  void policies() {
    cluster.policies.reads = KnownReads.NONE;
    Run.of(
        cluster,
        "policy add convert cold --path /logs/** --unread-for 30d --code rs-6-3".split(" "));
  }

  private Run run(String... more) {
    String[] line = new String[2 + more.length];
    line[0] = "policy";
    line[1] = "import-reads";
    System.arraycopy(more, 0, line, 2, more.length);
    return Run.of(cluster, line);
  }

  private static String open(String time, String path) {
    return "%s,000 INFO FSNamesystem.audit: allowed=true\tugi=ann\tip=/1.2.3.4\tcmd=open\tsrc=%s\tdst=null\tperm=null\tproto=rpc\n"
        .formatted(time, path);
  }

  private Path log(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    try (OutputStream out =
        name.endsWith(".gz")
            ? new GZIPOutputStream(Files.newOutputStream(file))
            : Files.newOutputStream(file)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  private Path log() throws IOException {
    return log(
        "audit.log", open("2026-01-10 10:00:00", "/logs/a") + open("2026-01-10 11:30:00", "/x"));
  }

  @Test
  void logsOfTheirTimeZoneAreImported() throws Exception {
    Run run = run(log().toString(), "--zone", "Europe/Berlin");
    assertEquals(0, run.status(), run.err());
    assertEquals(REPORT, run.out());
    assertEquals("", run.err());
    Run compressed =
        run(
            log("a.gz", Files.readString(log())).toString(),
            log().toString(),
            "--zone",
            "Europe/Berlin",
            "--json");
    JsonNode json = compressed.json();
    assertEquals(4, json.get("lines").intValue());
    assertEquals(4, json.get("opens").intValue());
    assertEquals(2, json.get("other_opens").intValue());
    assertEquals(0, json.get("gaps").size());
    assertEquals("audit_logs", json.get("reads").get("source").asText());
    assertEquals("2026-01-10T10:30:00Z", json.get("reads").get("until").asText());
    assertEquals("2026-01-10T09:00:00Z", json.get("reads").get("since").get("/logs/**").asText());
    assertTrue(json.get("ok").booleanValue());
  }

  @Test
  void standardInputIsALogAndADryRunChangesNothing() throws Exception {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(Files.readAllBytes(log())));
    try {
      Run run = run("-", "--zone", "Europe/Berlin", "--dry-run", "--all");
      assertEquals(0, run.status(), run.err());
      assertEquals(
          """
          2 reads: would be recorded on 2 files of 100, 2 known already; nothing is changed
          reads are known from audit logs, of / from 2026-01-10T09:00:00Z to 2026-01-10T10:30:00Z
          """,
          run.out());
      assertEquals(KnownReads.NONE, cluster.policies.reads);
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void onlyAnImportThatRecordsReadsSaysThatItGoesOnFromHere() throws Exception {
    List<Thread> hooks = new ArrayList<>();
    Termination termination = new Termination(hooks::add);
    String log = log().toString();
    Run dry = Run.of(cluster, termination, "policy", "import-reads", "--dry-run", log);
    assertEquals(0, dry.status(), dry.err());
    assertEquals(List.of(), hooks);
    Run run = Run.of(cluster, termination, "policy", "import-reads", log);
    assertEquals(0, run.status(), run.err());
    assertEquals(1, hooks.size());
  }

  @Test
  void gapsUnreadableLinesAndFailuresAreNamed() throws Exception {
    String text =
        "torn\n"
            + open("2026-01-01 10:00:00", "/logs/full")
            + open("2026-01-02 10:00:00", "/logs/b");
    Run run = run(log("b.log", text).toString(), "--zone", "UTC");
    String out = run.out();
    assertTrue(out.contains("  1 line not readable:\n    "), out);
    assertTrue(out.contains("b.log, line 1: it has no allowed="), out);
    assertTrue(
        out.contains("  not recorded on 1 file:\n    /logs/full: it has too many attributes"), out);
    assertTrue(
        out.contains(
            "no log of 2026-01-01T10:00:00Z to 2026-01-02T10:00:00Z: reads are known anew behind it"),
        out);
    // Its file would seem unread.
    assertEquals(1, run.status(), out);
    assertEquals(KnownReads.NONE, cluster.policies.reads);
    assertTrue(out.contains("nothing more is known than before: remove what HDFS refuses"), out);
    assertTrue(out.contains("reads are not known: "), out);
    Run json = run(log("b.log", text).toString(), "--zone", "UTC", "--json");
    assertEquals(1, json.status());
    assertFalse(json.json().get("ok").booleanValue());
    assertEquals("unknown", json.json().get("reads").get("source").asText());
    text = text.replace("full", "a");
    String whole = run(log("b.log", text).toString(), "--zone", "UTC", "--gap", "24h").out();
    assertTrue(whole.contains("from 2026-01-01T10:00:00Z to 2026-01-02T10:00:00Z"), whole);
  }

  @Test
  void commandsSayFromWhereReadsAreKnown() throws Exception {
    for (String line : List.of("policy list", "policy show cold", "policy explain /logs/a")) {
      String out = Run.of(cluster, line.split(" ")).out();
      assertTrue(out.contains("reads are not known: dfs.namenode.accesstime.precision of"), out);
      JsonNode json = Run.of(cluster, (line + " --json").split(" ")).json().get("reads");
      assertEquals("unknown", json.get("source").asText());
      assertTrue(json.get("until").isNull());
      assertTrue(json.get("sentence").asText().startsWith("reads are not known"));
    }
    String added =
        Run.of(cluster, "policy add leave keep --path /logs/x --read-within 9d --first".split(" "))
            .out();
    assertTrue(added.contains("policy keep is added (change 2)\nreads are not known"), added);
    run(log().toString(), "--zone", "UTC");
    String shown = Run.of(cluster, "policy", "show", "cold").out();
    assertTrue(
        shown.contains("reads are known from audit logs, from 2026-01-10T10:00:00Z to 2026"),
        shown);
    cluster.policies.reads = KnownReads.HDFS;
    String listed = Run.of(cluster, "policy", "list").out();
    assertTrue(listed.contains("reads are known from HDFS's access times"), listed);
  }

  @Test
  void whatCannotBeImportedIsRefusedInALine() throws Exception {
    assertRefused(2, "Missing required parameter: 'AUDIT-LOG'");
    assertRefused(1, "no such file: ", directory.resolve("missing").toString());
    assertRefused(2, "zone: \"Mars\" is not known", log().toString(), "--zone", "Mars");
    assertRefused(2, "--gap: at least 1m is needed", log().toString(), "--gap", "1s");
    assertEquals(1, cluster.connections.size(), "only the command that added the policy connects");
    assertRefused(1, "cannot be read, nothing is imported: ", directory.toString());
    assertRefused(3, "no line of an audit log is there", log("empty", "").toString());
    assertRefused(3, "the first: ", log("other", "text\n").toString());
    Path torn = log("torn.gz", "x".repeat(1000));
    byte[] bytes = Files.readAllBytes(torn);
    Files.write(torn, Arrays.copyOf(bytes, bytes.length - 9));
    assertRefused(1, "torn.gz cannot be read, nothing is imported", torn.toString());
    Path renamed = directory.resolve("audit.log.GZ");
    Files.copy(log(), renamed);
    assertRefused(
        1,
        "audit.log.GZ cannot be read, nothing is imported: it is no gzip file",
        renamed.toString());
    assertNull(cluster.policies.imported);
    cluster.policies.reads = KnownReads.HDFS; // the log is not looked at then
    assertRefused(3, "HDFS records reads itself", torn.toString());
    cluster.policies.reads = KnownReads.NONE;
    Run.of(cluster, "policy", "remove", "cold");
    assertRefused(3, "no policy asks when files were read: add it first", log().toString());
  }

  private void assertRefused(int status, String why, String... line) {
    Run run = run(line);
    assertEquals(status, run.status(), run.err());
    assertTrue(run.err().contains(why), run.err());
    assertEquals(1, run.err().strip().lines().count(), run.err());
  }
}
