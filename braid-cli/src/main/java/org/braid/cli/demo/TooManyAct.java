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
import org.braid.hdfs.EmbeddedHdfs.Client;
import org.braid.hdfs.api.PlacementView.Block;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairReport.Unrepairable;

/** Loses one node more than the code tolerates: refused with numbers, and nothing made worse. */
final class TooManyAct implements Act {
  private static final int SHOWN_CHARS = 180;

  private final Tolerance tolerance;
  private final int nodes;

  /** For a code of some tolerance. */
  TooManyAct(Tolerance tolerance) {
    this.tolerance = tolerance;
    nodes = tolerance.atMost() + 1;
  }

  @Override
  public String title() {
    return "Lose " + nodes + " nodes at once, one too many";
  }

  @Override
  public void play(Stage stage) throws IOException {
    Holdings holdings = stage.settled();
    FatalLoss loss =
        FatalLoss.smallest(holdings, stage.settings().code(), tolerance, stage.hdfs()::runs)
            .orElseThrow(() -> new IOException("no stripe has " + nodes + " stored blocks"));
    List<StoredFile> unreadable = unreadable(stage, holdings, loss);
    List<StoredFile> readable = new ArrayList<>(stage.ledger().files);
    readable.removeAll(unreadable);

    stage.stop(loss.nodes(), holdings);
    refusal(stage);
    for (StoredFile file : unreadable) {
      mustFail(stage, file);
    }
    if (!readable.isEmpty()) {
      stage.readAll(readable, Client.BRAID, "the other files");
    }

    List<Integer> down = new ArrayList<>(loss.nodes());
    stage.start(List.of(down.remove(0)));
    List<Integer> still = stage.startUntilRoom(down);
    stage.repair("chain", nodes + " nodes, 1 back");
    stage.readAll(stage.ledger().files, Client.PLAIN, "repaired by chain");
    stage.start(still);
  }

  private static void refusal(Stage stage) throws IOException {
    String reason;
    try {
      RepairReport report = stage.attempt("chain");
      List<Unrepairable> left = report.unrepairable();
      reason = left.isEmpty() ? "" : left.get(0).reason();
      stage
          .narrator()
          .line(
              "repair: %s of other stripes rebuilt, %s cannot be:"
                  .formatted(
                      Sizes.count(report.repaired().size(), "block"),
                      Sizes.count(left.size(), "block")));
    } catch (RefusedException e) {
      reason = Objects.requireNonNullElse(e.getMessage(), "");
    }
    stage.compare(
        reason.matches(".*[0-9].*"), "repair refuses one node too many with numbers", reason);
    stage.narrator().line("  " + reason);
  }

  private static void mustFail(Stage stage, StoredFile file) {
    String reason;
    try {
      stage.hdfs().read(file.path(), Client.BRAID);
      reason = "";
    } catch (IOException e) {
      reason = Objects.requireNonNullElse(e.getMessage(), e.toString());
    }
    boolean numbers = reason.matches("(?s).*[0-9].*");
    stage.compare(
        numbers,
        "reading " + file.path() + " fails with numbers while too many nodes are lost",
        reason.isEmpty() ? "it did not fail" : reason);
    if (numbers) {
      stage.narrator().line("reading %s: %s".formatted(file.path(), beginning(reason)));
    }
  }

  /** Enough of a message to see its numbers; the report has all of it. */
  private static String beginning(String message) {
    String line = message.lines().findFirst().orElse("");
    return line.length() <= SHOWN_CHARS ? line : line.substring(0, SHOWN_CHARS) + "...";
  }

  /** The files that have a block which nothing determines any more. */
  private static List<StoredFile> unreadable(Stage stage, Holdings holdings, FatalLoss loss) {
    Set<Block> gone = new HashSet<>(loss.blocks());
    List<StoredFile> files = new ArrayList<>();
    int next = 0;
    // The view gives data blocks in the order of the files that were asked for.
    List<Block> data = holdings.view().blocks().stream().filter(b -> !b.parity()).toList();
    for (StoredFile file : stage.ledger().files) {
      int end = Math.min(data.size(), next + file.blocks());
      if (data.subList(next, end).stream().anyMatch(gone::contains)) {
        files.add(file);
      }
      next = end;
    }
    return files;
  }
}
