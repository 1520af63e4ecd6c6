package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.braid.cli.command.ExitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.SAXException;

final class AdviseCommandTest {
  private static final String FEW = " --codes rs-6-3,rs-10-4,lrc-10-2-2,rs-3-2,rep-3";

  private static Run braid(String line) {
    return Run.of(
        connection -> {
          throw new IllegalStateException("no cluster is needed");
        },
        line.split(" "));
  }

  @Test
  void ranksDrawsAndExplains(@TempDir Path dir)
      throws IOException, ParserConfigurationException, SAXException {
    Path svg = dir.resolve("advice.svg");
    Path page = dir.resolve("advice.html");
    String line =
        "advise --nodes 100 --racks 20 --disk 4t --max-overhead 1.6"
            + FEW
            + " --svg "
            + svg
            + " --report "
            + page;
    Run text = braid(line);
    assertEquals(ExitStatus.DONE, text.status(), text.err());
    assertTrue(text.out().contains("overhead 1.667, at most 1.600 allowed"), text.out());
    assertTrue(text.out().contains("those of three replicas here"), text.out());
    JsonNode json = braid(line + " --json").json();
    assertTrue(json.get("ok").asBoolean());
    assertTrue(json.get("ranked").size() >= 2, json.toString());
    double before = 0;
    for (JsonNode each : json.get("ranked")) {
      assertTrue(each.get("overhead").asDouble() <= 1.6);
      assertTrue(each.get("nines").asDouble() >= json.get("min_nines").asDouble());
      assertTrue(each.get("mean_place").asDouble() >= before);
      before = each.get("mean_place").asDouble();
    }
    var root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(svg.toFile())
            .getDocumentElement();
    assertEquals("svg", root.getTagName());
    assertTrue(root.getElementsByTagName("circle").getLength() >= json.get("ranked").size());
    assertTrue(Files.readString(page).contains("<h2>Rejected</h2>"));
  }

  @Test
  void clustersThatLoseNothingHaveNoNumberOfNines() throws IOException {
    String line =
        "advise --nodes 60 --racks 12 --mttf never --latent 0 --max-overhead 3"
            + " --codes rep-3,rs-6-3";
    JsonNode json = braid(line + " --json").json();
    assertTrue(json.get("min_nines").isNull(), json.toString());
    assertTrue(json.get("ranked").get(0).get("nines").isNull(), json.toString());
    Run text = braid(line);
    assertTrue(text.out().contains("no loss of data at all"), text.out());
    assertTrue(!text.out().contains("Infinity"), text.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --nodes 100 --max-overhead 0.9                    | 2 | leaves no space for parity
          --nodes 100 --min-nines -3                        | 2 | "-3" is not a number of at least 0
          --nodes 100 --mttf -4y                            | 2 | "-4y" is not a time
          --nodes 100 --tolerate-racks two                  | 2 | "two" is not a whole number
          --nodes 100 --racks 20 --tolerate-racks 12        | 3 | needs an overhead of at least 2.500
          --nodes 100 --tolerate-sites 1                    | 3 | the cluster has 1
          --nodes 100 --min-nines 90 --codes rs-6-3         | 3 | none of the 1 codes meets the
          --nodes 8 --racks 4 --codes rs-10-4               | 3 | none of the 1 codes meets the
          """)
  void refusesWithNumbers(String options, int status, String reason) {
    Run run = braid("advise " + options);
    assertEquals(status, run.status(), run.err());
    assertTrue(run.err().contains(reason), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @Test
  void helpShowsAnExample() {
    Run run = braid("advise --help");
    assertEquals(0, run.status());
    assertTrue(
        run.out().contains("braid advise --nodes 400 --racks 20 --max-overhead 1.6"), run.out());
  }
}
