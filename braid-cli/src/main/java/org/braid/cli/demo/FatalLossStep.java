package org.braid.cli.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.code.derive.Tolerance;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairReport.Unrepairable;
import org.braid.hdfs.api.view.PlacementView.Block;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs.Client;

/**
 * Stops one node more than the code tolerates: repair refuses with numbers and makes nothing worse.
 */
final class FatalLossStep implements DemoStep {
  private static final int SHOWN_CHARS = 180;

  private final Tolerance tolerance;
  private final int nodes;

  /** For a code of some tolerance. */
  FatalLossStep(Tolerance tolerance) {
    this.tolerance = tolerance;
    nodes = tolerance.atMost() + 1;
  }

  @Override
  public String title() {
    return "Lose " + nodes + " nodes at once, one too many";
  }

  @Override
  public void run(DemoCluster demo) throws IOException {
    BlockLocations locations = demo.settled();
    FatalLoss loss =
        FatalLoss.smallest(locations, demo.settings().code(), tolerance, demo.hdfs()::runs)
            .orElseThrow(() -> new IOException("no stripe has " + nodes + " stored blocks"));
    List<StoredFile> unreadable = unreadable(demo, locations, loss);
    List<StoredFile> readable = new ArrayList<>(demo.log().files);
    readable.removeAll(unreadable);

    demo.stop(loss.nodes(), locations);
    refusal(demo);
    for (StoredFile file : unreadable) {
      mustFail(demo, file);
    }
    if (!readable.isEmpty()) {
      demo.readAll(readable, Client.BRAID, "the other files");
    }

    List<Integer> down = new ArrayList<>(loss.nodes());
    demo.start(List.of(down.remove(0)));
    List<Integer> still = demo.startUntilRoom(down);
    demo.repair("chain", nodes + " nodes, 1 back");
    demo.readAll(demo.log().files, Client.PLAIN, "repaired by chain");
    demo.start(still);
  }

  private static void refusal(DemoCluster demo) throws IOException {
    String reason;
    try {
      RepairReport report = demo.attempt("chain");
      List<Unrepairable> left = report.unrepairable();
      reason = left.isEmpty() ? "" : left.get(0).reason();
      demo.printer()
          .line(
              "repair: %s of other stripes rebuilt, %s cannot be:"
                  .formatted(
                      Sizes.count(report.repaired().size(), "block"),
                      Sizes.count(left.size(), "block")));
    } catch (RefusedException e) {
      reason = Objects.requireNonNullElse(e.getMessage(), "");
    }
    demo.compare(
        reason.matches(".*[0-9].*"),
        "repair refuses and gives the numbers when one node too many is lost",
        reason);
    demo.printer().line("  " + reason);
  }

  private static void mustFail(DemoCluster demo, StoredFile file) {
    String reason;
    try {
      demo.hdfs().read(file.path(), Client.BRAID);
      reason = "";
    } catch (IOException e) {
      reason = Objects.requireNonNullElse(e.getMessage(), e.toString());
    }
    boolean numbers = reason.matches("(?s).*[0-9].*");
    demo.compare(
        numbers,
        "reading " + file.path() + " fails and gives the numbers while too many nodes are lost",
        reason.isEmpty() ? "it did not fail" : reason);
    if (numbers) {
      demo.printer().line("reading %s: %s".formatted(file.path(), beginning(reason)));
    }
  }

  /** Shortens a message to the part with its numbers; the report has the whole message. */
  private static String beginning(String message) {
    String line = message.lines().findFirst().orElse("");
    return line.length() <= SHOWN_CHARS ? line : line.substring(0, SHOWN_CHARS) + "...";
  }

  /** The files with a block beyond repair. */
  private static List<StoredFile> unreadable(
      DemoCluster demo, BlockLocations locations, FatalLoss loss) {
    Set<Block> gone = new HashSet<>(loss.blocks());
    List<StoredFile> files = new ArrayList<>();
    int next = 0;
    // The view gives data blocks in the order of the files that were asked for.
    List<Block> data = locations.view().blocks().stream().filter(b -> !b.parity()).toList();
    for (StoredFile file : demo.log().files) {
      int end = Math.min(data.size(), next + file.blocks());
      if (data.subList(next, end).stream().anyMatch(gone::contains)) {
        files.add(file);
      }
      next = end;
    }
    return files;
  }
}
