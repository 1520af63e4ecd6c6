package org.braid.plan.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.braid.placement.Topology;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class ClusterSnapshotTest {
  private final Topology topology = Topology.of(3, 4);

  @Test
  void aBuilderMakesWhatChangesOneByOneMake() {
    Random random = Seeds.random(ClusterSnapshotTest.class);
    ClusterSnapshot changed = ClusterSnapshot.of(topology);
    ClusterSnapshot.Builder builder = ClusterSnapshot.builder(topology);
    for (int i = 0; i < 40; i++) {
      int node = random.nextInt(topology.nodes());
      int number = random.nextInt(100);
      switch (random.nextInt(4)) {
        case 0 -> {
          changed = changed.without(node);
          builder.without(node);
        }
        case 1 -> {
          changed = changed.withUpgradeDomain(node, number);
          builder.upgradeDomain(node, number);
        }
        case 2 -> {
          changed = changed.withUserLoad(node, number);
          builder.userLoad(node, number);
        }
        default -> {
          changed = changed.withRepairs(node, number);
          builder.repairs(node, number);
        }
      }
      assertSame(changed, builder.build());
    }
  }

  private void assertSame(ClusterSnapshot expected, ClusterSnapshot built) {
    for (int node = 0; node < topology.nodes(); node++) {
      assertEquals(expected.eligible(node), built.eligible(node));
      assertEquals(expected.upgradeDomain(node), built.upgradeDomain(node));
      assertEquals(expected.userLoad(node), built.userLoad(node));
      assertEquals(expected.repairs(node), built.repairs(node));
    }
  }

  @Test
  void aSnapshotStaysAsItWasBuilt() {
    ClusterSnapshot.Builder builder = ClusterSnapshot.builder(topology);
    ClusterSnapshot before = builder.build();
    builder.without(1).upgradeDomain(1, 5).userLoad(1, 7).repairs(1, 2);
    assertSame(ClusterSnapshot.of(topology), before);
    assertTrue(before.eligible(1));
  }

  @Test
  void wrongNumbersAreRefused() {
    ClusterSnapshot.Builder builder = ClusterSnapshot.builder(topology);
    assertEquals(
        "upgrade domain -1, needed is 0 or more",
        assertThrows(IllegalArgumentException.class, () -> builder.upgradeDomain(0, -1))
            .getMessage());
    assertEquals(
        "user load NaN, needed is 0 or more",
        assertThrows(IllegalArgumentException.class, () -> builder.userLoad(0, Double.NaN))
            .getMessage());
  }
}
