package org.braid.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import javax.xml.parsers.DocumentBuilderFactory;
import org.braid.cli.demo.DemoReport;
import org.braid.cli.demo.DemoReport.Check;
import org.braid.cli.demo.DemoReport.Conversion;
import org.braid.cli.demo.DemoReport.Fact;
import org.braid.cli.demo.DemoReport.Placement;
import org.braid.cli.demo.DemoReport.Read;
import org.braid.cli.demo.DemoReport.Repair;
import org.braid.cli.demo.DemoReport.Storage;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.cli.demo.DemoSettings;
import org.braid.code.Codes;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.RepairReport.PlanEdge;
import org.braid.hdfs.api.RepairReport.PlanNode;
import org.braid.hdfs.api.RepairReport.PlanView;
import org.braid.hdfs.api.Span;
import org.braid.hdfs.api.view.PlacementView;
import org.braid.hdfs.api.view.PlacementView.Block;
import org.braid.hdfs.api.view.PlacementView.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class ReportPageTest {
  /** A name that would break a page that does not escape it. */
  private static final String EVIL = "</title><script>alert(\"1\")</script>&'\u0001\uD800";

  private static DemoReport report(boolean ok, String name) {
    var settings =
        new DemoSettings(Codes.named("rs-2-1"), 3, 3, 1024, OptionalInt.empty(), 1, 512, 1);
    List<Node> nodes =
        List.of(
            new Node("rack0-node0", "/rack0", true),
            new Node("rack1-node1", "/rack1", true),
            new Node("rack2-node2", "/rack2", true));
    var before =
        new PlacementView(
            nodes,
            List.of(
                new Block(name + "#0", -1, -1, false, 1024, List.of(0, 1, 2)),
                new Block(name + "#1", -1, -1, false, 1024, List.of(0, 1))));
    var after =
        new PlacementView(
            nodes,
            List.of(
                new Block(name + "#0", 0, 0, false, 1024, List.of(0)),
                new Block(name + "#1", 0, 1, false, 1024, List.of(1)),
                new Block("parity 0", 0, 2, true, 1024, List.of(2))));
    var plan =
        new PlanView(
            "s",
            "chain",
            List.of(
                new PlanNode("rack0-node0", "rack0", List.of(0), List.of()),
                new PlanNode("rack1-node1", "rack1", List.of(1), List.of()),
                new PlanNode("rack2-node2", "rack2", List.of(), List.of(2))),
            List.of(
                new PlanEdge("rack0-node0", "rack1-node1", 1024),
                new PlanEdge("rack1-node1", "rack2-node2", 1024)));
    return new DemoReport(
        ok,
        settings,
        1,
        List.of(new Fact("kernel", name)),
        List.of(new StoredFile("/ear/" + name, 2048, "ab", 2)),
        List.of(new Skipped("/ear/empty", "EMPTY", name)),
        new Storage(2048, 6144, 3072),
        List.of(new Conversion("ear", 1, 2, 1, 0, 0, 0, 0, 1024, 0, 1024, 0.1, 0.2)),
        List.of(new Repair("chain", "1 node", 1, 2048, 0, 1024, 0.1, 0.2)),
        List.of(new Read("after conversion", "plain", 1, 1, 2048, 0.1)),
        List.of(new Check(name, ok, name)),
        List.of(new Placement("ear", before, after)),
        List.of(plan),
        List.of(new Span("act", name, 0, 1.5), new Span("repair: " + name, "s", 0.2, 0.3)),
        2);
  }

  /** The page is written as XML too, so that a strict parser sees every mistake. */
  private static Document parse(String page) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    return factory
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(page.replace("<!DOCTYPE html>", ""))));
  }

  private static List<Element> elements(Document page, String name) {
    NodeList found = page.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  private static long ofClass(Document page, String name, String kind) {
    return elements(page, name).stream().filter(e -> e.getAttribute("class").equals(kind)).count();
  }

  @Test
  void drawsPlacementPlansAndTime() throws Exception {
    Document page = parse(ReportPage.of(report(true, "f")));
    assertEquals(4, elements(page, "svg").size());
    // Before: five replicas; after: two.
    assertEquals(7, ofClass(page, "rect", "data"));
    assertEquals(1, ofClass(page, "rect", "parity"));
    assertEquals(2, ofClass(page, "path", "edge far"));
    assertEquals(0, ofClass(page, "path", "edge near"));
    assertEquals(1, ofClass(page, "rect", "act"));
    assertEquals(1, ofClass(page, "rect", "detail"));
    assertEquals(1, ofClass(page, "p", "verdict good"));
  }

  @Test
  void needsNothingElse() throws Exception {
    String page = ReportPage.of(report(true, "f"));
    String own = page.replace("http://www.w3.org/2000/svg", "");
    for (String resource : List.of("http:", "https:", "src=", "href=", "@import", "<script")) {
      assertFalse(own.contains(resource), resource);
    }
    assertFalse(own.replaceAll("url\\(#[a-z-]+\\)", "").contains("url("), "url");
    assertTrue(page.contains("prefers-color-scheme: dark"), "dark");
    assertFalse(page.contains("&quot;Segoe"), "the style sheet holds what must be escaped");
  }

  @Test
  void escapesWhatItIsGiven() throws Exception {
    String text = ReportPage.of(report(false, EVIL));
    assertFalse(text.contains("<script"), "script");
    Document page = parse(text);
    String shown = EVIL.replace('\u0001', '?').replace('\uD800', '?');
    assertTrue(
        elements(page, "td").stream().anyMatch(cell -> cell.getTextContent().equals(shown)), text);
    assertEquals(1, ofClass(page, "p", "verdict bad"));
  }

  @Test
  void drawsNothingWhereThereIsNothing() throws Exception {
    DemoReport full = report(true, "f");
    var empty = new PlacementView(List.of(), List.of());
    parse(
        ReportPage.of(
            new DemoReport(
                true,
                full.settings(),
                1,
                List.of(),
                List.of(),
                List.of(),
                new Storage(0, 0, 0),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(new Placement("ear", empty, empty)),
                List.of(new PlanView("s", "star", List.of(), List.of())),
                List.of(),
                0)));
  }

  @ParameterizedTest
  @CsvSource({"rack2, rack10, -1", "a, b, -1", "rack10, rack10, 0", "x9, x9a, -1"})
  void namesAreOrderedByNumber(String one, String other, int order) {
    assertEquals(order, Integer.signum(Names.NATURAL.compare(one, other)));
    assertEquals(-order, Integer.signum(Names.NATURAL.compare(other, one)));
  }
}
