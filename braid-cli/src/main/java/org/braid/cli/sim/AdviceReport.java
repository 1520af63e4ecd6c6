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
import org.braid.sim.advise.Advice.Cause;
import org.braid.sim.advise.Advice.Ranked;
import org.braid.sim.advise.Advice.Rejected;
import org.braid.sim.advise.AdviceRequest;
import org.braid.sim.advise.Candidate;
import org.braid.sim.advise.Requirements;

/** Advice as JSON, text, page and chart. */
final class AdviceReport {
  /** More nines make no difference, and would squeeze the others. */
  private static final double DRAWN = Candidate.MOST_NINES + 5;

  private final AdviceRequest request;
  private final Advice advice;

  AdviceReport(AdviceRequest request, Advice advice) {
    this.request = request;
    this.advice = advice;
  }

  private static String number(String format, double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "-";
  }

  private String title() {
    Requirements requirements = request.requirements();
    return String.format(
        Locale.ROOT,
        "%d nodes in %d racks at %d site%s; overhead at most %.3g, %s (%s), to"
            + " survive the loss of any %d nodes, %d racks, %d sites",
        request.topology().nodes(),
        request.topology().racks(),
        request.topology().sites(),
        request.topology().sites() == 1 ? "" : "s",
        requirements.overhead(),
        Double.isInfinite(advice.nines())
            ? "no loss of data at all"
            : number("%.2f nines at least", advice.nines()),
        requirements.nines().isPresent() ? "as required" : "those of three replicas here",
        requirements.nodes(),
        requirements.racks(),
        requirements.sites());
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
    lines.add("Rejected codes, each with the reason for its best candidate");
    lines.addAll(rejectedCodes().lines());
    lines.add("");
    lines.add(
        "moved, across racks, across sites: blocks transferred to rebuild one block;"
            + " read: time of a degraded read of one block; convert: blocks that cross"
            + " racks to convert one data block whose three replicas were placed by EAR;"
            + " mean place: mean rank over all criteria");
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
      Candidate candidate = each.candidate();
      table.row(
          rank++,
          candidate.code(),
          candidate.placement(),
          candidate.shape(),
          number("%.3f", candidate.overhead()),
          number("%.2f", candidate.durability().nines()),
          candidate.nodes(),
          candidate.racks(),
          candidate.sites(),
          number("%.2f", candidate.repairBlocks()),
          number("%.2f", candidate.crossRack()),
          number("%.2f", candidate.crossSite()),
          Durations.format(candidate.rebuildSeconds()),
          number("%.2f s", candidate.readSeconds()),
          number("%.2f", candidate.conversion()),
          number("%.1f", each.score()));
    }
    return table;
  }

  /** A line for each code without a recommended candidate. */
  private TextTable rejectedCodes() {
    Map<String, Rejected> byCode = new LinkedHashMap<>();
    for (Rejected each : advice.rejected()) {
      boolean chosen =
          advice.ranked().stream().anyMatch(r -> r.candidate().code().equals(each.code()));
      if (!chosen) {
        byCode.merge(each.code(), each, AdviceReport::better);
      }
    }
    TextTable table = new TextTable("code", "best candidate", "reason");
    byCode.values().forEach(each -> table.row(each.code(), tried(each), each.reason()));
    return table;
  }

  private static String tried(Rejected each) {
    return each.placement() + (each.shape().isEmpty() ? "" : ", " + each.shape());
  }

  /** Of two candidates of a code, one that was measured; of two measured, the more durable one. */
  private static Rejected better(Rejected a, Rejected b) {
    return lostShare(b) < lostShare(a) || a.candidate().isEmpty() ? b : a;
  }

  private static double lostShare(Rejected each) {
    return each.candidate().map(c -> c.durability().lostShare()).orElse(Double.POSITIVE_INFINITY);
  }

  /** The message when no candidate meets the requirements. */
  String nothing() {
    return "none of the %d codes meets the requirements on this cluster: %s"
        .formatted(
            request.codes().size(),
            "allow more overhead, fewer nines or fewer losses; the reasons are listed");
  }

  ObjectNode object() {
    ObjectNode object = Json.object().put("ok", true);
    object.put("nodes", request.topology().nodes()).put("racks", request.topology().racks());
    object.put("sites", request.topology().sites()).put("seed", request.seed());
    object.put("max_overhead", request.requirements().overhead());
    DurabilityReport.putFinite(object, "min_nines", advice.nines());
    ArrayNode ranked = object.putArray("ranked");
    int rank = 1;
    for (Ranked each : advice.ranked()) {
      put(ranked.addObject().put("rank", rank++), each.candidate()).put("mean_place", each.score());
    }
    ArrayNode rejected = object.putArray("rejected");
    for (Rejected each : advice.rejected()) {
      ObjectNode node = rejected.addObject().put("code", each.code());
      node.put("placement", each.placement()).put("shape", each.shape());
      each.candidate().ifPresent(candidate -> put(node, candidate));
      node.put("reason", each.reason());
    }
    return object;
  }

  private static ObjectNode put(ObjectNode node, Candidate candidate) {
    node.put("code", candidate.code()).put("placement", candidate.placement());
    node.put("max_per_rack", candidate.perRack()).put("shape", candidate.shape());
    node.put("overhead", candidate.overhead());
    DurabilityReport.putFinite(node, "nines", candidate.durability().nines());
    node.put("lost_bytes_per_year", candidate.durability().lostBytes());
    node.put("tolerates_nodes", candidate.nodes()).put("tolerates_racks", candidate.racks());
    node.put("tolerates_sites", candidate.sites()).put("repair_blocks", candidate.repairBlocks());
    node.put("cross_rack", candidate.crossRack()).put("cross_site", candidate.crossSite());
    node.put("node_rebuild_seconds", candidate.rebuildSeconds());
    node.put("degraded_read_seconds", candidate.readSeconds());
    if (Double.isNaN(candidate.conversion())) {
      return node.putNull("conversion_blocks");
    }
    return node.put("conversion_blocks", candidate.conversion());
  }

  private ScatterChart chart() {
    List<Dot> dots = new ArrayList<>();
    advice.ranked().forEach(each -> add(dots, each.candidate(), Standing.BEST, ""));
    for (Rejected each : advice.rejected()) {
      Standing standing = each.cause() == Cause.DOMINATED ? Standing.BEATEN : Standing.OUTSIDE;
      each.candidate().ifPresent(candidate -> add(dots, candidate, standing, each.reason()));
    }
    return new ScatterChart(
        "Overhead and durability: filled and named candidates are recommended, grey ones are"
            + " dominated, hollow ones do not meet the requirements",
        "bytes stored for a byte of data",
        "nines of data that survives a year, drawn up to " + (int) DRAWN,
        dots);
  }

  private static void add(List<Dot> dots, Candidate candidate, Standing standing, String reason) {
    double nines = candidate.durability().nines();
    if (Double.isFinite(nines)) {
      String text =
          String.format(
              Locale.ROOT,
              "%s by %s, overhead %.3f, %.2f nines, %.2f blocks across racks a repair, %.2f s to"
                  + " read%s",
              candidate.placement(),
              candidate.shape(),
              candidate.overhead(),
              nines,
              candidate.crossRack(),
              candidate.readSeconds(),
              reason.isEmpty() ? "" : "; " + reason);
      dots.add(
          new Dot(candidate.code(), candidate.overhead(), Math.min(DRAWN, nines), text, standing));
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
    TextTable rejected = new TextTable("code", "candidate", "reason");
    advice.rejected().forEach(each -> rejected.row(each.code(), tried(each), each.reason()));
    return ScatterPage.of(
        "Braid: advice",
        title() + ".",
        chart(),
        List.of(
            new Section(
                "Recommended", "No other candidate dominates these.", table(advice.ranked())),
            new Section("Rejected", "", rejected)));
  }
}
