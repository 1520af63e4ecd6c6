package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.braid.cli.command.ExitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DurabilityCommandTest {
  private static Run braid(String... args) {
    return Run.of(
        connection -> {
          throw new IllegalStateException("no cluster is needed");
        },
        args);
  }

  private static Run split(String line) {
    return braid(line.split(" "));
  }

  @Test
  void everyShapeHasAnIntervalThatHoldsTheMarkovChain() throws IOException {
    String line =
        "sim durability --code rs-6-3 --nodes 100 --racks 10 --latent 0 --repair-times exponential"
            + " --json";
    Run run = split(line);
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    JsonNode json = run.json();
    assertEquals(4, json.get("rows").size());
    for (JsonNode row : json.get("rows")) {
      double low = row.get("low").get("stripe_losses_per_year").asDouble();
      double high = row.get("high").get("stripe_losses_per_year").asDouble();
      double markov = row.get("markov").get("stripe_losses_per_year").asDouble();
      assertTrue(low > 0 && high < 2 * low, row.toString());
      double slack = high - low;
      assertTrue(low - slack < markov && markov < high + slack, row.toString());
      assertTrue(row.get("nines").asDouble() > 6, row.toString());
    }
    JsonNode star = json.get("rows").get(0);
    JsonNode chain = json.get("rows").get(2);
    assertEquals("chain", chain.get("shape").asText());
    // Uplinks limit all shapes alike; alone, a chain is as fast as a copy.
    assertEquals(
        star.get("node_rebuild_seconds").asDouble(),
        chain.get("node_rebuild_seconds").asDouble(),
        1);
    assertTrue(
        chain.get("repairs").get(0).get("seconds").asDouble()
            < star.get("repairs").get(0).get("seconds").asDouble() / 4);
    assertEquals("uplinks", chain.get("repairs").get(0).get("limit").asText());
    assertEquals(run.out(), split(line).out());
  }

  @Test
  void everythingThatMayHappenAndAPage(@TempDir Path dir) throws IOException {
    Path trace = dir.resolve("failures.trace");
    Files.write(trace, List.of("1 fail node s0r0n0", "2 down rack s1r2", "5 up rack s1r2 # power"));
    Path page = dir.resolve("d.html");
    Run run =
        split(
            "sim durability --code lrc-6-2-2 --nodes 60 --racks 6 --sites 3 --placement code-aware"
                + " --disk 1t --shape chain --weibull 1.3 --rack-mttf 50y --site-mttf 500y"
                + " --node-outage 60d/10m --rack-outage 1y --burst-every 20y --burst-nodes 3"
                + " --site-link 1gbit --missions 128 --years 1 --trace "
                + trace
                + " --report "
                + page);
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    for (String text : new String[] {"6 racks at 3 sites", "nines", "across sites", "chain"}) {
      assertTrue(run.out().contains(text), run.out());
    }
    assertTrue(Files.readString(page).contains("Nines of data that survives a year"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --mttf -4y                          | 2 | "-4y" is not a time
          --mttf 0s                           | 2 | a mean lifetime of 0.0 seconds
          --latent -1                         | 2 | "-1" is not a number of at least 0
          --repair-share 0                    | 2 | a repair share of 0.0 of links and disks
          --node-outage 1h/2h                 | 2 | outages of 7200 seconds every 3600 seconds
          --weibull 99                        | 2 | Weibull shape 99.0
          --repair-times slow                 | 2 | unknown distribution "slow"
          --placement odd                     | 2 | unknown placement "odd"
          --burst-every 1y --burst-nodes 5000 | 2 | bursts of 5000 nodes on a cluster of 20
          --racks 30                          | 3 | 20 nodes in 30 racks
          --racks 4 --max-per-rack 2          | 3 | needs 7 racks for the 14 blocks
          --code rs-20-4                      | 3 | needs 24 nodes
          --code rs-10-4 --placement even     | 3 | needs racks at 2 sites or more
          --racks 20 --link 1mbit             | 3 | repairs never catch up
          """)
  void refusesWithNumbers(String options, int status, String reason) {
    String code = options.contains("--code") ? "" : "--code rs-10-4 ";
    Run run =
        split(
            "sim durability --nodes 20 --racks 5 "
                    .replace(options.contains("--racks") ? "--racks 5 " : "\0", "")
                + code
                + options);
    assertEquals(status, run.status(), run.err());
    assertTrue(run.err().contains(reason), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @Test
  void namesTheLineOfATrace(@TempDir Path dir) throws IOException {
    Path trace = dir.resolve("bad.trace");
    Files.write(trace, List.of("2 fail node r0n0", "1 fail node r0n1"));
    Run run = split("sim durability --code rs-3-2 --nodes 20 --racks 5 --trace " + trace);
    assertEquals(ExitStatus.USAGE, run.status());
    assertTrue(run.err().contains("bad.trace line 2: it is at hour 1"), run.err());
  }

  @Test
  void aTraceThatIsNoTextIsNamed(@TempDir Path dir) throws IOException {
    Path trace = dir.resolve("latin.trace");
    Files.write(trace, new byte[] {'#', ' ', (byte) 0xe9, '\n'});
    Run run = split("sim durability --code rs-3-2 --nodes 20 --racks 5 --trace " + trace);
    assertEquals(ExitStatus.USAGE, run.status());
    assertTrue(run.err().contains("latin.trace is not UTF-8 text"), run.err());
  }

  @Test
  void helpShowsExamples() {
    Run run = split("sim durability --help");
    assertEquals(0, run.status());
    assertTrue(run.out().contains("braid sim durability --code rs-10-4 --nodes 1000"), run.out());
    assertEquals(ExitStatus.USAGE, split("sim").status());
  }
}
