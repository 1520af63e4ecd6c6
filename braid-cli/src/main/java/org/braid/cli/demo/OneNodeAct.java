package org.braid.cli.demo;

import java.io.IOException;
import java.util.List;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.EmbeddedHdfs.Client;

/**
 * Loses the node that holds most blocks, reads while nothing is repaired, repairs, reads with the
 * plain client. Then the node returns with its stale copies.
 */
final class OneNodeAct implements Act {
  private final String shape;

  OneNodeAct(String shape) {
    this.shape = shape;
  }

  @Override
  public String title() {
    return "Lose the fullest node, repair by " + shape;
  }

  @Override
  public void play(Stage stage) throws IOException {
    Holdings holdings = stage.settled();
    List<Integer> heaviest = List.of(holdings.heaviest(stage.hdfs()::runs).get(0));
    List<StoredFile> files = stage.ledger().files;
    boolean first = stage.ledger().repairs.isEmpty();
    double whole = first ? stage.readAll(files, Client.BRAID, "nothing lost") : 0;
    stage.stop(heaviest, holdings);
    if (first) {
      double degraded = stage.readAll(files, Client.BRAID, "one node lost, nothing repaired");
      stage
          .narrator()
          .line(
              "reading with decoding takes %s, without %s"
                  .formatted(Sizes.seconds(degraded), Sizes.seconds(whole)));
    }
    stage.repair(shape, "1 node");
    stage.readAll(files, Client.PLAIN, "repaired by " + shape);
    stage.start(heaviest);
  }
}
