package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs no lab; that labs come up and go down is tested where they are made. */
final class LabCommandsTest {
  @TempDir private Path dir;

  private static Run line(String line) {
    return Run.of(new FakeCluster(), line.split(" "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"up", "down", "status", "exec", "chaos"})
  void helpShowsAnExampleAndTheExitStatuses(String command) {
    Run run = line("lab " + command + " --help");
    assertEquals(0, run.status());
    assertEquals("", run.err());
    assertTrue(run.out().contains("\n  braid lab " + command), run.out());
    assertTrue(run.out().contains("3     refused, a promise could not be kept"), run.out());
    assertTrue(line("lab --help").out().contains("  " + command), command);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "lab|which command? (see braid lab --help)",
        "lab up --topology 6by3|\"6by3\" is no topology: neither RACKSxNODES, as in 6x3, nor a file",
        "lab up --topology 0x3|topology 0x3 has 0 nodes",
        "lab up --topology 100x100|100 racks, 10000 nodes and 1 clients are too many for a lab",
        "lab up --link fast|\"fast\" is not a rate",
        "lab up --link 1kbit|needs at least 1000",
        "lab up --oversubscription 0.5|\"0.5\" is not a ratio",
        "lab up --block-size 1000|block size 1000 is not a positive multiple of 512",
        "lab up --room 1m|1048576 bytes are too few to store anything",
        "lab up --room 1g|--room 1.0 GiB leaves no room for files: DataNodes keep 1 GiB of it free",
        "lab exec|Missing required parameter: 'COMMAND'",
        "lab chaos --minutes 0|\"0\" is not a number of at least 1",
        "lab chaos --seed x|Invalid value for option '--seed'",
        "lab up --stock --coordinator|--stock, --coordinator are mutually exclusive",
      })
  void wrongUsageIsOneLineAndStatusTwo(String line, String message) {
    line(line).assertFailed(2, message);
  }

  @Test
  void mistakesInTopologyFilesHaveTheirLine() throws IOException {
    Path file = Files.writeString(dir.resolve("t.yaml"), "racks: [3]\nlinks: 5mbit\n");
    Run run = Run.of(new FakeCluster(), "lab", "up", "--topology", file.toString());
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains("t.yaml:2: unknown key \"links\""), run.err());
  }

  @Test
  void theSeedDecidesTheStepsOfChaos() {
    Run first = line("lab chaos --seed 7 --dry-run --json");
    assertEquals(0, first.status(), first.err());
    assertTrue(first.out().contains("\"seed\" : 7"), first.out());
    assertTrue(first.out().contains("round 1, client1: Create[path=/chaos/c1/"), first.out());
    assertTrue(first.out().contains("round 1, braid0: "), first.out());
    assertEquals(first.out(), line("lab chaos --seed 7 --dry-run --json").out());
    assertNotEquals(first.out(), line("lab chaos --seed 8 --dry-run --json").out());
  }

  @Test
  void chaosNeedsAnEmptyDirectory() throws IOException {
    Files.writeString(dir.resolve("there"), "");
    Run run = Run.of(new FakeCluster(), "lab", "chaos", "--out", dir.toString());
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains("is not empty: name another directory"), run.err());
    String file = dir.resolve("there").toString();
    run = Run.of(new FakeCluster(), "lab", "chaos", "--out", file);
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains("cannot write to " + file + ": File exists"), run.err());
  }
}
