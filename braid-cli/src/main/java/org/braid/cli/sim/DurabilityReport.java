package org.braid.cli.sim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.braid.cli.report.BarChart;
import org.braid.cli.report.ComparePage;
import org.braid.cli.report.ComparePage.Section;
import org.braid.cli.text.Durations;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.sim.durability.Durability;
import org.braid.sim.durability.DurabilityStudy.Row;
import org.braid.sim.durability.DurabilityStudy.Setting;
import org.braid.sim.durability.EncodedCluster;
import org.braid.sim.durability.PlannedRepairs;

/** Reports a study of durability as JSON, text and HTML. */
final class DurabilityReport {
  private final Setting setting;
  private final EncodedCluster cluster;
  private final List<Row> rows;
  private final long seed;

  DurabilityReport(Setting setting, List<Row> rows, long seed) {
    this.setting = setting;
    this.cluster = setting.cluster();
    this.rows = rows;
    this.seed = seed;
  }

  private static String number(String format, double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "-";
  }

  private String title() {
    return "%s on %d nodes in %d racks%s, %s in blocks of %s on each, %s"
        .formatted(
            cluster.code().name(),
            cluster.topology().nodes(),
            cluster.topology().racks(),
            cluster.topology().sites() == 1 ? "" : " at " + cluster.topology().sites() + " sites",
            Sizes.format((long) cluster.nodeBytes()),
            Sizes.format(cluster.blockSize()),
            cluster.rule().text());
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(title());
    lines.add(
        number("%.3g stripes, ", cluster.stripes())
            + Sizes.format((long) cluster.dataBytes())
            + " of data; mean lifetime of a node "
            + Durations.format(setting.failures().node().mean()));
    lines.add("");
    lines.addAll(results().lines());
    lines.add("");
    lines.add(
        "Planned repairs: blocks transferred per stripe, repaired stripes per second,"
            + " and the cluster's bottleneck");
    lines.addAll(plans().lines());
    lines.add("");
    lines.add(
        "lost a year: mean loss of the whole cluster; MTTDL stripe: mean time to data"
            + " loss of one stripe; any stripe: the same for the cluster, if stripes fail"
            + " independently");
    if (rows.stream().anyMatch(row -> row.chain().isPresent())) {
      lines.add(
          "Markov: nines with node failures alone and exponential repair times of the same mean"
              + (rows.stream().allMatch(row -> row.chain().map(c -> c.exact()).orElse(true))
                  ? ""
                  : "; fatal patterns sampled"));
    }
    if (!rows.stream().allMatch(Row::hasLosses)) {
      lines.add("-: no mission lost data; give more --missions, or a cluster that can lose data");
    }
    return lines;
  }

  private TextTable results() {
    TextTable table =
        new TextTable(
            "shape",
            ">node rebuilt in",
            ">block back in",
            ">nines",
            ">95 %",
            ">lost a year",
            ">95 %",
            ">MTTDL stripe",
            ">any stripe",
            ">Markov",
            ">missions");
    for (Row row : rows) {
      Durability low = row.atFewestLosses(cluster);
      Durability high = row.atMostLosses(cluster);
      Durability middle = row.durability();
      table.row(
          row.shape(),
          Durations.format(row.nodeSeconds()),
          Durations.format(row.firstSeconds()),
          number("%.2f", middle.nines()),
          number("%.2f", high.nines()) + " to " + number("%.2f", low.nines()),
          row.hasLosses() ? bytes(middle.lostBytes()) : "-",
          row.hasLosses() ? bytes(low.lostBytes()) + " to " + bytes(high.lostBytes()) : "-",
          number("%.3g y", middle.mttdlYears()),
          number("%.3g y", middle.clusterYears()),
          row.chain(cluster).map(chain -> number("%.2f", chain.nines())).orElse("-"),
          row.sampled().losses().draws());
    }
    return table;
  }

  private static String bytes(double bytes) {
    return bytes >= 1 ? Sizes.format((long) bytes) : number("%.2g B", bytes);
  }

  private TextTable plans() {
    TextTable table =
        new TextTable(
            "shape",
            ">lost blocks",
            ">seconds alone",
            ">moved",
            ">across racks",
            ">across sites",
            ">stripes/s",
            "limit");
    for (Row row : rows) {
      for (PlannedRepairs.Level level : row.levels()) {
        table.row(
            row.shape(),
            level.missing(),
            number("%.2f", level.seconds()),
            number("%.2f", level.total()),
            number("%.2f", level.crossRack()),
            number("%.2f", level.crossSite()),
            number("%.4g", level.rate()),
            level.limit());
      }
    }
    return table;
  }

  ObjectNode object() {
    ObjectNode object = Json.object().put("ok", true).put("code", cluster.code().name());
    object.put("nodes", cluster.topology().nodes()).put("racks", cluster.topology().racks());
    object.put("sites", cluster.topology().sites()).put("max_per_rack", cluster.rule().perRack());
    object.put("stripes", cluster.stripes()).put("data_bytes", cluster.dataBytes());
    object.put("years", setting.years()).put("seed", seed);
    ArrayNode all = object.putArray("rows");
    for (Row row : rows) {
      ObjectNode node = all.addObject().put("shape", row.shape());
      node.put("node_rebuild_seconds", row.nodeSeconds());
      node.put("block_repair_seconds", row.firstSeconds());
      put(node, row.durability());
      put(node.putObject("low"), row.atFewestLosses(cluster));
      put(node.putObject("high"), row.atMostLosses(cluster));
      row.chain(cluster).ifPresent(chain -> put(node.putObject("markov"), chain));
      row.chain().ifPresent(chain -> node.put("markov_exact", chain.exact()));
      var sampled = row.sampled();
      node.put("missions", sampled.losses().draws()).put("departures", sampled.departures());
      node.put("losses_seen", sampled.seen());
      ArrayNode levels = node.putArray("repairs");
      row.levels().forEach(level -> levels.add(Json.of(level)));
    }
    return object;
  }

  private static void put(ObjectNode node, Durability durability) {
    putFinite(node, "nines", durability.nines());
    node.put("stripe_losses_per_year", durability.stripeLosses());
    node.put("lost_share_per_year", durability.lostShare());
    node.put("lost_bytes_per_year", durability.lostBytes());
    putFinite(node, "mttdl_years", durability.mttdlYears());
    putFinite(node, "cluster_mttdl_years", durability.clusterYears());
  }

  /** Puts a number; null if it is infinite, which JSON does not have. */
  static void putFinite(ObjectNode node, String key, double value) {
    if (Double.isFinite(value)) {
      node.put(key, value);
    } else {
      node.putNull(key);
    }
  }

  /**
   * The page.
   *
   * @throws IOException when its style sheet cannot be read
   */
  String page() throws IOException {
    return ComparePage.of(
        "Braid: durability of " + cluster.code().name(),
        title() + ".",
        List.of(
            chart(
                "Nines of data that survives a year",
                "more is better; the mark is the Markov chain of node failures",
                row -> Math.max(0, finite(row.durability().nines())),
                row -> number("%.2f", row.durability().nines()),
                row -> row.chain(cluster).map(Durability::nines)),
            chart(
                "Hours to rebuild a node",
                "less is better",
                row -> row.nodeSeconds() / 3600,
                row -> number("%.2f", row.nodeSeconds() / 3600),
                row -> Optional.empty())),
        List.of(
            new Section("Durability", "", results()), new Section("Planned repairs", "", plans())));
  }

  private static double finite(double value) {
    return Double.isFinite(value) ? value : 0;
  }

  private interface Mark {
    Optional<Double> of(Row row);
  }

  private interface Label {
    String of(Row row);
  }

  private BarChart chart(
      String title, String note, ToDoubleFunction<Row> length, Label label, Mark mark) {
    return new BarChart(
        title,
        note,
        rows.stream()
            .map(
                row ->
                    new BarChart.Bar(
                        row.shape(),
                        length.applyAsDouble(row),
                        label.of(row),
                        mark.of(row)
                            .filter(Double::isFinite)
                            .map(OptionalDouble::of)
                            .orElse(OptionalDouble.empty())))
            .toList());
  }
}
