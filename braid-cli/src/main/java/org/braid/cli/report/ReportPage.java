package org.braid.cli.report;

import java.io.IOException;
import java.util.Locale;
import org.braid.cli.demo.DemoReport;
import org.braid.cli.demo.DemoReport.Fact;
import org.braid.cli.demo.DemoSettings;
import org.braid.cli.demo.DemoTables;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;

/** The page with figures, drawings and tables, in one self-contained file. */
public final class ReportPage {
  private ReportPage() {}

  /**
   * The page of a report.
   *
   * @throws IOException when its style sheet cannot be read
   */
  public static String of(DemoReport report) throws IOException {
    DemoSettings settings = report.settings();
    Markup page = Frame.open("braid demo: " + settings.code().name());
    page.element("h1", "Braid: " + settings.code().name() + " in place on HDFS");
    page.element(
        "p",
        "%d DataNodes in %d racks, blocks of %s, at most %d blocks of a stripe in a rack"
            .formatted(
                settings.nodes(),
                settings.racks(),
                Sizes.format(settings.blockSize()),
                report.perRack()));
    page.element(
        "p", DemoTables.verdict(report), "class", report.ok() ? "verdict good" : "verdict bad");
    numbers(page, report);
    conversion(page, report);
    repairs(page, report);
    Frame.section(page, "Time line", "What happened when; hover for details.");
    page.open("div", "class", "wide")
        .add(TimeLine.of(report.spans(), report.seconds()))
        .close("div");
    tables(page, report);
    return Frame.close(page);
  }

  private static void numbers(Markup page, DemoReport report) {
    DemoReport.Storage storage = report.storage();
    page.open("div", "class", "tiles");
    tile(
        page,
        times(storage.before(), storage.logical())
            + " to "
            + times(storage.after(), storage.logical()),
        "bytes stored for a byte of content");
    report
        .conversions()
        .forEach(
            c ->
                tile(
                    page,
                    String.format(Locale.ROOT, "%.2f", c.perStripe()),
                    "data blocks a stripe from other racks, "
                        + c.placement()
                        + String.format(Locale.ROOT, " (predicted %.2f)", c.predictedPerStripe())));
    long equal = report.reads().stream().mapToLong(DemoReport.Read::equal).sum();
    tile(page, String.valueOf(equal), "file reads with an equal SHA-256");
    page.close("div");
  }

  private static String times(long bytes, long logical) {
    return logical == 0 ? "-" : String.format(Locale.ROOT, "%.2f", (double) bytes / logical);
  }

  private static void tile(Markup page, String number, String text) {
    page.open("div", "class", "tile")
        .element("div", number, "class", "number")
        .element("div", text)
        .close("div");
  }

  private static void conversion(Markup page, DemoReport report) {
    Frame.section(
        page,
        "Conversion",
        "The blocks of the first stripes, before and after. A row is a block, a column a node;"
            + " nodes of a rack stand together.");
    legend(page, "data", "data block", "parity", "parity block");
    for (DemoReport.Placement placement : report.placements()) {
      page.element(
          "h3",
          placement.placement().equals("ear")
              ? "Encoding-aware replication, encoded in the core rack"
              : "Random replication, encoded on a random node");
      page.open("div", "class", "pair")
          .add(PlacementDrawing.before(placement.before(), placement.after()))
          .add(PlacementDrawing.after(placement.after()))
          .close("div");
    }
    Frame.table(page, DemoTables.downloads(report.conversions()));
    Frame.table(page, DemoTables.storage(report));
  }

  private static void repairs(Markup page, DemoReport report) {
    Frame.section(
        page,
        "Repair",
        "One stripe's plan of each shape. Bands are racks, time runs to the right; an arrow carries"
            + " what is written at its tail. Numbers are positions in the stripe.");
    legend(page, "far-key", "across racks", "near-key", "inside a rack");
    report
        .plans()
        .forEach(
            plan ->
                page.element("h3", plan.shape())
                    .open("div", "class", "wide")
                    .add(PlanDrawing.of(plan))
                    .close("div"));
  }

  private static void legend(Markup page, String... keys) {
    page.open("p", "class", "legend");
    for (int i = 0; i < keys.length; i += 2) {
      page.element("span", "", "class", "key " + keys[i]).text(keys[i + 1]);
    }
    page.close("p");
  }

  private static void tables(Markup page, DemoReport report) {
    Frame.section(page, "Work", "");
    Frame.table(page, DemoTables.work(report));
    Frame.section(page, "Reads", "");
    Frame.table(page, DemoTables.reads(report));
    Frame.section(page, "Files", "");
    var files = new TextTable("path", ">size", ">blocks", "SHA-256");
    report
        .files()
        .forEach(f -> files.row(f.path(), Sizes.format(f.bytes()), f.blocks(), f.sha256()));
    Frame.table(page, files);
    if (!report.skipped().isEmpty()) {
      Frame.section(page, "Left replicated", "");
      var skipped = new TextTable("path", "cause", "reason");
      report.skipped().forEach(s -> skipped.row(s.path(), s.cause(), s.reason()));
      Frame.table(page, skipped);
    }
    Frame.section(page, "Comparisons", "");
    var checks = new TextTable("holds", "what", "detail");
    report.checks().forEach(c -> checks.row(c.ok() ? "yes" : "NO", c.what(), c.detail()));
    Frame.table(page, checks);
    Frame.section(page, "Configuration", "");
    Frame.table(page, configuration(report));
  }

  private static TextTable configuration(DemoReport report) {
    DemoSettings settings = report.settings();
    var table = new TextTable("name", "value");
    for (Fact fact : report.machine()) {
      table.row(fact.name(), fact.value());
    }
    return table
        .row("code", settings.code().name())
        .row("racks", settings.racks())
        .row("nodes", settings.nodes())
        .row("block size", Sizes.format(settings.blockSize()))
        .row("most of a stripe in a rack", report.perRack())
        .row("slice", Sizes.format(settings.slice()))
        .row("stripes at once", settings.parallel())
        .row("seed", settings.seed());
  }
}
