package org.braid.cli.demo;

import java.util.List;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.RepairReport.PlanView;
import org.braid.hdfs.api.Span;
import org.braid.hdfs.api.view.PlacementView;

/**
 * The measurements and comparisons of a demo.
 *
 * @param ok whether every comparison held
 * @param settings what it ran on
 * @param perRack most blocks of a stripe in a rack
 * @param machine properties of the machine, by name
 * @param files the stored files of each placement
 * @param skipped files that stayed replicated, with the reason
 * @param storage bytes of replicas and parity
 * @param conversions one a placement
 * @param repairs in the order they happened
 * @param reads in the order they happened
 * @param checks every comparison
 * @param placements where blocks stood before and after conversion, one a placement
 * @param plans repair plans of each shape
 * @param spans the time line
 * @param seconds of the whole demo
 */
public record DemoReport(
    boolean ok,
    DemoSettings settings,
    int perRack,
    List<Fact> machine,
    List<StoredFile> files,
    List<Skipped> skipped,
    Storage storage,
    List<Conversion> conversions,
    List<Repair> repairs,
    List<Read> reads,
    List<Check> checks,
    List<Placement> placements,
    List<PlanView> plans,
    List<Span> spans,
    double seconds) {
  public DemoReport {
    machine = List.copyOf(machine);
    files = List.copyOf(files);
    skipped = List.copyOf(skipped);
    conversions = List.copyOf(conversions);
    repairs = List.copyOf(repairs);
    reads = List.copyOf(reads);
    checks = List.copyOf(checks);
    placements = List.copyOf(placements);
    plans = List.copyOf(plans);
    spans = List.copyOf(spans);
  }

  /** A named value, such as the kernel. */
  public record Fact(String name, String value) {}

  /**
   * A file in HDFS.
   *
   * @param sha256 SHA-256 of the written content, hexadecimal
   * @param blocks HDFS blocks
   */
  public record StoredFile(String path, long bytes, String sha256, int blocks) {}

  /**
   * Bytes stored.
   *
   * @param logical of the files' contents
   * @param before of all replicas before conversion
   * @param after of data and parity after it
   */
  public record Storage(long logical, long before, long after) {}

  /**
   * A conversion.
   *
   * @param placement {@code ear} or {@code random}
   * @param crossRackDataBlocks data blocks that encoders read from other racks
   * @param perStripe the same for k data blocks
   * @param predictedPerStripe the prediction of the analysis (EAR sections 2.2 and 3.1): k - 2k/R
   *     for random replication, 0 for encoding-aware replication
   */
  public record Conversion(
      String placement,
      int stripes,
      int dataBlocks,
      int parityBlocks,
      int crossRackDataBlocks,
      double perStripe,
      double predictedPerStripe,
      int relocatedBlocks,
      long crossRackBytes,
      long inRackBytes,
      long busiestLinkBytes,
      double cpuSeconds,
      double seconds) {}

  /**
   * A repair.
   *
   * @param after description of the loss
   * @param lost blocks that were rebuilt
   */
  public record Repair(
      String shape,
      String after,
      int lost,
      long crossRackBytes,
      long inRackBytes,
      long busiestLinkBytes,
      double cpuSeconds,
      double seconds) {}

  /**
   * One reading of all readable files.
   *
   * @param client {@code plain} or {@code braid}
   * @param equal files whose SHA-256 is that of the written content
   */
  public record Read(
      String when, String client, int files, int equal, long bytes, double seconds) {}

  /** A comparison. */
  public record Check(String what, boolean ok, String detail) {}

  /** The nodes of the blocks of a placement's files. */
  public record Placement(String placement, PlacementView before, PlacementView after) {}
}
