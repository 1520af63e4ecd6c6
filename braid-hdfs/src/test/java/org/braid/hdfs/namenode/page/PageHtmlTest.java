package org.braid.hdfs.namenode.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.braid.hdfs.api.view.Health;
import org.braid.hdfs.api.view.Health.Cause;
import org.braid.hdfs.api.view.Health.Word;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

final class PageHtmlTest {
  private static final String HOSTILE = "<script>alert('x')</script>&\"\u0000\u0007\ud800";

  private static final PageFigures.Clients CLIENTS = new PageFigures.Clients(4 << 20, 0, 2048, 0);

  private static PageFigures.Node node(String host, String rack, long sent) {
    return new PageFigures.Node(
        host,
        "uuid-" + host,
        rack,
        true,
        true,
        false,
        sent,
        1,
        List.of(new PageFigures.CauseBytes("waiting_readers", sent)),
        CLIENTS);
  }

  private static History.Series history(int samples) {
    History history = new History();
    for (int i = 0; i < samples; i++) {
      history.take(
          i * 600_000L,
          i * 600_000L,
          new History.Sample(i * 1000L, i % 7 == 3 ? -1 : i, 0, i * 60_000L, 0, Map.of()));
    }
    return history.series();
  }

  private static PageFigures figures(
      String text, List<PageFigures.Node> nodes, History.Series history) {
    return new PageFigures(
        text,
        "active",
        false,
        "2026-01-02T03:04:05Z",
        new Health(
            Word.AT_RISK,
            List.of(new Cause(Word.AT_RISK, text), new Cause(Word.DEGRADED, "1 DataNode dead"))),
        "",
        new PageFigures.Stored(
            9L << 30,
            3L << 30,
            4L << 30,
            2L << 30,
            6L << 30,
            70,
            List.of(new PageFigures.Code(text, 70, 400, 4L << 30, 200, 2L << 30))),
        new PageFigures.Stripes(60, 1, 2, 3, 4, 0, 5, 3700, 1),
        new PageFigures.Waiting(2, false, text, 3),
        new PageFigures.Lease(
            text, 75, new PageFigures.Work("somebody runs " + text, text, 25, 100, 50, 150L)),
        List.of(new PageFigures.Lease("beside " + text, 7, null)),
        new PageFigures.Scrub(12, 1, 0L, 7L, 90_000L),
        new PageFigures.Traffic(
            600,
            List.of(new PageFigures.Sent("repair", 5 << 20, 1024, Map.of("cross_rack", 5L << 20))),
            CLIENTS),
        PageGatherer.racks(nodes),
        nodes,
        new PageFigures.Policies(
            3,
            text,
            "2026-01-01T00:00:00Z",
            text,
            "",
            List.of(Map.of("name", text, "enabled", true, "action", "convert", "path", text)),
            Map.of("convert", text, "scrub", "resumed")),
        history);
  }

  /** What is well-formed XML is well-formed HTML here. */
  private static Document parse(String page) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    return factory
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)));
  }

  private static String text(Document page, String element) {
    NodeList found = page.getElementsByTagName(element);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < found.getLength(); i++) {
      text.append(found.item(i).getTextContent()).append('\n');
    }
    return text.toString();
  }

  @Test
  void whatOthersNamedIsTextAndNothingElse() throws Exception {
    String page = PageHtml.write(figures(HOSTILE, List.of(node(HOSTILE, HOSTILE, 5)), history(3)));
    assertFalse(page.toLowerCase(Locale.ROOT).contains("<script"), page);
    Document parsed = parse(page);
    assertEquals(0, parsed.getElementsByTagName("script").getLength());
    // The same where text stands: in causes, cells, captions and paragraphs.
    String shown = "<script>alert('x')</script>&\"\ufffd\ufffd\ufffd";
    assertTrue(text(parsed, "li").contains(shown), text(parsed, "li"));
    assertTrue(text(parsed, "td").contains("path " + shown), text(parsed, "td"));
    assertTrue(text(parsed, "td").contains(shown + "\n" + shown), text(parsed, "td"));
    assertTrue(text(parsed, "p").contains("by " + shown), text(parsed, "p"));
    assertTrue(text(parsed, "p").contains("Beside it works beside " + shown), text(parsed, "p"));
    assertTrue(
        text(parsed, "p").contains("scrub is paused until it is resumed"), text(parsed, "p"));
  }

  @Test
  void nothingComesFromElsewhereAndNothingRuns() throws Exception {
    Document page = parse(PageHtml.write(figures("nn:8020", List.of(), history(3))));
    NodeList all = page.getElementsByTagName("*");
    for (int i = 0; i < all.getLength(); i++) {
      var attributes = all.item(i).getAttributes();
      for (int a = 0; a < attributes.getLength(); a++) {
        String name = attributes.item(a).getNodeName();
        String value = attributes.item(a).getNodeValue();
        assertFalse(name.startsWith("on") || name.equals("src"), name);
        assertTrue(!name.equals("href") || value.matches("/[^/].*"), value);
      }
    }
    assertFalse(text(page, "style").contains("url("), "style");
    assertTrue(text(page, "style").contains("prefers-color-scheme: dark"), "style");
  }

  @Test
  void wordProgressAndCountsAreThere() throws Exception {
    Document page =
        parse(PageHtml.write(figures("nn:8020", List.of(node("h:1", "/a", 1)), history(0))));
    assertEquals("at risk\n", text(page, "strong"));
    assertTrue(
        text(page, "p")
            .contains(
                "nn:8020: 25 of 100 (25 %) in 50 s; about 2 min 30 s left; why: somebody runs nn"),
        text(page, "p"));
    assertTrue(text(page, "p").contains("One has lacked blocks for 1 h 1 min."), text(page, "p"));
    assertTrue(text(page, "p").contains("There are too few samples yet."), text(page, "p"));
    assertTrue(
        text(page, "p").contains("0 findings in the last round, which could not read 7 replicas; "),
        text(page, "p"));
    assertTrue(text(page, "b").contains("6.00 GiB"), text(page, "b"));
    assertTrue(text(page, "span").contains("calls waiting, nobody rebuilds"), text(page, "span"));
    assertTrue(text(page, "td").contains("waiting readers 1 B"), text(page, "td"));
  }

  private static PageFigures withoutStripes(PageFigures some) {
    return new PageFigures(
        some.nameNode(),
        some.state(),
        some.safeMode(),
        some.at(),
        some.health(),
        some.notice(),
        new PageFigures.Stored(9L << 30, 9L << 30, 0, 0, 0, 0, List.of()),
        some.stripes(),
        some.waiting(),
        some.lease(),
        some.beside(),
        some.scrub(),
        some.traffic(),
        some.racks(),
        some.nodes(),
        some.policies(),
        some.history());
  }

  @Test
  void whereThereAreNoStripesNoneWasRead() throws Exception {
    PageFigures figures = figures("nn:8020", List.of(), history(0));
    String some = text(parse(PageHtml.write(figures)), "p");
    assertTrue(some.contains("; every stripe was read within 1 d 1 h."), some);
    String none = text(parse(PageHtml.write(withoutStripes(figures))), "p");
    assertTrue(none.contains("could not read 7 replicas; there are no stripes."), none);
    assertFalse(none.contains("stripe was read"), none);
  }

  @Test
  void ofManyNodesThoseAreListedThatMovedMost() throws Exception {
    List<PageFigures.Node> nodes = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      nodes.add(node("host-" + i + ":9866", "/rack-" + i % 300, 10_000 - i));
    }
    PageFigures figures = figures("nn:8020", nodes, history(History.SAMPLES));
    String page = PageHtml.write(figures);
    Document parsed = parse(page);
    assertTrue(page.length() < 400_000, page.length() + " characters");
    assertTrue(text(parsed, "td").contains("host-99:9866"));
    assertFalse(text(parsed, "td").contains("host-100:9866"));
    assertTrue(text(parsed, "p").contains("And 9,900 more nodes"), text(parsed, "p"));
    assertTrue(text(parsed, "p").contains("And 100 more racks"), text(parsed, "p"));
    JsonNode json = new ObjectMapper().readTree(PageJson.write(figures));
    assertEquals(10_000, json.get("nodes").size());
    assertEquals(
        LongStream.rangeClosed(1, 10_000).sum(),
        IntStream.range(0, 300)
            .mapToLong(i -> json.at("/racks/" + i + "/sent_bytes").asLong())
            .sum());
  }

  @Test
  void linesOfTheHistoryHaveGapsWhereNothingWasKnown() throws Exception {
    Document page = parse(PageHtml.write(figures("nn:8020", List.of(), history(8))));
    assertEquals(4, page.getElementsByTagName("svg").getLength());
    List<String> paths = new ArrayList<>();
    NodeList found = page.getElementsByTagName("path");
    for (int i = 0; i < found.getLength(); i++) {
      paths.add(found.item(i).getAttributes().getNamedItem("d").getNodeValue());
    }
    assertEquals(5, paths.size());
    assertEquals(
        List.of(1L, 1L, 1L, 2L, 1L),
        paths.stream().map(path -> path.chars().filter(c -> c == 'M').count()).toList());
    assertTrue(text(page, "text").contains("1 Jan 01:10 UTC"), text(page, "text"));
  }

  private static PageFigures standby() {
    return new PageFigures(
        "nn:8020",
        "standby",
        false,
        "2026-01-02T03:04:05Z",
        null,
        "This NameNode is standby.",
        new PageFigures.Stored(null, null, 0, 0, 0, 0, List.of()),
        null,
        null,
        null,
        List.of(),
        null,
        new PageFigures.Traffic(0, List.of(), CLIENTS),
        List.of(),
        List.of(),
        null,
        history(0));
  }

  @Test
  void aStandbySaysWhatItDoesNotKnow() throws Exception {
    Document page = parse(PageHtml.write(standby()));
    assertEquals("unknown\n", text(page, "strong"));
    assertTrue(text(page, "p").contains("This NameNode is standby."), text(page, "p"));
    assertFalse(text(page, "h2").contains("Work"), text(page, "h2"));
    JsonNode json = new ObjectMapper().readTree(PageJson.write(standby()));
    assertEquals("standby", json.get("state").asText());
    for (String unknown : List.of("health", "stripes", "waiting", "lease", "policies")) {
      assertTrue(json.get(unknown).isNull(), unknown);
    }
  }

  @Test
  void jsonHasTheKeysOfTheCommands() throws Exception {
    JsonNode json =
        new ObjectMapper()
            .readTree(PageJson.write(figures(HOSTILE, List.of(node("h:1", "/a", 7)), history(3))));
    assertEquals("AT_RISK", json.at("/health/word").asText());
    assertEquals(
        HOSTILE.replace('\ud800', '?').length(), json.at("/lease/holder").asText().length());
    assertEquals(150, json.path("lease").path("work").path("seconds_left").asLong());
    assertEquals(3, json.at("/stripes/at_risk").asLong());
    assertEquals(6L << 30, json.at("/stored/saved_bytes").asLong());
    assertEquals(5 << 20, json.at("/traffic/causes/0/links/cross_rack").asLong());
    assertEquals(7, json.at("/racks/0/sent_bytes").asLong());
    assertEquals("convert", json.at("/policies/policies/0/action").asText());
    assertEquals(3, json.at("/history/saved_bytes").size());
  }

  /** A Health that is not known has no word to show as a style. */
  @Test
  void eachWordHasItsStyle() {
    for (Word word : Word.values()) {
      assertTrue(
          PageHtml.write(standby()).contains("." + word.name().toLowerCase(Locale.ROOT)),
          word + "");
    }
  }
}
