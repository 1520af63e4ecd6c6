package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.braid.code.CodeFamily;
import org.braid.code.Codes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

final class PlanCommandTest {
  private static Run line(String line) {
    return Run.of(new FakeCluster(), line.split(" "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"repair", "encode", "recover"})
  void helpShowsAnExampleAndTheExitStatuses(String command) {
    Run run = line("plan " + command + " --help");
    assertEquals(0, run.status());
    assertEquals("", run.err());
    assertTrue(run.out().contains("\n  braid plan " + command), run.out());
    assertTrue(run.out().contains("3     refused, a promise could not be kept"), run.out());
    assertTrue(line("plan --help").out().contains("  " + command), command);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "plan|which command? (see braid plan --help)",
        "plan repair rs-6-3 --lost 0|Missing required option: '--topology=RxN'",
        "plan repair rs-6-3 --topology 3x3|Missing required option: '--lost=BLOCK'",
        "plan repair rs-6-3 --lost 0 --topology 9|\"9\" is not a topology: write RACKSxNODES",
        "plan repair rs-6-3 --lost 0 --topology 0x9|topology 0x9 has 0 nodes",
        "plan repair rs-6-3 --lost 0 --topology 2x0x3|topology 2x0x3 has 0 nodes",
        "plan repair rs-6-3 --lost 0 --topology 2x3x3 --site-link 9|\"9\" is not a rate",
        "plan repair rs-6-3 --lost 0 --topology 999x99x99|has 9791199 nodes: at least 1 and at most 1000000",
        "plan repair rs-6-3 --lost 0 --topology 9999x999|has 9989001 nodes: at least 1 and at most 1000000",
        "plan repair rs-6-3 --lost 9 --topology 9x1|--lost names block 9, a stripe of rs-6-3 has 0..8",
        "plan repair rs-6-3 --lost 0 --topology 9x1 --shape ring|unknown repair planner \"ring\"",
        "plan repair rs-6-3 --lost 0 --topology 9x1 --link-rate 5|\"5\" is not a rate",
        "plan repair rs-6-3 --lost 0 --topology 9x1 --oversubscription 0.5|\"0.5\" is not a ratio",
        "plan repair rs-6-3 --lost 0 --topology 9x1 --slice 0|\"0\" is out of range",
        "plan repair foo-6-3 --lost 0 --topology 9x1|no code is named \"foo-6-3\"",
        "plan encode rs-6-3 --topology 9x1 --shape star|known: gather, pipelined, auto",
        "plan recover rs-6-3 --topology 9x2 --scheduler x|known: arrival, mppr, together, all",
        "plan recover rs-6-3 --topology 9x2 --policy x|unknown placement policy \"x\"",
        "plan recover rs-6-3 --topology 9x2 --node 18|--node names node 18, 9x2 has 0..17",
        "plan recover rs-6-3 --topology 9x2 --user-load 3=-1|--user-load -1.0: must be at least 0",
        "plan recover rs-6-3 --topology 9x2 --cached 2|--cached 2.0: must be 0 to 1",
        "plan recover rs-6-3 --topology 9x2 --per-node 0|\"0\" is not a number of at least 1",
        "plan recover rs-6-3 --topology 9x2 --stripes 999999|--stripes 999999: must be at most 100000",
      })
  void wrongUsageIsOneLineAndStatusTwo(String line, String message) {
    line(line).assertFailed(2, message);
  }

  @ParameterizedTest
  @CsvSource({
    "rs-12-4, 16x1, star, 12, 12",
    "rs-12-4, 16x1, ppr, 4, 4",
    "rs-12-4, 16x1, chain, 12, 1",
    "lrc-12-2-2, 16x1, ppr, 3, 3",
    "lrc-12-2-2, 4x4, star, 6, 6",
    "rotated-rs-12-4-4, 16x1, ppr, 4, 3.5",
    "rstair-n5-r4-m1-e2-l1, 5x4, ppr, 2, 2",
  })
  void stepsAndLoadsAreTheorys(String code, String topology, String shape, int steps, double load)
      throws Exception {
    String line = "plan repair %s --lost 0 --topology %s --shape %s --json";
    JsonNode plan = line(line.formatted(code, topology, shape)).json();
    assertEquals(code, plan.get("code").textValue());
    assertEquals(shape, plan.get("shape").textValue());
    assertEquals(steps, plan.get("steps").intValue());
    assertEquals(load, plan.get("busiest_link").doubleValue());
    double moved = 0;
    double across = 0;
    for (JsonNode edge : plan.get("edges")) {
      moved += edge.get("blocks").doubleValue();
      String from = edge.get("from").textValue().split("n")[0];
      boolean same = edge.get("to").textValue().split("n")[0].equals(from);
      across += same ? 0 : edge.get("blocks").doubleValue();
    }
    assertEquals(moved, plan.get("total").doubleValue(), 1e-9);
    assertEquals(across, plan.get("cross_rack").doubleValue(), 1e-9);
    assertTrue(plan.get("seconds").doubleValue() > 0);
  }

  @Test
  void everyFamilyIsPlannedInEveryShape() throws Exception {
    for (CodeFamily family : Codes.families()) {
      String topology = family.example().matches("[fh]lr-.*") ? "14x9" : "8x5";
      // Chooses among all shapes, and so plans each of them.
      JsonNode plan =
          line("plan repair %s --lost 0 --topology %s --json".formatted(family.example(), topology))
              .json();
      assertFalse(plan.get("edges").isEmpty());
      assertEquals(4, plan.get("compared").size());
      Run encode = line("plan encode " + family.example() + " --topology " + topology + " --json");
      assertEquals(0, encode.status(), encode.err());
    }
  }

  @Test
  void secondsFollowTheNetwork() throws Exception {
    String line = "plan repair rs-6-3 --lost 0 --topology 1x10 --shape star --block-size 1m --json";
    double fast = line(line + " --link-rate 1gbit").json().get("seconds").doubleValue();
    double slow = line(line + " --link-rate 100mbit").json().get("seconds").doubleValue();
    assertEquals(6 * 1048576 * 8 / 1e9, fast, 1e-9);
    assertEquals(10 * fast, slow, 1e-9);
    String racks = "plan repair rs-6-3 --lost 0 --topology 9x1 --shape star --json";
    double even = line(racks + " --oversubscription 1").json().get("seconds").doubleValue();
    double uneven = line(racks + " --oversubscription 2.5").json().get("seconds").doubleValue();
    assertEquals(2.5 * even, uneven, 1e-9);
  }

  @Test
  void autoIsTheFastestOfThoseCompared() throws Exception {
    for (String slice : new String[] {"256k", "128m"}) {
      JsonNode plan =
          line("plan repair rs-12-4 --lost 0,5 --topology 4x6 --json --slice " + slice).json();
      double least = Double.MAX_VALUE;
      Set<String> shapes = new HashSet<>();
      for (JsonNode other : plan.get("compared")) {
        least = Math.min(least, other.get("seconds").doubleValue());
        shapes.add(other.get("shape").textValue());
      }
      assertEquals(Set.of("star", "ppr", "chain", "racktree"), shapes);
      assertEquals(least, plan.get("seconds").doubleValue());
    }
    JsonNode encode = line("plan encode rs-12-4 --topology 16x1 --json").json();
    assertEquals("pipelined", encode.get("shape").textValue());
    assertEquals(2, encode.get("compared").size());
    assertEquals(4, encode.get("busiest_link").doubleValue());
    String gather = "plan encode rs-12-4 --topology 16x1 --shape gather --json";
    assertEquals(11, line(gather).json().get("busiest_link").doubleValue());
  }

  /** Blocks go round the racks of two sites, the link between which is ten times slower or not. */
  @Test
  void autoKnowsTheLinksOfSites() throws Exception {
    String line =
        "plan repair rs-12-4 --lost 0 --topology 2x3x4 --block-size 1m --slice 1m"
            + " --oversubscription 1";
    JsonNode fast = line(line + " --json").json();
    assertEquals("2x3x4", fast.get("topology").textValue());
    assertEquals("ppr", fast.get("shape").textValue());
    assertEquals(3, fast.get("cross_site").doubleValue());
    assertFalse(fast.has("site_link_bytes_per_second"));
    JsonNode slow = line(line + " --site-link 1gbit --json").json();
    assertEquals("racktree", slow.get("shape").textValue());
    assertEquals(1, slow.get("cross_site").doubleValue());
    assertEquals(1.25e8, slow.get("site_link_bytes_per_second").doubleValue());
    // A block on a node's link takes a unit, between the sites ten.
    double unit = (1 << 20) / 1.25e9;
    assertEquals(4 * unit, fast.get("seconds").doubleValue(), 1e-9);
    assertEquals(14 * unit, slow.get("seconds").doubleValue(), 1e-9);
    for (JsonNode other : slow.get("compared")) {
      if (other.get("shape").textValue().equals("ppr")) {
        assertEquals(31 * unit, other.get("seconds").doubleValue(), 1e-9);
      }
    }
    String text = line(line + " --site-link 1gbit").out();
    assertTrue(text.contains("3 racks of 4 nodes at each of 2 sites"), text);
    assertTrue(text.contains("links of sites of 1000 Mbit/s"), text);
    assertTrue(text.contains("across sites"), text);
  }

  @Test
  void newHomesAreFreeNodesOfTheRackOrTheSameNode() throws Exception {
    JsonNode free = line("plan repair rs-6-3 --lost 0,3 --topology 3x5 --json").json();
    assertEquals("r0n3", free.get("homes").get("0").textValue());
    assertEquals("r0n4", free.get("homes").get("3").textValue());
    JsonNode full = line("plan repair rs-6-3 --lost 0 --topology 3x3 --json").json();
    assertEquals("r0n0", full.get("homes").get("0").textValue());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plan repair rs-12-4 --lost 0 --topology 3x5|3|16 blocks, which is 6 in a rack, 3x5 has 5",
        "plan encode rs-12-4 --topology 15x1|3|which is 2 in a rack, 15x1 has 1: add nodes",
        "plan repair rstair-n5-r4-m1-e2-l1 --lost 0 --topology 4x9|3|needs 5 racks, one for each",
        "plan repair rs-3-2 --lost 0,1,2 --topology 5x1|1|cannot be rebuilt from the 2 blocks alive",
      })
  void whatCannotBeIsRefusedWithNumbers(String line, int status, String message) throws Exception {
    Run run = line(line);
    assertEquals(status, run.status(), run.err());
    assertEquals("", run.out());
    assertTrue(run.err().contains(message), run.err());
    JsonNode object = line(line + " --json").json();
    assertFalse(object.get("ok").booleanValue());
    assertTrue(object.get("error").textValue().contains(message));
  }

  @Test
  void drawingsAreFilesOfTheirOwn(@TempDir Path directory) throws Exception {
    Path svg = directory.resolve("plan.svg");
    Path dot = directory.resolve("plan.dot");
    Run run =
        line(
            "plan repair rs-6-3 --lost 0 --topology 3x4 --shape racktree --svg %s --dot %s"
                .formatted(svg, dot));
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("racktree"), run.out());
    assertTrue(run.out().contains("across racks"), run.out());
    Document drawing =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(Files.readString(svg))));
    assertEquals("svg", drawing.getDocumentElement().getTagName());
    String style = drawing.getElementsByTagName("style").item(0).getTextContent();
    assertTrue(style.contains("prefers-color-scheme: dark"), style);
    // Six helpers send once each; both kinds of arrows have a head of their own.
    assertEquals(6 + 2, drawing.getElementsByTagName("path").getLength());
    String graph = Files.readString(dot);
    assertEquals(6, graph.lines().filter(l -> l.contains(" -> ")).count(), graph);
    assertEquals(3, graph.lines().filter(l -> l.contains("subgraph")).count(), graph);
    assertTrue(graph.contains("stores 0"), graph);
    Run failed = line("plan encode rs-6-3 --topology 3x4 --svg " + directory.resolve("no/x.svg"));
    assertEquals(1, failed.status());
  }

  @Test
  void schedulersAreComparedWithEachOtherAndWithTheirBound() throws Exception {
    JsonNode plan =
        line("plan recover rs-6-3 --topology 10x4 --stripes 200 --shape ppr --reads 2 --json")
            .json();
    assertEquals(plan.get("repairs"), plan.get("lost_blocks"));
    JsonNode bound = plan.get("bound");
    double[] seconds = new double[3];
    for (int i = 0; i < 3; i++) {
      JsonNode one = plan.get("schedulers").get(i);
      assertEquals(
          new String[] {"arrival", "mppr", "together"}[i], one.get("scheduler").textValue());
      assertEquals(0, one.get("refused").size());
      assertTrue(one.get("busiest_source").intValue() >= bound.get("source").intValue());
      assertTrue(one.get("busiest_uplink").doubleValue() >= bound.get("uplink").doubleValue());
      assertTrue(one.get("seconds").doubleValue() >= bound.get("seconds").doubleValue());
      assertTrue(one.get("read_seconds").doubleValue() < one.get("seconds").doubleValue());
      assertTrue(one.get("read_seconds").doubleValue() > 0);
      seconds[i] = one.get("busiest_link").doubleValue();
    }
    assertTrue(seconds[2] <= seconds[0], plan.toString());
    Run text = line("plan recover lrc-6-2-2 --topology 12x2 --stripes 50 --scheduler mppr");
    assertEquals(0, text.status(), text.err());
    assertTrue(text.out().contains("mppr") && text.out().contains("at least"), text.out());
    assertFalse(text.out().contains("arrival"), text.out());
    // The same seed is the same cluster, the same losses and the same schedule.
    String again = "plan recover rs-6-3 --topology 10x4 --stripes 60 --scheduler together --json";
    assertEquals(withoutTimes(line(again).json()), withoutTimes(line(again).json()));
  }

  private static String withoutTimes(JsonNode plan) {
    return plan.toString().replaceAll("\"planning_micros\":[0-9.]+", "");
  }

  @Test
  void whatCannotBeRecoveredIsSaidAndStatusOne() throws Exception {
    Run run = line("plan recover rs-6-3 --topology 9x2 --stripes 40 --node 0,2,4,6 --json");
    assertEquals(1, run.status());
    assertTrue(run.err().contains("do not determine the lost ones"), run.err());
    assertFalse(run.json().get("schedulers").get(1).get("refused").isEmpty());
    run = line("plan recover rs-6-3 --topology 9x1 --stripes 3 --scheduler mppr");
    assertEquals(1, run.status());
    assertTrue(run.err().contains("no node left for a rebuilt block"), run.err());
  }
}
