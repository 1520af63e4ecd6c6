package org.braid.cli.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.EmbeddedHdfs.Client;

/** Loses as many nodes at once as the code tolerates. */
final class ToleranceAct implements Act {
  private final int m;

  /** For a code that survives any m lost blocks of a stripe. */
  ToleranceAct(int m) {
    this.m = m;
  }

  @Override
  public String title() {
    return "Lose " + Sizes.count(m, "node") + " at once, all that the code tolerates";
  }

  @Override
  public void play(Stage stage) throws IOException {
    Holdings holdings = stage.settled();
    List<Integer> chosen = choose(stage, holdings);
    List<StoredFile> files = stage.ledger().files;
    stage.stop(chosen, holdings);
    stage.readAll(files, Client.BRAID, Sizes.count(m, "node") + " lost, nothing repaired");
    List<Integer> still = stage.startUntilRoom(chosen);
    stage.repair("chain", Sizes.count(m, "node"));
    stage.readAll(files, Client.PLAIN, "repaired by chain");
    stage.start(still);
  }

  /** Heavy nodes, if possible such that the remaining ones can hold a stripe. */
  private List<Integer> choose(Stage stage, Holdings holdings) {
    List<Integer> chosen = new ArrayList<>();
    List<Integer> order = holdings.heaviest(stage.hdfs()::runs);
    for (int node : order) {
      if (chosen.size() < m
          && stage.hasRoom(n -> stage.hdfs().runs(n) && n != node && !chosen.contains(n))) {
        chosen.add(node);
      }
    }
    for (int node : order) {
      if (chosen.size() < m && !chosen.contains(node)) {
        chosen.add(node);
      }
    }
    return chosen;
  }
}
