package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.stripe.StripeStatus;
import org.junit.jupiter.api.Test;

final class RepairRoundsTest {
  private final FakeCluster cluster = new FakeCluster(5, 1);

  /** A stripe that lacks some blocks. */
  private Damaged stripe(int inode, int lost) {
    String id = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
    IntStream.range(0, lost).forEach(i -> cluster.lose(cluster.block(id, i)));
    StripeStatus known = cluster.status(id);
    StripeStatus status = new StripeStatus(known.stripe(), "/p", inode, known.members());
    return Damaged.of(status, cluster.look(), new BadReplicas());
  }

  private static List<Long> inodes(List<Damaged> stripes) {
    return stripes.stream().map(stripe -> stripe.status().parityInode()).toList();
  }

  @Test
  void aDamagedStripeIsTakenOnceUnlessItGetsWorse() {
    RepairRounds rounds = new RepairRounds(1);
    assertTrue(rounds.takes(stripe(1, 1)));
    assertTrue(rounds.takes(stripe(2, 2)));
    assertFalse(rounds.takes(stripe(1, 1))); // on another page
    assertFalse(rounds.next());
    assertFalse(rounds.takes(stripe(2, 1))); // it was not repaired
    assertTrue(rounds.takes(stripe(1, 2)));
    assertFalse(rounds.takes(stripe(1, 2)));
  }

  @Test
  void whatIsToBeDroppedIsBoundedToo() {
    RepairRounds rounds = new RepairRounds(2);
    List<Damaged> all = List.of(stripe(1, 0), stripe(2, 0), stripe(3, 0));
    all.forEach(rounds::addCrowded);
    rounds.addReplicated(stripe(9, 0));
    assertEquals(List.of(1L, 2L), inodes(rounds.crowded()));
    assertEquals(List.of(9L), inodes(rounds.replicated()));
    assertTrue(rounds.next());
    all.forEach(rounds::addCrowded);
    assertEquals(List.of(3L), inodes(rounds.crowded()));
    assertFalse(rounds.next());
  }
}
