package org.braid.cli.demo;

import java.util.List;
import java.util.Locale;
import org.braid.cli.demo.DemoReport.Conversion;
import org.braid.cli.demo.DemoReport.Repair;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;

/** The tables of a report, for the terminal and for the page. */
public final class DemoTables {
  private DemoTables() {}

  /** Storage before and after conversion. */
  public static TextTable storage(DemoReport report) {
    DemoReport.Storage storage = report.storage();
    return new TextTable("storage", ">bytes", ">times the content")
        .row("content", Sizes.format(storage.logical()), "")
        .row("before", Sizes.format(storage.before()), times(storage.before(), storage))
        .row("after", Sizes.format(storage.after()), times(storage.after(), storage));
  }

  private static String times(long bytes, DemoReport.Storage storage) {
    return storage.logical() == 0
        ? "-"
        : String.format(Locale.ROOT, "%.2f", (double) bytes / storage.logical());
  }

  /** Traffic, CPU and time of each conversion and repair. */
  public static TextTable work(DemoReport report) {
    var table =
        new TextTable(
            "work", ">blocks", ">across racks", ">in racks", ">busiest link", ">CPU", ">time");
    for (Conversion c : report.conversions()) {
      table.row(
          "convert " + c.placement(),
          c.dataBlocks() + "+" + c.parityBlocks(),
          Sizes.format(c.crossRackBytes()),
          Sizes.format(c.inRackBytes()),
          Sizes.format(c.busiestLinkBytes()),
          Sizes.seconds(c.cpuSeconds()),
          Sizes.seconds(c.seconds()));
    }
    for (Repair r : report.repairs()) {
      table.row(
          "repair " + r.shape() + " (" + r.after() + ")",
          r.lost(),
          Sizes.format(r.crossRackBytes()),
          Sizes.format(r.inRackBytes()),
          Sizes.format(r.busiestLinkBytes()),
          Sizes.seconds(r.cpuSeconds()),
          Sizes.seconds(r.seconds()));
    }
    return table;
  }

  /** Downloads of encoders across racks, compared with the analysis. */
  public static TextTable downloads(List<Conversion> conversions) {
    var table =
        new TextTable(
            "placement",
            ">stripes",
            ">data",
            ">parity",
            ">relocated",
            ">from other racks, a stripe",
            ">predicted");
    for (Conversion c : conversions) {
      table.row(
          c.placement(),
          c.stripes(),
          c.dataBlocks(),
          c.parityBlocks(),
          c.relocatedBlocks(),
          String.format(Locale.ROOT, "%.2f", c.perStripe()),
          String.format(Locale.ROOT, "%.2f", c.predictedPerStripe()));
    }
    return table;
  }

  /** Reads and whether their bytes were equal. */
  public static TextTable reads(DemoReport report) {
    var table = new TextTable("when", "client", ">files", ">equal", ">bytes", ">time");
    report
        .reads()
        .forEach(
            r ->
                table.row(
                    r.when(),
                    r.client(),
                    r.files(),
                    r.equal(),
                    Sizes.format(r.bytes()),
                    Sizes.seconds(r.seconds())));
    return table;
  }

  /** The closing line: whether all comparisons hold. */
  public static String verdict(DemoReport report) {
    long failed = report.checks().stream().filter(c -> !c.ok()).count();
    String time = Sizes.seconds(report.seconds());
    return failed == 0
        ? "all %d comparisons hold, %s".formatted(report.checks().size(), time)
        : "%d of %d comparisons DO NOT HOLD, %s".formatted(failed, report.checks().size(), time);
  }
}
