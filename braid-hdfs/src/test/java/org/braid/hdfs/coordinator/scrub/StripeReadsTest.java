package org.braid.hdfs.coordinator.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.braid.hdfs.api.ScrubReport.Unchecked;
import org.braid.hdfs.coordinator.scrub.StripeReads.Read;
import org.braid.hdfs.coordinator.scrub.StripeReads.Why;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.stripe.StripeStatus;
import org.junit.jupiter.api.Test;

final class StripeReadsTest {
  private final FakeCluster cluster = new FakeCluster(6, 2);
  private final String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");

  private long block(int position) {
    return cluster.block(stripe, position);
  }

  /** What is read, as position, node and reason. */
  private List<String> reads() {
    ClusterState state = cluster.look();
    return StripeReads.of(cluster.status(stripe), state).reads().stream()
        .map(read -> read.position() + " " + state.name(read.node()) + " " + read.why())
        .toList();
  }

  private List<Unchecked> unchecked() {
    return StripeReads.of(cluster.status(stripe), cluster.look()).unchecked();
  }

  @Test
  void eachReplicaThatTheNameNodeCountsOnIsRead() {
    assertEquals(
        List.of(
            "0 r0n0 LISTED", "1 r1n0 LISTED", "2 r2n0 LISTED", "3 r3n0 LISTED", "4 r4n0 LISTED"),
        reads());
    cluster.copy(block(1), "r5n0");
    cluster.raise(block(1), 2);
    assertTrue(reads().contains("1 r5n0 LISTED"));
    assertEquals(6, reads().size());
  }

  @Test
  void whatIsKnownToBeBadIsNotReadAgain() {
    cluster.copyBad(block(0), "r5n0");
    assertEquals(5, reads().size());
    assertEquals(List.of(), unchecked());
  }

  /** Else a scrub would say that all was read and is as it was encoded. */
  @Test
  void blocksOfWhichNoGoodCopyIsKnownAreNotReadAndSaid() {
    cluster.spoil(block(0), "r0n0");
    cluster.kill("r1n0");
    cluster.lose(block(1));
    assertEquals(3, reads().size());
    assertEquals(List.of("r0n0", "r1n0"), unchecked().stream().map(Unchecked::node).toList());
    assertTrue(unchecked().get(1).reason().startsWith("it is lost"), unchecked().toString());
    assertEquals(2, StripeReads.of(cluster.status(stripe), cluster.look()).lost());
    for (int i = 0; i < 3; i++) {
      cluster.raise(block(i), 3);
    }
    assertEquals(List.of(), unchecked(), "nothing needs the stripe");
  }

  @Test
  void nodesThatDoNotAnswerAreNamed() {
    cluster.kill("r0n0");
    cluster.silence("r1n0");
    cluster.distrust("r2n0");
    assertEquals(List.of("3 r3n0 LISTED", "4 r4n0 LISTED"), reads());
    assertEquals(
        List.of(
            "does not answer", "does not answer", "the NameNode does not count on its disk yet"),
        unchecked().stream().map(Unchecked::reason).toList());
  }

  @Test
  void aHomeWithoutAReplicaIsAsked() {
    cluster.lose(block(0));
    cluster.put(block(1), "r5n0");
    assertTrue(reads().contains("0 r0n0 HOME"), reads().toString());
    assertTrue(reads().contains("1 r5n0 LISTED"), reads().toString());
    assertTrue(reads().contains("1 r1n0 HOME"), reads().toString());
    assertEquals(6, reads().size());
    // Its node is away: that is no fault of a disk.
    cluster.silence("r0n0");
    assertFalse(reads().contains("0 r0n0 HOME"), reads().toString());
    // Users want several replicas, or one is on its way: no home is needed.
    cluster.raise(block(1), 3);
    assertFalse(reads().contains("1 r1n0 HOME"), reads().toString());
    cluster.put(block(2), "r5n1");
    cluster.deleting(block(2), List.of("r2n0"));
    assertFalse(reads().contains("2 r2n0 HOME"), reads().toString());
  }

  @Test
  void blocksOfLaterStripesAreReadWithThese() {
    cluster.reencode(block(2));
    assertEquals(4, reads().size());
  }

  @Test
  void whatIsNotThereAnyMoreIsNoFinding() {
    ClusterState state = cluster.look();
    StripeStatus before = cluster.status(stripe);
    Read listed = StripeReads.of(before, state).reads().get(1);
    assertTrue(StripeReads.isValid(listed, before, state));
    cluster.spoil(block(1), "r1n0");
    assertTrue(StripeReads.isValid(listed, cluster.status(stripe), state), "reported just now");
    cluster.put(block(1), "r5n0");
    assertFalse(StripeReads.isValid(listed, cluster.status(stripe), state), "moved");
    Read home = new Read(cluster.status(stripe), 1, listed.node(), Why.HOME);
    assertTrue(StripeReads.isValid(home, cluster.status(stripe), state));
    cluster.put(block(1), "r1n0");
    assertFalse(StripeReads.isValid(home, cluster.status(stripe), state), "it came");
    cluster.reencode(block(1));
    assertFalse(StripeReads.isValid(listed, cluster.status(stripe), state), "in a later stripe");
    String other = cluster.stripe("rs-3-2", 1, "r0n1", "r1n1", "r2n1", "r3n1", "r4n1");
    assertFalse(StripeReads.isValid(listed, cluster.status(other), state), "another stripe");
  }

  @Test
  void aStripeIsReadWithItsFirstBlockBelowThePath() {
    StripeStatus status = cluster.status(stripe);
    assertTrue(Scrubber.isFirstSeen(status, "/f", java.util.Set.of(block(0), block(2))));
    assertFalse(Scrubber.isFirstSeen(status, "/f", java.util.Set.of(block(1), block(2))));
    assertTrue(Scrubber.isFirstSeen(status, "/snapshot", java.util.Set.of(block(1))));
    cluster.reencode(block(0));
    assertTrue(
        Scrubber.isFirstSeen(cluster.status(stripe), "/f", java.util.Set.of(block(1), block(2))));
  }
}
