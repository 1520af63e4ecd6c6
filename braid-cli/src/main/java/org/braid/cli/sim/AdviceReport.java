package org.braid.cli.sim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.braid.cli.report.ComparePage.Section;
import org.braid.cli.report.ScatterChart;
import org.braid.cli.report.ScatterChart.Dot;
import org.braid.cli.report.ScatterChart.Standing;
import org.braid.cli.report.ScatterPage;
import org.braid.cli.text.Durations;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.sim.advise.Advice;
import org.braid.sim.advise.Advice.Ranked;
import org.braid.sim.advise.Advice.Rejected;
import org.braid.sim.advise.Choice;
import org.braid.sim.advise.Limits;
import org.braid.sim.advise.Wanted;

/** Advice as an object, as text, as a page and as a chart. */
final class AdviceReport {
  /** More nines do not count, and would squeeze the others. */
  private static final double DRAWN = Choice.MOST_NINES + 5;

  private final Wanted wanted;
  private final Advice advice;

  AdviceReport(Wanted wanted, Advice advice) {
    this.wanted = wanted;
    this.advice = advice;
  }

  private static String number(String format, double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "-";
  }

  private String title() {
    Limits limits = wanted.limits();
    return String.format(
        Locale.ROOT,
        "%d nodes in %d racks at %d site%s; overhead at most %.3g, %.2f nines at least (%s), to"
            + " survive the loss of %d nodes, %d racks, %d sites",
        wanted.topology().nodes(),
        wanted.topology().racks(),
        wanted.topology().sites(),
        wanted.topology().sites() == 1 ? "" : "s",
        limits.overhead(),
        advice.nines(),
        limits.nines().isPresent() ? "as asked for" : "those of three replicas here",
        limits.nodes(),
        limits.racks(),
        limits.sites());
  }

  List<String> lines(int top) {
    List<String> lines = new ArrayList<>();
    lines.add(title());
    lines.add("");
    lines.addAll(table(advice.ranked().stream().limit(top).toList()).lines());
    if (advice.ranked().size() > top) {
      lines.add("and " + (advice.ranked().size() - top) + " more: --top, --json or --report");
    }
    lines.add("");
    lines.add("Rejected, with a reason for each code");
    lines.addAll(rejectedCodes().lines());
    lines.add("");
    lines.add(
        "moved, across: blocks to rebuild one, in all, across racks and sites; read: until a reader"
            + " has a lost block; convert: blocks that cross racks for each data block of three"
            + " replicas, placed encoding-aware");
    return lines;
  }

  private TextTable table(List<Ranked> ranked) {
    TextTable table =
        new TextTable(
            ">rank",
            "code",
            "placement",
            "repair",
            ">overhead",
            ">nines",
            ">nodes",
            ">racks",
            ">sites",
            ">moved",
            ">across racks",
            ">across sites",
            ">node rebuilt in",
            ">read",
            ">convert",
            ">mean place");
    int rank = 1;
    for (Ranked each : ranked) {
      Choice choice = each.choice();
      table.row(
          rank++,
          choice.code(),
          choice.placement(),
          choice.shape(),
          number("%.3f", choice.overhead()),
          number("%.2f", choice.durability().nines()),
          choice.nodes(),
          choice.racks(),
          choice.sites(),
          number("%.2f", choice.repairBlocks()),
          number("%.2f", choice.crossRack()),
          number("%.2f", choice.crossSite()),
          Durations.format(choice.rebuildSeconds()),
          number("%.2f s", choice.readSeconds()),
          number("%.2f", choice.conversion()),
          number("%.1f", each.score()));
    }
    return table;
  }

  /** A line for each code of which nothing is recommended. */
  private TextTable rejectedCodes() {
    Map<String, Rejected> byCode = new LinkedHashMap<>();
    for (Rejected each : advice.rejected()) {
      boolean chosen =
          advice.ranked().stream().anyMatch(r -> r.choice().code().equals(each.code()));
      if (!chosen) {
        byCode.merge(each.code(), each, AdviceReport::nearer);
      }
    }
    TextTable table = new TextTable("code", "best try", "why not");
    byCode.values().forEach(each -> table.row(each.code(), tried(each), each.reason()));
    return table;
  }

  private static String tried(Rejected each) {
    return each.placement() + (each.shape().isEmpty() ? "" : ", " + each.shape());
  }

  /** Of two tries of a code the one that came further; of equals the more durable. */
  private static Rejected nearer(Rejected a, Rejected b) {
    if (a.choices().isEmpty() || b.choices().isEmpty()) {
      return a.choices().isEmpty() ? b : a;
    }
    double lost = a.choices().get(0).durability().lostShare();
    return b.choices().get(0).durability().lostShare() < lost ? b : a;
  }

  /** What to say when nothing is within limits. */
  String nothing() {
    return "none of the %d codes is within the limits on this cluster: %s"
        .formatted(
            wanted.codes().size(),
            "allow more overhead, fewer nines or fewer losses; the reasons are listed");
  }

  ObjectNode object() {
    ObjectNode object = Json.object().put("ok", true);
    object.put("nodes", wanted.topology().nodes()).put("racks", wanted.topology().racks());
    object.put("sites", wanted.topology().sites()).put("seed", wanted.seed());
    object.put("max_overhead", wanted.limits().overhead()).put("min_nines", advice.nines());
    ArrayNode ranked = object.putArray("ranked");
    int rank = 1;
    for (Ranked each : advice.ranked()) {
      put(ranked.addObject().put("rank", rank++), each.choice()).put("mean_place", each.score());
    }
    ArrayNode rejected = object.putArray("rejected");
    for (Rejected each : advice.rejected()) {
      ObjectNode node = rejected.addObject().put("code", each.code());
      node.put("placement", each.placement()).put("shape", each.shape());
      each.choices().forEach(choice -> put(node, choice));
      node.put("reason", each.reason());
    }
    return object;
  }

  private static ObjectNode put(ObjectNode node, Choice choice) {
    node.put("code", choice.code()).put("placement", choice.placement());
    node.put("max_per_rack", choice.perRack()).put("shape", choice.shape());
    node.put("overhead", choice.overhead());
    double nines = choice.durability().nines();
    if (Double.isFinite(nines)) {
      node.put("nines", nines);
    } else {
      node.putNull("nines");
    }
    node.put("lost_bytes_per_year", choice.durability().lostBytes());
    node.put("tolerates_nodes", choice.nodes()).put("tolerates_racks", choice.racks());
    node.put("tolerates_sites", choice.sites()).put("repair_blocks", choice.repairBlocks());
    node.put("cross_rack", choice.crossRack()).put("cross_site", choice.crossSite());
    node.put("node_rebuild_seconds", choice.rebuildSeconds());
    node.put("degraded_read_seconds", choice.readSeconds());
    if (Double.isNaN(choice.conversion())) {
      return node.putNull("conversion_blocks");
    }
    return node.put("conversion_blocks", choice.conversion());
  }

  private ScatterChart chart() {
    List<Dot> dots = new ArrayList<>();
    advice.ranked().forEach(each -> add(dots, each.choice(), Standing.BEST, ""));
    for (Rejected each : advice.rejected()) {
      for (Choice choice : each.choices()) {
        boolean within = each.reason().contains(" is better: ");
        add(dots, choice, within ? Standing.BEATEN : Standing.OUTSIDE, each.reason());
      }
    }
    return new ScatterChart(
        "Overhead and durability: filled and named are recommended, grey is beaten, hollow is"
            + " outside of limits",
        "bytes stored for a byte of data",
        "nines of data that survives a year, drawn up to " + (int) DRAWN,
        dots);
  }

  private static void add(List<Dot> dots, Choice choice, Standing standing, String reason) {
    double nines = choice.durability().nines();
    if (Double.isFinite(nines)) {
      String text =
          String.format(
              Locale.ROOT,
              "%s by %s, overhead %.3f, %.2f nines, %.2f blocks across racks a repair, %.2f s to"
                  + " read%s",
              choice.placement(),
              choice.shape(),
              choice.overhead(),
              nines,
              choice.crossRack(),
              choice.readSeconds(),
              reason.isEmpty() ? "" : "; " + reason);
      dots.add(new Dot(choice.code(), choice.overhead(), Math.min(DRAWN, nines), text, standing));
    }
  }

  /**
   * The chart for a file.
   *
   * @throws IOException when its style sheet cannot be read
   */
  String svg() throws IOException {
    return ScatterPage.svg(chart());
  }

  /**
   * The page.
   *
   * @throws IOException when its style sheet cannot be read
   */
  String page() throws IOException {
    TextTable rejected = new TextTable("code", "try", "why not");
    advice.rejected().forEach(each -> rejected.row(each.code(), tried(each), each.reason()));
    return ScatterPage.of(
        "Braid: advice",
        title() + ".",
        chart(),
        List.of(
            new Section("Recommended", "No other choice beats these.", table(advice.ranked())),
            new Section("Rejected", "", rejected)));
  }
}
