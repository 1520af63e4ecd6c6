package org.braid.cli.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs.Client;

/** Stops as many nodes as the code tolerates, then reads and repairs. */
final class ToleratedLossStep implements DemoStep {
  private final int m;

  /** For a code that survives any m lost blocks of a stripe. */
  ToleratedLossStep(int m) {
    this.m = m;
  }

  @Override
  public String title() {
    return "Lose " + Sizes.count(m, "node") + " at once, all that the code tolerates";
  }

  @Override
  public void run(DemoCluster demo) throws IOException {
    BlockLocations locations = demo.settled();
    List<Integer> chosen = choose(demo, locations);
    List<StoredFile> files = demo.log().files;
    demo.stop(chosen, locations);
    demo.readAll(files, Client.BRAID, Sizes.count(m, "node") + " lost, nothing repaired");
    List<Integer> still = demo.startUntilRoom(chosen);
    demo.repair("chain", Sizes.count(m, "node"));
    demo.readAll(files, Client.PLAIN, "repaired by chain");
    demo.start(still);
  }

  /** Nodes with most blocks, if possible such that the other nodes can hold a stripe. */
  private List<Integer> choose(DemoCluster demo, BlockLocations locations) {
    List<Integer> chosen = new ArrayList<>();
    List<Integer> order = locations.heaviest(demo.hdfs()::runs);
    for (int node : order) {
      if (chosen.size() < m
          && demo.hasRoom(n -> demo.hdfs().runs(n) && n != node && !chosen.contains(n))) {
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
