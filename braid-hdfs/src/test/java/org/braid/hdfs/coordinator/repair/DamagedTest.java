package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.plan.manage.RepairPriority;
import org.braid.plan.manage.RepairPriority.Urgency;
import org.junit.jupiter.api.Test;

final class DamagedTest {
  private static final long NEVER_BACK = Long.MIN_VALUE / 2;

  private final FakeCluster cluster = new FakeCluster(5, 2);
  private final String id = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");

  private Damaged damaged() {
    StripeStatus status = cluster.status(id);
    return Damaged.of(status, cluster.look(), new BadReplicas());
  }

  private RepairPriority priority() {
    return LostStripes.priority(damaged(), cluster.look(), false, 1000);
  }

  @Test
  void copiesTooManyAreThoseThatCanBeRead() {
    assertEquals(0, damaged().surplus(cluster.look()));
    cluster.copy(cluster.block(id, 1), "r1n1");
    cluster.copy(cluster.block(id, 4), "r4n1");
    assertEquals(2, damaged().surplus(cluster.look()));
    cluster.kill("r4n0");
    assertEquals(1, damaged().surplus(cluster.look()));
  }

  @Test
  void parityIsOfNoUseOnceAllDataBlocksHaveTheReplicasThatUsersWant() {
    for (int i = 0; i < 3; i++) {
      assertFalse(cluster.status(id).isReplicated(), i + " of 3 are replicated");
      cluster.raise(cluster.block(id, i), 2);
      assertFalse(cluster.status(id).isReplicated(), "block " + i + " has one copy still");
      cluster.copy(cluster.block(id, i), "r" + i + "n1");
    }
    assertTrue(cluster.status(id).isReplicated());
    cluster.kill("r1n1");
    assertFalse(cluster.status(id).isReplicated());
  }

  @Test
  void parityIsOfNoUseToBlocksThatALaterStripeProtects() {
    for (int i = 1; i < 3; i++) {
      cluster.raise(cluster.block(id, i), 2);
      cluster.copy(cluster.block(id, i), "r" + i + "n1");
    }
    StripeStatus status = cluster.status(id);
    assertFalse(status.isReplicated());
    List<MemberStatus> members = new ArrayList<>(status.members());
    MemberStatus old = members.get(0);
    members.set(
        0,
        new MemberStatus(
            old.status(),
            old.path(),
            old.inode(),
            false,
            false,
            old.fileReplication(),
            false,
            true,
            old.token()));
    assertTrue(new StripeStatus(status.stripe(), "/p", 8, members).isReplicated());
  }

  @Test
  void aLossCountsFromTheMomentItsNodeFellSilent() {
    cluster.put(cluster.block(id, 1), "r0n1");
    assertEquals(new RepairPriority(Urgency.MOVE, 1000), priority());
    cluster.silence("r2n0");
    cluster.heardOf("r2n0", 300);
    assertEquals(new RepairPriority(Urgency.LOSS, 700), priority());
    cluster.silence("r3n0");
    cluster.heardOf("r3n0", 900);
    assertEquals(new RepairPriority(Urgency.LOSS, 100), priority());
    assertEquals(
        new RepairPriority(Urgency.READ, 1000),
        LostStripes.priority(damaged(), cluster.look(), true, 1000));
  }

  @Test
  void aBlockThatIsLostThoughItsNodeAnswersDoesNotComeBack() {
    cluster.lose(cluster.block(id, 2));
    assertEquals(new RepairPriority(Urgency.LOSS, NEVER_BACK), priority());
  }

  @Test
  void aBlockOfANodeThatHasNotReportedYetCountsFromItsRegistration() {
    cluster.lose(cluster.block(id, 2));
    cluster.unreported("r2n0", 400);
    assertEquals(new RepairPriority(Urgency.LOSS, 600), priority());
    cluster.reported("r2n0");
    assertEquals(new RepairPriority(Urgency.LOSS, NEVER_BACK), priority());
  }

  @Test
  void aBadCopyDoesNotComeBackWithAReport() {
    cluster.spoil(cluster.block(id, 2), "r2n0");
    cluster.unreported("r2n0", 400);
    assertEquals(new RepairPriority(Urgency.LOSS, NEVER_BACK), priority());
  }

  @Test
  void aCopyThatIsListedButNotTrustedMayReturn() {
    ClusterState state = cluster.look();
    assertFalse(damaged().mayReturn(state));
    cluster.distrust("r2n0");
    assertEquals(List.of(2), damaged().members().lost());
    assertTrue(damaged().mayReturn(state));
    cluster.kill("r2n0");
    assertFalse(damaged().mayReturn(cluster.look()));
  }
}
