package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Stripes that lost data blocks to deletions are found without a look at the others. */
final class ReencodeTest {
  private static final Random RANDOM = Seeds.random(ReencodeTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(3, 6);

  private interface Listing {
    void to(NameNodeCalls.Page<StripeStatus> pages) throws IOException;
  }

  private static Set<String> ids(Listing listing) throws IOException {
    List<StripeStatus> found = new ArrayList<>();
    listing.to(found::addAll);
    Set<String> ids = new TreeSet<>();
    found.forEach(status -> ids.add(status.stripe().id()));
    assertEquals(found.size(), ids.size(), "each is listed once");
    return ids;
  }

  /** Three directories whose three small files share a stripe, of which one file is deleted. */
  private static void thin(String... directories) throws IOException {
    for (String directory : directories) {
      for (int i = 0; i < 3; i++) {
        fixture.write(directory + "/f" + i, ClusterFixture.BLOCK, 3, RANDOM);
      }
      fixture.convertAll("rs-3-2", directory);
    }
    for (String directory : directories) {
      fixture.fs.delete(new Path(directory + "/f1"), false);
    }
  }

  @Test
  void whatIsBelowAPathIsEncodedAnewAndNothingElse() throws Exception {
    thin("/here", "/there", "/elsewhere");
    // Of one stripe on a page.
    Configuration conf = fixture.hdfs.configuration();
    try (NameNodeCalls calls =
        new NameNodeCalls(new NameNodeLink(FileSystem.getDefaultUri(conf), conf), 1)) {
      Await.until(
          "the NameNode to note all",
          () -> {
            Set<String> noted = ids(calls::notedThinnedStripes);
            return noted.size() == 3 && noted.equals(ids(calls::thinnedStripes));
          });
      try (Cluster cluster = fixture.braid()) {
        assertEquals(
            1,
            cluster
                .preview(
                    new RepairRequest(
                        "/here", "chain", 2, ClusterFixture.SLICE, 1, Progress.SILENT))
                .reencoded());
      }
      assertEquals(1, fixture.repair("/here", "chain").reencoded());
      assertEquals(2, ids(calls::thinnedStripes).size());
      assertEquals(2, ids(calls::notedThinnedStripes).size());
      assertEquals(0, fixture.repair("/here", "chain").reencoded());
      assertEquals(2, fixture.repair("/", "chain").reencoded());
      assertEquals(Set.of(), ids(calls::notedThinnedStripes));
    }
    for (String directory : List.of("/here", "/there", "/elsewhere")) {
      fixture.assertReads(directory + "/f0");
      fixture.assertClean(directory);
    }
  }
}
