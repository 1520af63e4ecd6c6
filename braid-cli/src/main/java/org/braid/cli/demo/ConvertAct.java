package org.braid.cli.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.braid.cli.demo.DemoReport.Conversion;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.EmbeddedHdfs.Client;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.api.PlacementView;
import org.braid.hdfs.api.RefusedException;

/** Converts both copies in place and reads them with a client that knows nothing of it. */
final class ConvertAct implements Act {
  /** How the files were replicated, and so who encodes them. */
  enum Placement {
    /** Encoding-aware replication, encoded in the core rack. */
    EAR("/ear"),
    /** HDFS's own replication, encoded on a random node: the baseline of EAR. */
    RANDOM("/random");

    private final String directory;

    Placement(String directory) {
      this.directory = directory;
    }

    String directory() {
      return directory;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    List<StoredFile> files(Stage stage) {
      return stage.ledger().files.stream()
          .filter(file -> file.path().startsWith(directory + "/"))
          .toList();
    }
  }

  @Override
  public String title() {
    return "Convert in place, read with the plain client";
  }

  @Override
  public void play(Stage stage) throws IOException {
    Map<Placement, PlacementView> before = new EnumMap<>(Placement.class);
    int converted = 0;
    for (Placement placement : Placement.values()) {
      before.put(placement, stage.holdings(placement.files(stage)).view());
      converted += convert(stage, placement);
    }
    if (converted == 0) {
      throw new RefusedException(
          "no file can be converted, for example "
              + stage.ledger().skipped.stream()
                  .map(skipped -> skipped.path() + ": " + skipped.reason())
                  .findFirst()
                  .orElse("there is none"));
    }
    show(stage);
    for (Placement placement : Placement.values()) {
      Holdings after = stage.holdings(placement.files(stage));
      stage
          .ledger()
          .placements
          .add(
              new DemoReport.Placement(
                  placement.word(), before.getOrDefault(placement, after.view()), after.view()));
      Map<Integer, String> breaches = after.breaches(stage.rule(), stage.topology());
      stage.compare(
          breaches.isEmpty(),
          placement.directory()
              + ": blocks of a stripe are on distinct nodes, "
              + stage.rule().text(),
          "%d on a node, %d in a rack%s"
              .formatted(
                  after.mostOnANode(),
                  after.mostInARack(),
                  breaches.values().stream().findFirst().map(b -> "; " + b).orElse("")));
    }
    stage.readAll(stage.ledger().files, Client.PLAIN, "after conversion");
  }

  private static int convert(Stage stage, Placement placement) throws IOException {
    DemoSettings settings = stage.settings();
    double began = stage.ledger().seconds();
    ConvertReport report =
        stage
            .cluster()
            .convert(
                new ConvertRequest(
                    List.of(placement.directory()),
                    settings.code().name(),
                    settings.perRack(),
                    placement == Placement.EAR ? Method.DEFAULT : Method.BASELINE,
                    settings.parallel(),
                    settings.slice(),
                    settings.seed(),
                    stage.progress()));
    stage.ledger().spans("convert " + placement.directory(), began, report.spans());
    stage.ledger().stored(report.storageBefore(), report.storageAfter());
    stage.ledger().skipped.addAll(report.skipped());
    stage.ledger().conversions.add(conversion(settings, placement, report));
    if (placement == Placement.EAR) {
      compareWithEar(stage, report);
    }
    return report.files().size();
  }

  /** Encoding-aware replication foresees stripes within a file; small files share theirs. */
  private static void compareWithEar(Stage stage, ConvertReport report) {
    int k = stage.settings().code().k();
    long small = report.files().stream().filter(file -> file.blocks() < k).count();
    if (small > 1) {
      stage
          .narrator()
          .line(
              "%d files of fewer than %d blocks share stripes, which no placement foresaw"
                  .formatted(small, k));
      return;
    }
    stage.compare(
        report.crossRackDataBlocks() == 0 && report.relocatedBlocks() == 0,
        "data written with EAR is encoded without downloads across racks or relocation",
        "%d data blocks across racks, %d relocated"
            .formatted(report.crossRackDataBlocks(), report.relocatedBlocks()));
  }

  private static Conversion conversion(
      DemoSettings settings, Placement placement, ConvertReport report) {
    int k = settings.code().k();
    double predicted = placement == Placement.EAR ? 0 : Math.max(0, k - 2.0 * k / settings.racks());
    return new Conversion(
        placement.word(),
        report.stripes(),
        report.dataBlocks(),
        report.parityBlocks(),
        report.crossRackDataBlocks(),
        report.dataBlocks() == 0
            ? 0
            : report.crossRackDataBlocks() * (double) k / report.dataBlocks(),
        predicted,
        report.relocatedBlocks(),
        report.encoding().crossRackBytes() + report.relocation().crossRackBytes(),
        report.encoding().inRackBytes() + report.relocation().inRackBytes(),
        Math.max(report.encoding().busiestLinkBytes(), report.relocation().busiestLinkBytes()),
        report.encoding().cpuSeconds() + report.relocation().cpuSeconds(),
        report.seconds());
  }

  private static void show(Stage stage) {
    var table =
        new TextTable(
            "placement",
            ">stripes",
            ">data",
            ">parity",
            ">relocated",
            ">from other racks, a stripe",
            ">predicted");
    for (Conversion c : stage.ledger().conversions) {
      table.row(
          c.placement(),
          c.stripes(),
          c.dataBlocks(),
          c.parityBlocks(),
          c.relocatedBlocks(),
          String.format(Locale.ROOT, "%.2f", c.perStripe()),
          String.format(Locale.ROOT, "%.2f", c.predictedPerStripe()));
    }
    stage.narrator().table(table);
    List<String> reasons = new ArrayList<>();
    stage
        .ledger()
        .skipped
        .forEach(s -> reasons.add("left replicated: " + s.path() + ", " + s.reason()));
    reasons.stream().limit(5).forEach(stage.narrator()::line);
    if (reasons.size() > 5) {
      stage.narrator().line("... and " + Sizes.count(reasons.size() - 5L, "more file"));
    }
  }
}
