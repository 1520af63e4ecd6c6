package org.braid.cli.demo;

import java.io.IOException;
import java.util.List;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.testkit.embedded.EmbeddedHdfs.Client;

/**
 * Stops the node with most blocks, reads before the repair, repairs, and reads with HDFS's own
 * client. Then the node returns with its stale copies.
 */
final class NodeLossStep implements DemoStep {
  private final String shape;

  NodeLossStep(String shape) {
    this.shape = shape;
  }

  @Override
  public String title() {
    return "Lose the fullest node, repair by " + shape;
  }

  @Override
  public void run(DemoCluster demo) throws IOException {
    BlockLocations locations = demo.settled();
    List<Integer> heaviest = List.of(locations.heaviest(demo.hdfs()::runs).get(0));
    List<StoredFile> files = demo.log().files;
    boolean first = demo.log().repairs.isEmpty();
    double whole = first ? demo.readAll(files, Client.BRAID, "nothing lost") : 0;
    demo.stop(heaviest, locations);
    if (first) {
      double degraded = demo.readAll(files, Client.BRAID, "one node lost, nothing repaired");
      demo.printer()
          .line(
              "reading with decoding took %s, without decoding %s"
                  .formatted(Sizes.seconds(degraded), Sizes.seconds(whole)));
    }
    demo.repair(shape, "1 node");
    demo.readAll(files, Client.PLAIN, "repaired by " + shape);
    demo.start(heaviest);
  }
}
