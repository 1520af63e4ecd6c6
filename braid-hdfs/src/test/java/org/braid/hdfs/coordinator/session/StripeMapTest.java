package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.StoredFile;
import org.junit.jupiter.api.Test;

final class StripeMapTest {
  private final FakeCluster cluster = new FakeCluster(6, 2);
  private final String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");

  /** Whether a file of the first block is restored. */
  private boolean isRestored(int replication) {
    return StripeMap.of(cluster.stripes()).isRestored(file(replication));
  }

  private StoredFile file(int replication) {
    return FakeFile.at("/f", 7)
        .length(1 << 20, 1 << 20)
        .replication(replication)
        .blocks(cluster.status(stripe).member(0).status())
        .build();
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

  /** Else a policy would take back at each walk what users ask for. */
  @Test
  void aReplicationThatUsersSetSinceIsEnough() {
    long block = cluster.block(stripe, 0);
    cluster.raise(block, 2);
    assertFalse(isRestored(2), "a replica is missing");
    cluster.copy(block, "r5n0");
    assertTrue(isRestored(2));
    StripeMap map = StripeMap.of(cluster.stripes());
    assertEquals(3, map.replicationAsUsersWant(file(1)), "nobody set that");
    assertEquals(2, map.replicationAsUsersWant(file(2)));
    assertEquals(4, map.replicationAsUsersWant(file(4)));
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

  /** Its parity alone protects it, and stays. */
  @Test
  void aFileThatHadOneReplicaIsRestored() {
    assertTrue(encodedWithOneReplica().isRestored(file(1)));
  }

  /** Else what is left of a stripe would count as thinned for ever, whatever repair does. */
  @Test
  void aFileThatGetsNoNewParityGetsASecondReplica() {
    assertEquals(2, encodedWithOneReplica().replicationWithoutParity(file(1)));
    assertEquals(3, encodedWithOneReplica().replicationWithoutParity(file(3)));
    StripeMap replicated = StripeMap.of(cluster.stripes());
    int original = replicated.originalReplication(file(1));
    assertTrue(original > 1, "replication " + original);
    assertEquals(original, replicated.replicationWithoutParity(file(1)));
    // Users want one replica of what is in no stripe.
    assertEquals(1, StripeMap.of(List.of()).replicationWithoutParity(file(1)));
  }

  private StripeMap encodedWithOneReplica() {
    return StripeMap.of(List.of(cluster.encodedWithOneReplica(stripe)));
  }
}
