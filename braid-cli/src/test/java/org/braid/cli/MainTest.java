package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.braid.cli.command.Termination;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Group;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.WatchRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MainTest {
  private final FakeCluster cluster = new FakeCluster();

  private Run run(String... args) {
    return Run.of(cluster, args);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"demo", "convert", "restore", "status", "du", "fsck", "repair", "scrub", "daemon"})
  void helpShowsAnExampleAndTheExitStatuses(String command) {
    Run run = run(command, "--help");
    assertEquals(0, run.status());
    assertEquals("", run.err());
    assertTrue(run.out().contains("Example: "), run.out());
    assertTrue(run.out().contains("\n  braid " + command + " "), run.out());
    assertTrue(run.out().contains("3     refused, a promise could not be kept"), run.out());
    assertTrue(run.out().contains("130   stopped by Ctrl-C"), run.out());
  }

  @Test
  void versionNamesCommitHadoopAndKernel() {
    Run run = run("--version");
    assertEquals(0, run.status());
    List<String> lines = run.out().lines().toList();
    assertTrue(lines.get(0).matches("braid [0-9].*"), run.out());
    assertTrue(lines.get(1).matches("commit ([0-9a-f]{7,40}(-changed)?|unknown)"), run.out());
    assertEquals("Hadoop 3.5.0", lines.get(2));
    assertTrue(lines.get(3).matches("kernel (isal|scalar).*"), run.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "convert|Missing required parameter: 'PATH' (see braid convert --help)",
        "nothing|no command is named 'nothing' (see braid --help)",
        "convert --code foo-6-3 /x|no code is named \"foo-6-3\"; did you mean \"rs-6-3\"? braid",
        "convert --code rs-6 /x|\"rs-6\" is not a code: it has 1 parameter, not 2",
        "convert --slice 100 /x|\"100\" is not a multiple of 512 bytes, HDFS's checksum chunk",
        "convert --slice 1x /x|\"1x\" is not a size",
        "convert --parallel 0 /x|\"0\" is not a number of at least 1",
        "convert --parity-copies 0 /x|\"0\" is not a number of at least 1",
        "convert --parity-copies 4 /x|--parity-copies 4, needed are 1 to 3",
        "convert --placement best /x|--placement best is not known: racks, even or code-aware",
        "convert --encoder best /x|unknown encoder \"best\"; known: core-rack, random",
        "convert --paralel 4 /x|Unknown option: '--paralel'; did you mean \"--parallel\"? (see braid convert",
        "convrt --code rs-6-3 /x|no command is named 'convrt'; did you mean \"convert\"? (see braid --help)",
        "convert -n /x|Unknown option: '-n' (see braid convert --help)",
        "convert --skip /x|Unknown option: '--skip' (see braid convert --help)",
        "convert --fast /x|Unknown option: '--fast' (see braid convert --help)",
        "convrt /x|no command is named 'convrt'; did you mean \"convert\"? (see braid --help)",
        "convert relative|\"relative\" is not a path: write /DIR/FILE or hdfs://HOST:PORT/DIR/FILE",
        "convert hdfs://a:1/x hdfs://b:1/y|all paths must be on one file system",
        "repair --scheduler best|unknown repair scheduler \"best\"; known: arrival, mppr, together",
        "repair --delay 15|\"15\" is not a time: write a number with ms, s, m or h, as in 15m",
        "repair --per-node 0|\"0\" is not a number of at least 1",
        "repair --shape ring|unknown repair planner \"ring\"; known: star, ppr, chain, racktree, auto",
        "du --by user /|unknown distinction \"user\"; known: directory, owner",
        "du --by owner --depth 2 /|--depth is of directories: leave it out with --by owner",
        "du --depth -1 /|--depth -1: it is 0 or more",
        "du --depth x /|\"x\" is not a whole number (see braid du --help)",
        "-D status|Unknown option: '-D'; options come after the command, as in braid COMMAND -D (see",
        "-Da=b status|options come after the command, as in braid COMMAND -D (see braid --help)",
        "-fs hdfs://nn:8020 status|options come after the command, as in braid COMMAND -fs (see braid",
        "policy --all explain|options come after the command, as in braid policy COMMAND --all (see",
        "--nothing status|Unknown option: '--nothing' (see braid --help)",
        "status --every 5s /|--every is the time between the looks of --watch: name both",
        "fsck -D novalue /|should be in KEY=VALUE format but was novalue",
        "demo --nodes 3 --racks 4|3 nodes cannot fill 4 racks: give at least one node per rack",
        "demo --block-size 1000|--block-size 1000 is not a multiple of 512 bytes",
      })
  void wrongUsageIsOneLineAndStatusTwo(String line, String message) {
    Run run = run(line.split(" "));
    run.assertFailed(2, message);
    assertTrue(run.err().startsWith("braid: "), run.err());
    assertTrue(cluster.connections.isEmpty());
    assertTrue(cluster.requests.isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "convert /good|0",
        "convert /empty|0",
        "convert /mixed|0",
        "convert /partly|1",
        "convert /quota|1",
        "convert /quota /good|1",
        "convert /skipped|3",
        "convert /refused|3",
        "convert /misused|2",
        "convert /missing|1",
        "convert /failed|1",
        "restore /good|0",
        "restore /skipped|3",
        "restore /missing|1",
        "fsck /good|0",
        "fsck /lost|1",
        "repair /good|0",
        "repair /lost|1",
        "repair --dry-run|0",
        "repair --dry-run /lost|1",
        "repair --dry-run /missing|1",
        "scrub|0",
        "scrub --rate 100m /good|0",
        "scrub --rate 0 /good|0",
        "scrub /bad|1",
        "scrub /down|1",
        "scrub /stopped|1",
        "scrub /missing|1",
        "status|0",
        "du|0",
        "du --by owner /good|0",
        "du /missing|1",
      })
  void statusTellsHowItEnded(String line, int status) throws Exception {
    String[] args = line.split(" ");
    Run run = run(args);
    assertEquals(status, run.status(), run.err());
    assertTrue(run.err().lines().count() <= 1, run.err());
    String[] asJson = java.util.Arrays.copyOf(args, args.length + 1);
    asJson[args.length] = "--json";
    Run json = run(asJson);
    assertEquals(status, json.status());
    assertEquals(status == 0, json.json().get("ok").booleanValue());
    assertEquals(2, cluster.closed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/refused|braid: 9 nodes are needed, 6 are there",
        "/missing|braid: /missing does not exist",
        "/failed|braid: first line",
        "/broken|braid: internal error, IllegalStateException: first line",
      })
  void errorsAreOneLineWithoutATrace(String path, String message) {
    Run run = run("convert", path);
    assertEquals(message + System.lineSeparator(), run.err());
    assertEquals("", run.out());
    Run verbose = run("convert", path, "--verbose");
    assertTrue(verbose.err().contains("\tat org.braid.cli"), verbose.err());
  }

  @Test
  void anErrorIsAlsoOneObject() throws Exception {
    JsonNode error = run("fsck", "/failed", "--json").json();
    assertFalse(error.get("ok").booleanValue());
    assertEquals("first line", error.get("error").textValue());
    String usage = run("fsck", "x", "--json").json().get("error").textValue();
    assertTrue(usage.contains("\"x\" is not a path"), usage);
  }

  @Test
  void aLongReportIsWrittenWhole() throws Exception {
    JsonNode fsck = run("fsck", "/many", "--json").json();
    assertEquals(2500, fsck.get("files").size());
    assertEquals(2500, fsck.get("counts").get("repairable").intValue());
    for (JsonNode file : fsck.get("files")) {
      assertFalse(file.get("only_in_snapshots").booleanValue());
      assertEquals("blk_7", file.get("findings").get(0).get("name").textValue());
    }
    List<String> lines = run("fsck", "/many", "--list").out().lines().toList();
    assertEquals(2500, lines.stream().filter(line -> line.startsWith("/many/f ")).count());
  }

  @Test
  void aScrubSaysWhetherParityFits() throws Exception {
    String good = run("scrub", "/good").out();
    assertTrue(good.contains("2 stripes checked against their parity, which fits; 1 could"), good);
    String bad = run("scrub", "/bad").out();
    assertTrue(bad.contains(": 1 are bad"), bad);
    assertTrue(bad.contains("parity, 1 of them do not fit and are left as they are"), bad);
    assertTrue(bad.contains("1 no-home; HDFS serves them no more"), bad);
    assertTrue(bad.contains("parity block 4 is wrong"), bad);
    JsonNode parity = run("scrub", "/bad", "--json").json().get("parity");
    assertEquals(2, parity.get("checked").intValue());
    assertEquals(1, parity.get("unfit").intValue());
    assertEquals(1, parity.get("unchecked").intValue());
  }

  @Test
  void requestsCarryTheOptions() {
    run(
        "convert",
        "--code",
        "rs-10-4",
        "--max-per-rack",
        "2",
        "--encoder",
        "random",
        "--group",
        "retroactive",
        "--target-racks",
        "7",
        "--encode",
        "pipelined",
        "--homes",
        "random",
        "--parity-copies",
        "2",
        "--parallel",
        "7",
        "--slice",
        "64k",
        "--seed",
        "42",
        "/a",
        "/b");
    run(
        ("repair --shape ppr --slice 1k --parallel 2 --seed 5 --scheduler together --per-node 3"
                + " --per-uplink 9 --delay 15m --timeout 90s /c")
            .split(" "));
    run("repair");
    ConvertRequest convert = (ConvertRequest) cluster.requests.get(0);
    RepairRequest repair = (RepairRequest) cluster.requests.get(1);
    assertAll(
        () -> assertEquals(List.of("/a", "/b"), convert.paths()),
        () -> assertEquals("rs-10-4", convert.code()),
        () -> assertEquals(2, convert.perRack().getAsInt()),
        () -> assertEquals(7, convert.targetRacks().getAsInt()),
        () -> assertEquals(2, convert.parityCopies()),
        () ->
            assertEquals(
                new Method(Encoder.RANDOM, Group.RETROACTIVE, Encode.PIPELINED, Homes.RANDOM),
                convert.method()),
        () -> assertEquals(7, convert.parallel()),
        () -> assertEquals(65536, convert.sliceBytes()),
        () -> assertEquals(42, convert.seed()),
        () -> assertEquals("/c", repair.path()),
        () -> assertEquals("ppr", repair.shape()),
        () -> assertEquals(1024, repair.sliceBytes()),
        () ->
            assertEquals(
                new RepairPolicy(
                    Optional.of("together"),
                    OptionalInt.of(3),
                    OptionalInt.of(9),
                    OptionalLong.of(900_000),
                    OptionalLong.of(90_000)),
                repair.policy()),
        () -> assertEquals("chain", ((RepairRequest) cluster.requests.get(2)).shape()),
        () -> assertEquals("/", ((RepairRequest) cluster.requests.get(2)).path()));
  }

  @Test
  void clustersAreNamedAsHadoopNamesThem(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("site.xml"), "<configuration/>");
    run("status", "-fs", "hdfs://nn:8020", "-conf", file.toString(), "-D", "a=b", "-Dc=d=e");
    run("status", "hdfs://other:9000/logs", "-fs", "hdfs://nn:8020");
    assertEquals(
        new Connection(Optional.of("hdfs://nn:8020"), List.of(file), Map.of("a", "b", "c", "d=e")),
        cluster.connections.get(0));
    assertEquals(Optional.of("hdfs://other:9000"), cluster.connections.get(1).fileSystem());
    Run missing = run("status", "-conf", directory.resolve("none.xml").toString());
    assertEquals(1, missing.status());
    assertEquals(
        "braid: no such file: " + directory.resolve("none.xml") + System.lineSeparator(),
        missing.err());
  }

  @Test
  void objectsHaveSnakeCaseKeys() throws Exception {
    JsonNode convert = run("convert", "--json", "/mixed").json();
    assertEquals(21, convert.get("storage_before").longValue());
    assertEquals("it has 0 bytes", convert.get("skipped").get(0).get("reason").textValue());
    // As a dry run names it.
    assertEquals(convert.get("skipped"), convert.get("left_alone"));
    assertEquals(-7, convert.get("bytes_saved").longValue());
    assertEquals(0, convert.get("cross_rack_bytes").longValue());
    assertEquals(0, convert.get("encoding").get("cross_rack_bytes").longValue());
    JsonNode fsck = run("fsck", "--json", "/lost").json();
    assertEquals(1, fsck.get("counts").get("lost").intValue());
    assertEquals(2, fsck.get("counts").get("healthy").intValue());
    assertEquals("LOST", fsck.get("files").get(0).get("state").textValue());
    JsonNode repair = run("repair", "--json", "/lost").json();
    assertEquals(
        "5 of 6 blocks can be had", repair.get("unrepairable").get(0).get("reason").textValue());
  }

  @Test
  void parityThatStaysIsNamed() throws Exception {
    assertEquals(1, run("restore", "/kept").status());
    Run kept = run("repair", "/kept");
    assertEquals(1, kept.status());
    String said = "1 parity file that nobody needs could not be deleted; braid repair tries again:";
    assertTrue(kept.out().contains(said), kept.out());
    assertTrue(kept.out().contains("/00aa  NOT_ON_DISK  of blk_7 only 1"), kept.out());
    JsonNode repair = run("repair", "--json", "/kept").json();
    assertFalse(repair.get("ok").booleanValue());
    assertEquals("NOT_ON_DISK", repair.get("parity_left").get(0).get("cause").textValue());
    Run used = run("repair", "/used");
    assertEquals(0, used.status(), "what the other command leaves is for the next repair");
    assertTrue(used.out().contains("/00bb  IN_USE"), used.out());
    Run awaited = run("repair", "/awaited");
    assertEquals(0, awaited.status(), "it goes when nodes have reported or are back");
    assertTrue(awaited.out().contains("/00cc  AWAITED"), awaited.out());
    assertEquals(0, run("restore", "/awaited").status());
    Run convert = run("convert", "/kept");
    assertEquals(0, convert.status(), "the files are converted");
    assertTrue(convert.out().contains("/00aa  NOT_ON_DISK"), convert.out());
  }

  @Test
  void resultsSayWhatMatters() throws Exception {
    assertTrue(run("convert", "/mixed").out().contains("/mixed/f  EMPTY  it has 0 bytes"));
    assertTrue(
        run("convert", "/mixed")
            .out()
            .contains(
                "grouped 6 blocks by racks: 0 to download and 0 to relocate (in order of the"
                    + " files: 4 and 2)"));
    assertTrue(run("convert", "/mixed").out().contains("1 stripe encoded in pipelines"));
    assertTrue(run("convert", "--parity-copies", "3", "/mixed").out().contains("3 copies of each"));
    assertTrue(
        run("convert", "/mixed")
            .out()
            .contains("most loaded node serves 25.0% of a file's reads (before: 50.0%)"));
    assertTrue(run("repair", "--delay", "1m").out().contains("3 stripes postponed"));
    assertEquals(
        """
        would rebuild 3 blocks and move 1 block of 3 stripes and 2 files by chain
        would send 12.0 MiB across racks, 6.0 MiB inside, for 3.0 MiB of blocks; at least 1.50 s at\
         the rates of braid.network.* and the throttle in force
        4 stripes lost blocks to deletions or changes: the others would be protected anew, which is\
         not counted
        1 extra replica would be dropped
        2 stripes would be postponed: their nodes may come back
        """,
        run("repair", "--dry-run").out());
    assertTrue(run("repair", "--dry-run", "/stopped").out().contains("a throttle of 0 stops it"));
    JsonNode planned = run("repair", "--dry-run", "--json", "/lost").json();
    assertEquals(12 << 20, planned.get("cross_rack_bytes").intValue());
    assertEquals(1.5, planned.get("seconds").doubleValue());
    assertEquals(2, planned.get("files").intValue());
    assertEquals(1 << 20, planned.get("parity_bytes").intValue());
    assertEquals(0, planned.get("bytes_saved").intValue());
    assertEquals(
        "5 of 6 blocks can be had", planned.get("left_alone").get(0).get("reason").textValue());
    assertTrue(run("repair", "--dry-run", "--json", "/stopped").json().get("seconds").isNull());
    assertTrue(run("repair", "/lost").out().contains("/lost/f  blk_7  5 of 6 blocks can be had"));
    assertTrue(run("fsck", "/lost").out().contains("2 healthy, 0 degraded, 0 repairable, 1 lost"));
    assertEquals(
        """
        files: 2 healthy, 0 degraded, 1 repairable, 0 lost; 0 orphans
          1 block repairable, stripe with 0 spare blocks
          --list names them, with the reasons
        """,
        run("fsck", "/good").out());
    String listed = run("fsck", "--list", "/good").out();
    assertTrue(listed.contains("/good/f      3  repairable      0  no copy"), listed);
    assertTrue(run("fsck", "/lost").out().contains("/lost/f      3  lost"));
    Run dry = run("convert", "--dry-run", "/good");
    assertTrue(
        dry.out()
            .startsWith(
                """
                would convert 2 files to rs-6-3: 1 stripe, 6 data blocks, 3 parity blocks
                stored: 2.9 KiB now, 1.5 KiB after, of that 500 B new parity; 1.5 KiB saved
                would move 700 B across racks, 2 blocks relocated; at least 0.50 s at the rates\
                 of braid.network.* and the throttle in force
                1 file left alone:
                """),
        dry.out());
    assertEquals(3, run("convert", "--dry-run", "/skipped").status());
    assertEquals(3, run("restore", "/skipped").status());
    assertEquals(1, run("restore", "/partly").status());
    assertFalse(run("restore", "--json", "/partly").json().get("ok").booleanValue());
    String unwell = run("status", "/safe").out();
    assertTrue(
        unwell.startsWith("health: at risk\n  at risk: 2 stripes lack blocks\nfiles: "), unwell);
    assertEquals(
        "AT_RISK", run("status", "--json", "/safe").json().get("health").get("word").textValue());
    assertTrue(run("status", "/d").out().contains("\n3 files and directories do not count: "));
    String status = run("status").out();
    assertTrue(status.startsWith("health: healthy\nblocks: "), status);
    assertTrue(
        status.contains("n0 serves most reads: 25.0% of the blocks; an even share is 12.5%"),
        status);
    assertTrue(
        status.contains("copies of parity: 5 of 6 can be read; braid repair rebuilds the others"),
        status);
    assertTrue(
        status.contains(
            "blocks: 100, of these 60 in stripes and 30 parity; all replicas take 4.9 KiB"),
        status);
    assertTrue(status.contains("the blocks in stripes took 1.8 KiB before conversion"), status);
    assertFalse(status.contains("files: "), status);
    String unreadable =
        "/.braid/stripes/ab/abc protects blocks that cannot be told: it was cut short";
    assertTrue(status.contains(unreadable), status);
    assertTrue(run("fsck", "/lost").out().contains(unreadable));
    assertTrue(run("status", "/d").out().contains("files: 1 replicated, 2 converted, 0 partly"));
    assertTrue(status.contains("stored 900 B (1.50 times), parity 300 B"), status);
    assertTrue(
        status.contains(
            "coordinator: convert at a:1:2; clients without Braid that open lost blocks wait up"
                + " to 50.00 s, 2 calls now; silent nodes are noticed by heartbeats"),
        status);
  }

  @Test
  void checkNamesPropertyValueSourceAndRemedy() throws Exception {
    Run good = run("check");
    assertEquals(0, good.status(), good.err());
    assertEquals(
        "1 NameNode and 3 DataNodes looked at, 0 findings: conversion and repair will work\n",
        good.out());
    Run bad = run("check", "--code", "rs-6-3");
    assertEquals(1, bad.status());
    assertEquals(
        """
        error: datanode d: Braid's plugin is not named
          dfs.datanode.plugins = x.Other (hdfs-site.xml)
          do: set it
        warning: cluster: no racks
          p is not set
          do: tell racks
        1 NameNode and 1 DataNode looked at, 2 findings: conversion or repair will not work
        """,
        bad.out());
    JsonNode json = run("check", "--json", "--code", "rs-6-3").json();
    assertFalse(json.get("ok").booleanValue());
    assertEquals("dfs.datanode.plugins", json.get("findings").get(0).get("property").textValue());
    assertEquals(2, run("check", "--code", "rs-six").status());
    assertEquals(0, cluster.closed);
  }

  @Test
  void theDaemonWatchesUntilItIsToldToStop() {
    Termination termination = Termination.ofCommand();
    termination.stop();
    Run run = Run.of(cluster, termination, "daemon", "--interval", "7", "--shape", "ppr", "--json");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.err().endsWith(" watching\n"), run.err());
    assertTrue(run.out().contains("\"repaired\" : 2"), run.out());
    WatchRequest request = (WatchRequest) cluster.requests.get(0);
    assertEquals(7000, request.intervalMillis());
    assertEquals(3_600_000, request.policyMillis());
    assertEquals("ppr", request.shape());
    assertEquals(1, cluster.closed);
    Run text = Run.of(cluster, termination, "coordinator"); // its former name
    assertEquals(
        "2 blocks rebuilt, 3 more for readers that waited, in 0.50 s; 0 B across racks, 0 B"
            + " inside\npolicies: 4 files converted, 1 file restored\ngave way to other commands 1 time; 0 blocks beyond repair at the end\n",
        text.out());
    Run wrong = run("daemon", "--policy-interval", "0");
    assertEquals(2, wrong.status());
  }
}
