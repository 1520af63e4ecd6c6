package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.braid.hdfs.stripe.StoredFile;
import org.junit.jupiter.api.Test;

final class StripeMapTest {
  private final FakeCluster cluster = new FakeCluster(6, 2);
  private final String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");

  /** Whether a file of the first block is restored. */
  private boolean isRestored(int replication) {
    StoredFile file =
        new StoredFile(
            "/f",
            7,
            1 << 20,
            1 << 20,
            replication,
            List.of(cluster.status(stripe).member(0).status()),
            List.of(),
            "",
            Optional.empty(),
            StoredFile.Usage.UNKNOWN);
    return StripeMap.of(cluster.stripes()).isRestored(file);
  }

  /** Else policies would restore it at each walk for as long as the others are encoded. */
  @Test
  void aFileIsRestoredWhenItHasItsReplicasAndOthersNeedItsStripe() {
    long block = cluster.block(stripe, 0);
    assertFalse(isRestored(1));
    cluster.raise(block, 3);
    cluster.copy(block, "r5n0");
    assertFalse(isRestored(3));
    cluster.copy(block, "r5n1");
    assertTrue(isRestored(3));
  }

  @Test
  void parityThatNobodyNeedsIsToGo() {
    for (int i = 0; i < 3; i++) {
      cluster.raise(cluster.block(stripe, i), 3);
      cluster.copy(cluster.block(stripe, i), "r5n0");
      cluster.copy(cluster.block(stripe, i), "r5n1");
    }
    assertFalse(isRestored(3));
  }
}
