package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.braid.cli.command.ExitStatus;
import org.junit.jupiter.api.Test;

final class PlaceCommandTest {
  private static Run braid(String... args) {
    return Run.of(
        connection -> {
          throw new IllegalStateException("no cluster is needed");
        },
        args);
  }

  @Test
  void comparesStorageReadsAndViolations() throws IOException {
    Run run = braid("place", "compare", "--blocks", "20000", "--stripes", "300", "--json");
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    JsonNode json = run.json();
    assertEquals(400, json.get("nodes").asInt());
    assertEquals(3, json.get("policies").size());
    for (JsonNode policy : json.get("policies")) {
      double sum = 0;
      double before = 1;
      for (JsonNode share : policy.get("shares")) {
        assertTrue(share.asDouble() <= before, policy.toString());
        assertEquals(0.05, share.asDouble(), 0.005);
        before = share.asDouble();
        sum += before;
      }
      assertEquals(1, sum, 1e-9);
      // H falls towards 1/20 as files grow.
      JsonNode hotness = policy.get("hotness");
      assertEquals(4, hotness.size());
      assertTrue(hotness.get(0).get("index").asDouble() > 0.15, policy.toString());
      assertEquals(0.05, hotness.get(3).get("index").asDouble(), 0.004);
    }
    JsonNode random = json.get("policies").get(0);
    JsonNode ear = json.get("policies").get(2);
    assertEquals("ear", ear.get("policy").asText());
    assertEquals(0, ear.get("downloads").asDouble());
    assertEquals(0, ear.get("relocations").asDouble());
    assertEquals(9, random.get("random_downloads").asDouble(), 0.3); // k - 2k/R
    assertTrue(json.get("policies").get(1).get("relocations").asDouble() > 0.3);
    assertEquals(28, json.get("violations").size());
    for (JsonNode point : json.get("violations")) {
      assertTrue(point.get("held").asBoolean(), point.toString());
      if (point.get("k").asInt() == 12 && point.get("racks").asInt() == 16) {
        assertEquals(0.97, point.get("equation").asDouble(), 0.005);
      }
    }
  }

  @Test
  void textHasEveryTable() {
    Run run =
        braid(
            "place",
            "compare",
            "--blocks",
            "500",
            "--racks",
            "16",
            "--nodes",
            "48",
            "--stripes",
            "20",
            "--code",
            "rs-6-3",
            "--seed",
            "7");
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    for (String text :
        new String[] {
          "500 blocks of 3 replicas on 48 nodes in 16 racks, rs-6-3 with at most 1 blocks in a rack",
          "Storage: share of all replicas",
          "Reads: hotness index H",
          "Encoding: blocks a stripe",
          "k = 12",
          "every measured share agrees with the equation"
        }) {
      assertTrue(run.out().contains(text), text + " in " + run.out());
    }
  }

  @Test
  void showsAStripeOfEveryPolicy() throws IOException {
    for (String policy : new String[] {"random", "preliminary", "ear", "ear-lrc"}) {
      JsonNode json =
          braid("place", "show", "lrc-6-2-2", "--topology", "8x4", "--policy", policy, "--json")
              .json();
      assertEquals(10, json.get("blocks").size());
      Set<String> nodes = new HashSet<>();
      for (JsonNode block : json.get("blocks")) {
        assertTrue(nodes.add(block.get("node").asText()));
        assertEquals(block.get("block").asInt() < 6 ? 3 : 0, block.get("replicas").size());
      }
      if (policy.startsWith("ear")) {
        assertEquals(0, json.get("relocations").asInt());
        assertEquals(0, json.get("cross_rack_downloads").asInt());
      }
    }
    Run text = braid("place", "show", "rs-6-3", "--topology", "10x3", "--seed", "4");
    assertEquals(ExitStatus.DONE, text.status(), text.err());
    assertEquals(
        text.out(), braid("place", "show", "rs-6-3", "--topology", "10x3", "--seed", "4").out());
    assertTrue(text.out().contains("D5*") && text.out().contains("P2"), text.out());
    assertTrue(text.out().contains("relocations: 0"), text.out());
  }

  /**
   * mxor-10-7 has 7 parities and survives any 2 losses: 3 blocks of a stripe in a rack are fatal.
   */
  @Test
  void blocksARackAreNoMoreThanTheCodeSurvives() throws IOException {
    Run two = braid("place", "show", "mxor-10-7", "--topology", "9x4", "--json");
    assertEquals(ExitStatus.DONE, two.status(), two.err());
    Run three = braid("place", "show", "mxor-10-7", "--topology", "8x4");
    assertEquals(ExitStatus.REFUSED, three.status(), three.out());
    assertTrue(
        three.err().contains("with at most 2 in a rack") && three.err().contains("give 16"),
        three.err());
  }

  /** A code with one block in each column is no grid: a limit keeps its blocks apart. */
  @Test
  void codesOfOneBlockARackAreLimited() throws IOException {
    Run run =
        braid(
            "place",
            "compare",
            "--code",
            "flr-n14-g4-l2",
            "--blocks",
            "100",
            "--stripes",
            "1",
            "--json");
    assertEquals(ExitStatus.DONE, run.status(), run.err());
    assertEquals(1, run.json().get("max_per_rack").asInt());
  }

  @Test
  void showsGridsAndSites() throws IOException {
    Run grid = braid("place", "show", "rstair-n5-r4-m1-e2-l1", "--topology", "6x4", "--json");
    assertEquals(0, grid.json().get("relocations").asInt(), grid.err());
    JsonNode sites =
        braid(
                "place",
                "show",
                "mxor-10-7",
                "--topology",
                "3x2x5",
                "--policy",
                "code-aware",
                "--parity-copies",
                "2",
                "--max-per-rack",
                "5",
                "--json")
            .json();
    assertEquals(0, sites.get("mean_cross_site_reads").asDouble());
    assertEquals(2, sites.get("blocks").get(16).get("nodes").size());
    Run text = braid("place", "show", "rs-10-4", "--topology", "4x2x3", "--policy", "even");
    assertTrue(text.out().contains("sites whose loss is survived: [s0, s1, s2, s3]"), text.out());
  }

  /** What is written for a policy over sites stays where it is. */
  @Test
  void showsReplicasOfAPolicyOverSites() throws IOException {
    for (String code : List.of("mxor-10-7", "lrc-6-2-2")) {
      String[] show = {"place", "show", code, "--topology", "3x6x3", "--placement", "code-aware"};
      String[] json = Arrays.copyOf(show, show.length + 1);
      json[show.length] = "--json";
      JsonNode shown = braid(json).json();
      assertEquals(0, shown.get("relocations").asInt());
      assertEquals(0, shown.get("cross_rack_downloads").asInt());
      assertEquals(3, shown.get("blocks").get(0).get("replicas").size());
      assertTrue(braid(show).out().contains("relocations: 0"));
    }
    Run unknown = braid("place", "show", "rs-6-3", "--topology", "3x6x3", "--placement", "near");
    assertEquals(ExitStatus.USAGE, unknown.status());
    assertTrue(unknown.err().contains("known: even, code-aware"), unknown.err());
    Run random =
        braid(
            "place",
            "show",
            "rs-6-3",
            "--topology",
            "3x6x3",
            "--placement",
            "even",
            "--policy",
            "random");
    assertEquals(ExitStatus.USAGE, random.status());
    Run one = braid("place", "show", "rs-6-3", "--topology", "6x3", "--placement", "even");
    assertEquals(ExitStatus.REFUSED, one.status());
    assertTrue(one.err().contains("needs racks at 2 sites or more"), one.err());
  }

  @Test
  void groupsBlocksAndTellsTheSavings() throws IOException {
    JsonNode json =
        braid("place", "group", "--blocks", "5000", "--topology", "20x4", "--json").json();
    assertEquals(500, json.get("grouped").get("stripes").asInt());
    long naive = json.get("naive").get("downloads").asLong();
    long grouped = json.get("grouped").get("downloads").asLong();
    assertTrue(grouped * 20 < naive, json.toString());
    assertEquals(naive - grouped, json.get("saved").get("downloads").asLong());
    Run text = braid("place", "group", "--blocks", "500", "--topology", "20x4");
    assertTrue(text.out().contains("by core rack"), text.out());
  }

  @Test
  void listsPolicies() throws IOException {
    assertEquals(7, braid("place", "list", "--json").json().get("policies").size());
    assertTrue(braid("place", "list").out().contains("EAR section 3.5"));
  }

  @Test
  void wrongUsageAndRefusalsHaveReasons() {
    expect(ExitStatus.USAGE, "which command?", "place");
    expect(
        ExitStatus.USAGE,
        "--parity-copies 2 is for a policy over sites, not ear",
        "place",
        "show",
        "rs-6-3",
        "--topology",
        "9x3",
        "--parity-copies",
        "2");
    expect(
        ExitStatus.USAGE,
        "--parity-copies 4, needed are 1 to 3",
        "place",
        "show",
        "rs-6-3",
        "--topology",
        "9x3",
        "--parity-copies",
        "4");
    expect(
        ExitStatus.USAGE,
        "--placement code-aware is for --policy ear, not even",
        "place",
        "show",
        "mxor-10-7",
        "--topology",
        "3x6x3",
        "--policy",
        "even",
        "--placement",
        "code-aware");
    expect(ExitStatus.USAGE, "is not a topology", "place", "show", "rs-6-3", "--topology", "6");
    expect(
        ExitStatus.USAGE,
        "unknown placement policy \"x\"; known: random, preliminary, ear, ear-lrc, unaware, even,"
            + " code-aware",
        "place",
        "show",
        "rs-6-3",
        "--topology",
        "6x3",
        "--policy",
        "x");
    expect(
        ExitStatus.USAGE,
        "rs-6-3 has no local groups",
        "place",
        "show",
        "rs-6-3",
        "--topology",
        "9x3",
        "--policy",
        "ear-lrc");
    expect(
        ExitStatus.USAGE,
        "unknown replica layout",
        "place",
        "group",
        "--topology",
        "9x3",
        "--layout",
        "x");
    expect(
        ExitStatus.REFUSED,
        "rs-10-4 needs places for the 14 blocks",
        "place",
        "compare",
        "--racks",
        "3",
        "--nodes",
        "60");
    expect(
        ExitStatus.USAGE, "2 nodes in 3 racks", "place", "compare", "--racks", "3", "--nodes", "2");
    expect(
        ExitStatus.REFUSED,
        "needs 5 racks of 4 nodes",
        "place",
        "show",
        "rstair-n5-r4-m1-e2-l1",
        "--topology",
        "4x9");
    expect(
        ExitStatus.REFUSED,
        "in different racks needs 4 racks",
        "place",
        "group",
        "--code",
        "rs-2-1",
        "--topology",
        "3x4",
        "--replicas",
        "4",
        "--layout",
        "all-different");
  }

  private static void expect(int status, String reason, String... args) {
    Run run = braid(args);
    assertEquals(status, run.status(), run.err());
    assertTrue(run.err().contains(reason), run.err());
  }
}
