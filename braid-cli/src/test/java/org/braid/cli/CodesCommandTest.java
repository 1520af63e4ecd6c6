package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

final class CodesCommandTest {
  private final FakeCluster cluster = new FakeCluster();

  private Run run(String... args) {
    return Run.of(cluster, args);
  }

  private Run line(String line) {
    return run(line.split(" "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"list", "show", "repair", "verify", "compare"})
  void helpShowsAnExampleAndTheExitStatuses(String command) {
    Run run = run("codes", command, "--help");
    assertEquals(0, run.status());
    assertEquals("", run.err());
    assertTrue(run.out().contains("\n  braid codes " + command), run.out());
    assertTrue(run.out().contains("3     refused, a promise could not be kept"), run.out());
    assertTrue(run("codes", "--help").out().contains("  " + command), command);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "codes|which command? (see braid codes --help)",
        "codes show|Missing required parameter: 'CODE'",
        "codes show foo-6-3|no code is named \"foo-6-3\"; did you mean \"rs-6-3\"? braid",
        "codes show rs-200-100|k + m = 300",
        "codes verify rs-6|\"rs-6\" is not a code: it has 1 parameter, not 2",
        "codes verify rs-6-3 --limit 0|--limit 0 checks nothing: give at least 1",
        "codes repair rs-6-3|Missing required option: '--lost=BLOCK'",
        "codes repair rs-6-3 --lost x|\"x\" is not a whole number",
        "codes repair rs-6-3 --lost 3000000000|\"3000000000\" is not a whole number between -",
        "codes repair rs-6-3 --lost 3,9,-1|--lost names blocks -1, 9, a stripe of rs-6-3 has 0..8",
        "codes repair rs-6-3 --lost 3 --alive 12|--alive names block 12, a stripe of rs-6-3 has",
        "codes repair rs-6-3 --lost 3,4 --alive 4,5|--lost and --alive both name block 4",
        "codes repair rs-6-3 --lost 3 --aim time|unknown aim \"time\"; known: blocks, bytes, racks",
        "codes compare rs-6-3 --parity-copies 0|\"0\" is not a number of at least 1",
        "codes compare rs-6-3 --parity-copies 4|--parity-copies 4, needed are 1 to 3",
      })
  void wrongUsageIsOneLineAndStatusTwo(String line, String message) {
    line(line).assertFailed(2, message);
  }

  @Test
  void listHasEveryFamilyAndBound() throws Exception {
    Run text = line("codes list");
    JsonNode object = line("codes list --json").json();
    assertEquals(Codes.families().size(), object.get("families").size());
    assertEquals(Codes.bounds().size(), object.get("bounds").size());
    for (JsonNode family : object.get("families")) {
      assertTrue(text.out().contains(family.get("pattern").textValue()), text.out());
      ErasureCode example = Codes.named(family.get("example").textValue());
      assertEquals((double) example.n() / example.k(), family.get("overhead").doubleValue());
    }
    JsonNode first = object.get("families").get(0);
    assertEquals("rs-K-M", first.get("pattern").textValue());
    assertEquals(3, first.get("tolerance").get("proven").intValue());
    Codes.bounds().forEach(b -> assertTrue(text.out().contains(b.name()), b.name()));
  }

  @Test
  void showHasTheKeysThatScriptsReadAndTheMatrix() throws Exception {
    ErasureCode code = Codes.named("rstair-n5-r4-m1-e2-l1");
    JsonNode object = line("codes show rstair-n5-r4-m1-e2-l1 --json").json();
    for (String key : "name n k alpha field generator groups racks overhead digest".split(" ")) {
      assertTrue(object.has(key), key);
    }
    assertEquals(code.name(), object.get("name").textValue());
    assertEquals(Codes.digest(code), object.get("digest").textValue());
    assertEquals(code.n() * code.alpha(), object.get("generator").size());
    for (int r = 0; r < code.n(); r++) {
      for (int c = 0; c < code.k(); c++) {
        assertEquals(code.generator().at(r, c), object.get("generator").get(r).get(c).intValue());
      }
      assertEquals(code.racks().orElseThrow().get(r), object.get("racks").get(r).intValue());
    }
    assertEquals(code.groups().size(), object.get("groups").size());
    assertEquals(1, object.get("tolerance").get("racks").get("proven").intValue());
    JsonNode racks = object.get("repair").get("racks").get("single");
    assertEquals(1, racks.get("average").doubleValue());
    assertEquals(code.n(), racks.get("each").size());
    assertEquals(3, racks.get("each").get(0).get("traffic").doubleValue());
    assertFalse(line("codes show rs-6-3 --json").json().has("racks"));
  }

  @Test
  void showIsReadable() {
    String text = line("codes show rstair-n6-r5-m1-e2.4-l1").out();
    assertTrue(text.matches("(?s).*overhead +1\\.875\n.*"), text);
    assertTrue(text.matches("(?s).*survives +any 7 blocks\n.*"), text);
    assertTrue(text.contains("any 1 rack of 6 whole"), text);
    assertTrue(text.contains("rack 0  rack 1"), text);
    assertFalse(text.contains("b16.0"), text);
    assertTrue(line("codes show rs-6-3 --matrix").out().contains("b6.0  "), "matrix");
  }

  @Test
  void repairPrintsReadsAndEquations() throws Exception {
    JsonNode object = line("codes repair mxor-10-7 --lost 3 --json").json();
    assertEquals("[3]", object.get("lost").toString());
    assertEquals(2, object.get("reads").size());
    assertEquals(1, object.get("reads").get(0).get("fraction").doubleValue());
    assertEquals(8, object.get("reads").get(0).get("block").intValue());
    assertEquals(2, object.get("traffic").doubleValue());
    assertEquals(2, object.get("racks_touched").intValue());
    assertTrue(object.get("exact").booleanValue());
    assertEquals("b3 = b8 + b13", object.get("equations").get(0).get("text").textValue());
    Run text = line("codes repair mxor-10-7 --lost 3");
    assertEquals(0, text.status());
    assertTrue(text.out().contains("b3 = b8 + b13"), text.out());
    assertTrue(text.out().contains("no repair needs fewer bytes"), text.out());
    JsonNode two = line("codes repair rs-6-3 --lost 3,7 --alive 0,1,2,4,5,6 --json").json();
    assertEquals(6, two.get("traffic").doubleValue());
    assertEquals(2, two.get("equations").size());
    JsonNode rack = line("codes repair rstair-n6-r5-m1-e2.4-l1 --lost 0 --aim racks --json").json();
    assertEquals(1, rack.get("racks_touched").intValue());
    assertEquals(0, rack.get("cross_rack").doubleValue());
  }

  @Test
  void whatCannotBeRepairedIsStatusOneWithNumbers() throws Exception {
    String reason =
        "blocks [0, 1, 2, 3, 4] of rs-6-3 cannot be rebuilt from the 4 blocks alive:"
            + " at least 2 more are needed";
    Run text = line("codes repair rs-6-3 --lost 0,1,2,3,4");
    assertEquals(1, text.status());
    assertEquals("", text.out());
    assertEquals("braid: " + reason + System.lineSeparator(), text.err());
    Run json = line("codes repair rs-6-3 --lost 0,1,2,3,4 --json");
    assertEquals(1, json.status());
    assertFalse(json.json().get("ok").booleanValue());
    assertEquals(reason, json.json().get("error").textValue());
    assertEquals(2, json.json().get("missing").intValue());
  }

  @Test
  void verifySaysWhatItChecked() throws Exception {
    Run text = line("codes verify rs-6-3 xorbas-10-6-5 --limit 100 --seed 4");
    assertEquals(0, text.status(), text.out());
    assertTrue(text.out().contains("all 84 largest patterns"), text.out());
    assertTrue(text.out().contains("drawn with seed 4; 0 of 100 fail: with 99.9 %"), text.out());
    JsonNode object = line("codes verify rs-10-4 --limit 100 --json").json();
    assertTrue(object.get("ok").booleanValue());
    JsonNode promise = object.get("codes").get(0).get("promises").get(0);
    assertEquals("any 4 blocks", promise.get("promise").textValue());
    assertEquals(1001, promise.get("patterns").longValue());
    assertEquals(100, promise.get("checked").longValue());
    assertFalse(promise.get("exhaustive").booleanValue());
    assertEquals(0.999, promise.get("confidence").doubleValue());
  }

  @Test
  void verifyWithoutNamesTakesEveryFamily() throws Exception {
    JsonNode object = line("codes verify --limit 50 --json").json();
    List<String> names = new ArrayList<>();
    object.get("codes").forEach(c -> names.add(c.get("name").textValue()));
    assertEquals(Codes.families().stream().map(f -> f.example()).toList(), names);
    assertTrue(object.get("ok").booleanValue());
  }

  @Test
  void compareHasFiguresBoundsAndCharts(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("compare.html");
    Run run = run("codes", "compare", "rs-6-3", "mxor-10-7", "--report", file.toString());
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("bound-cut-set"), run.out());
    String page = Files.readString(file);
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(page.replace("<!DOCTYPE html>", ""))));
    assertEquals(6, document.getElementsByTagName("svg").getLength());
    // A bar of each code in each chart, a bound mark in three of the charts.
    assertEquals(12, document.getElementsByTagName("rect").getLength());
    assertEquals(6, document.getElementsByTagName("line").getLength());
    assertEquals(2, document.getElementsByTagName("table").getLength());
    assertTrue(page.contains("prefers-color-scheme: dark"), "dark");
    Run nowhere = run("codes", "compare", "rs-6-3", "--report", directory.toString());
    assertEquals(1, nowhere.status());
    assertTrue(nowhere.err().contains("the report cannot be written to"), nowhere.err());
  }

  @Test
  void copiesOfParityAreStored() throws Exception {
    JsonNode codes =
        line("codes compare rs-10-4 xorbas-10-6-5 mxor-10-7 --parity-copies 2 --json")
            .json()
            .get("codes");
    double[] overheads = {1.8, 2.2, 2.4};
    for (int i = 0; i < overheads.length; i++) {
      assertEquals(overheads[i], codes.get(i).get("overhead").doubleValue(), 1e-12);
      assertTrue(codes.get(i).get("encode_bytes_per_second").doubleValue() > 0);
      assertTrue(codes.get(i).get("bounds").size() > 0);
    }
    // The ten data blocks from ten others, the eight parity blocks from their copies.
    assertEquals(108.0 / 18, codes.get(0).get("repair_traffic").doubleValue(), 1e-12);
  }
}
