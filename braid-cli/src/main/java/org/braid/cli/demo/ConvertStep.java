package org.braid.cli.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.braid.cli.demo.DemoReport.Conversion;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.view.PlacementView;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs.Client;

/** Converts both copies in place and reads them with HDFS's own client. */
final class ConvertStep implements DemoStep {
  /** The replication of the files, which determines where they are encoded. */
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

    List<StoredFile> files(DemoCluster demo) {
      return demo.log().files.stream()
          .filter(file -> file.path().startsWith(directory + "/"))
          .toList();
    }
  }

  @Override
  public String title() {
    return "Convert in place, read with the plain client";
  }

  @Override
  public void run(DemoCluster demo) throws IOException {
    Map<Placement, PlacementView> before = new EnumMap<>(Placement.class);
    int converted = 0;
    for (Placement placement : Placement.values()) {
      before.put(placement, demo.locations(placement.files(demo)).view());
      converted += convert(demo, placement);
    }
    if (converted == 0) {
      throw new RefusedException(
          "no file can be converted, for example "
              + demo.log().skipped.stream()
                  .map(skipped -> skipped.path() + ": " + skipped.reason())
                  .findFirst()
                  .orElse("there is none"));
    }
    show(demo);
    for (Placement placement : Placement.values()) {
      BlockLocations after = demo.locations(placement.files(demo));
      demo.log()
          .placements
          .add(
              new DemoReport.Placement(
                  placement.word(), before.getOrDefault(placement, after.view()), after.view()));
      Map<Integer, String> breaches = after.breaches(demo.rule(), demo.topology());
      demo.compare(
          breaches.isEmpty(),
          placement.directory()
              + ": blocks of a stripe are on distinct nodes, "
              + demo.rule().text(),
          "%d on a node, %d in a rack%s"
              .formatted(
                  after.mostOnANode(),
                  after.mostInARack(),
                  breaches.values().stream().findFirst().map(b -> "; " + b).orElse("")));
    }
    demo.readAll(demo.log().files, Client.PLAIN, "after conversion");
  }

  private static int convert(DemoCluster demo, Placement placement) throws IOException {
    ConvertReport report =
        demo.convert(
            placement.directory(), placement == Placement.EAR ? Method.DEFAULT : Method.BASELINE);
    demo.log().stored(report.storageBefore(), report.storageAfter());
    demo.log().skipped.addAll(report.skipped());
    demo.log().conversions.add(conversion(demo.settings(), placement, report));
    if (placement == Placement.EAR) {
      compareWithEar(demo, report);
    }
    return report.files().size();
  }

  /**
   * Data written with EAR needs no download and no relocation, unless small files share stripes.
   */
  private static void compareWithEar(DemoCluster demo, ConvertReport report) {
    int k = demo.settings().code().k();
    long small = report.files().stream().filter(file -> file.blocks() < k).count();
    if (small > 1) {
      demo.printer()
          .line(
              ("%d files of fewer than %d blocks share stripes, which EAR could not foresee"
                      + " when it placed their replicas")
                  .formatted(small, k));
      return;
    }
    demo.compare(
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

  private static void show(DemoCluster demo) {
    demo.printer().table(DemoTables.downloads(demo.log().conversions));
    List<String> reasons = new ArrayList<>();
    demo.log()
        .skipped
        .forEach(s -> reasons.add("left replicated: " + s.path() + ", " + s.reason()));
    reasons.stream().limit(5).forEach(demo.printer()::line);
    if (reasons.size() > 5) {
      demo.printer().line("... and " + Sizes.count(reasons.size() - 5L, "more file"));
    }
  }
}
