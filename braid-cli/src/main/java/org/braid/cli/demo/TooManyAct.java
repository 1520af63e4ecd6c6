package org.braid.cli.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.cli.text.Sizes;
import org.braid.hdfs.EmbeddedHdfs.Client;
import org.braid.hdfs.api.PlacementView.Block;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairReport.Unrepairable;

/** Loses one node more than the code tolerates: refused with numbers, and nothing made worse. */
final class TooManyAct implements Act {
  private static final int SHOWN_CHARS = 180;

  private final int m;

  /** For a code that survives any m lost blocks of a stripe. */
  TooManyAct(int m) {
    this.m = m;
  }

  @Override
  public String title() {
    return "Lose " + (m + 1) + " nodes at once, one too many";
  }

  @Override
  public void play(Stage stage) throws IOException {
    Holdings holdings = stage.settled();
    Loss loss =
        Loss.smallest(holdings, m, stage.hdfs()::runs)
            .orElseThrow(() -> new IOException("no stripe has " + (m + 1) + " stored blocks"));
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
    stage.repair("chain", (m + 1) + " nodes, 1 back");
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

  /** The files that have a lost block in a lost stripe. */
  private static List<StoredFile> unreadable(Stage stage, Holdings holdings, Loss loss) {
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

  /**
   * Nodes whose loss is one too many for a stripe.
   *
   * @param nodes m + 1 nodes
   * @param blocks lost blocks of stripes that cannot be decoded without them
   */
  private record Loss(List<Integer> nodes, Set<Block> blocks) {
    private static final int TRIES = 20_000;

    /** The loss that hurts the fewest stripes, among a bounded number of candidates. */
    static Optional<Loss> smallest(Holdings holdings, int m, java.util.function.IntPredicate runs) {
      Optional<Loss> best = Optional.empty();
      int fewest = Integer.MAX_VALUE;
      int tries = 0;
      for (List<Block> stripe : holdings.stripes().values()) {
        List<Integer> nodes =
            stripe.stream().flatMap(b -> holdings.holders(b, runs).stream()).distinct().toList();
        // Runs of neighbours in the stripe's order are candidates enough.
        for (int from = 0; from < nodes.size() && nodes.size() > m; from++) {
          List<Integer> down = new ArrayList<>();
          for (int i = 0; i <= m; i++) {
            down.add(nodes.get((from + i) % nodes.size()));
          }
          Set<Integer> lost = holdings.lostStripes(m, n -> runs.test(n) && !down.contains(n));
          if (!lost.isEmpty() && lost.size() < fewest) {
            fewest = lost.size();
            best = Optional.of(new Loss(down, blocks(holdings, lost, down, runs)));
          }
          tries++;
          if (fewest == 1 || tries > TRIES) {
            return best;
          }
        }
      }
      return best;
    }

    private static Set<Block> blocks(
        Holdings holdings,
        Set<Integer> stripes,
        List<Integer> down,
        java.util.function.IntPredicate runs) {
      Set<Block> blocks = new HashSet<>(holdings.lost(n -> runs.test(n) && !down.contains(n)));
      blocks.removeIf(block -> !stripes.contains(block.stripe()));
      return blocks;
    }
  }
}
