package org.braid.hdfs.coordinator.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.braid.code.Equation;
import org.braid.hdfs.coordinator.convert.StripeFinisher.Homes;
import org.braid.hdfs.coordinator.convert.StripeFinisher.NoPlaceException;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.session.KeptCopies;
import org.braid.hdfs.coordinator.session.StorageNeed;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.stripe.Stripe;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.shape.HelperOrder;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Where the blocks of a published stripe go while nodes stop and replicas are lost. */
final class StripeFinisherTest {
  private static final String[] HOMES = {"r0n0", "r1n0", "r2n0", "r3n0", "r4n0"};

  private final Set<String> avoided = new HashSet<>();
  private final KeptCopies kept = new KeptCopies();
  private FakeCluster cluster = new FakeCluster(5, 2);

  private Homes homes(String stripe) {
    return new Homes(cluster.status(stripe), cluster.look(), avoided, kept);
  }

  private Homes placed(String stripe) throws NoPlaceException {
    Homes homes = homes(stripe);
    return homes.of(homes.placed(new SplittableRandom(1)));
  }

  private static String home(Homes homes, int position) {
    return homes.status().stripe().member(position).home();
  }

  @Test
  void aHomeThatIsNoNodeAnyMoreGetsAnotherThoughSomethingFailedThere() throws Exception {
    cluster = new FakeCluster(5, 1);
    String id = cluster.stripe("rs-3-2", 1, "gone", "r1n0", "r2n0", "r3n0", "r4n0");
    cluster.copy(cluster.block(id, 0), "r1n0");
    avoided.add("r0n0");
    Homes homes = placed(id);
    assertEquals("r0n0", home(homes, 0));
    assertEquals(List.of(0), homes.homeless());
    assertEquals("r1n0", homes.state().name(homes.source(0)));
  }

  /** As when an operator corrects the topology between publication and trimming. */
  @Test
  void aHomeThatCameIntoTheRackOfAnotherHasOneOfThemGiveWay() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    assertEquals(List.of(), homes(id).homeless());
    cluster.join("r0n0", "/r1");
    assertEquals(List.of(1), homes(id).homeless());
    Homes homes = placed(id);
    assertEquals("r0n1", home(homes, 1));
    assertEquals(List.of(1), homes.homeless());
    assertEquals("r1n0", homes.state().name(homes.source(1)));
  }

  @Test
  void whereThereIsNoPlaceTheNumbersAreGiven() {
    cluster = new FakeCluster(5, 1);
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.copy(cluster.block(id, 0), "r1n0");
    cluster.kill("r0n0");
    avoided.add("r0n0");
    NoPlaceException e = assertThrows(NoPlaceException.class, () -> placed(id));
    assertTrue(e.refusal().getMessage().contains("4 eligible nodes in 4 racks"), e.getMessage());
    assertEquals(Set.of(), avoided);
  }

  @Test
  void aPlaceIsWaitedForWhileANodeDeletesOrIsSilentForAMoment() {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    assertFalse(homes(id).mayFindPlace());
    cluster.silence("r0n1");
    assertTrue(homes(id).mayFindPlace());
    cluster.heardOf("r0n1", 60_000);
    assertFalse(homes(id).mayFindPlace());
    cluster.deleting(cluster.block(id, 0), List.of("r0n1"));
    assertTrue(homes(id).mayFindPlace());
  }

  /** Else a copy that HDFS puts there later would stay unread, and all others be dropped. */
  @Test
  void aCopyThatWasCheckedAndIsLostCountsAsCheckedNoMore() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.copy(cluster.block(id, 0), "r0n1");
    kept.add(0, "r0n0");
    kept.add(1, "r1n0");
    cluster.kill("r0n0");
    assertEquals("r0n1", home(placed(id), 0));
    assertFalse(kept.isChecked(0, "r0n0"));
    assertTrue(kept.isChecked(1, "r1n0"));
  }

  /** HDFS lists a copy that is not on its disk any more until it looks at the disk. */
  @Test
  void aCopyAtHomeThatIsNotWhatWasEncodedGivesWayToAnother() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.copy(cluster.block(id, 0), "r0n1");
    kept.addFailed(0, "r0n0");
    assertEquals(List.of(0), homes(id).homeless());
    Homes homes = placed(id);
    assertEquals("r0n1", home(homes, 0));
    assertEquals(List.of(), homes.homeless());
  }

  /** The NameNode would not take the copy there for the one that stays. */
  @Test
  void aHomeWhoseNodeIsBeingTakenOutOfServiceIsGivenUp() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.retire("r0n0");
    assertEquals(List.of(0), homes(id).homeless());
    Homes homes = placed(id);
    assertEquals("r0n1", home(homes, 0));
    assertEquals(List.of(0), homes.homeless());
    assertEquals(List.of(), homes.lost());
    assertEquals("r0n0", homes.state().name(homes.source(0)), "its copy can still be read");
  }

  @Test
  void aHomeThatIsGivenUpGoesToANodeInServiceThatHasACopy() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.copy(cluster.block(id, 0), "r0n1");
    cluster.retire("r0n0");
    Homes homes = placed(id);
    assertEquals("r0n1", home(homes, 0));
    assertEquals(List.of(), homes.homeless());
  }

  /** All others are needed for it to stay, so what is refused says what is lacking. */
  @Test
  void whereNoOtherNodeCanTakeItTheNumbersAreGiven() {
    cluster = new FakeCluster(5, 1);
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.retire("r0n0");
    NoPlaceException e = assertThrows(NoPlaceException.class, () -> placed(id));
    assertTrue(e.refusal().getMessage().contains("4 eligible nodes in 4 racks"), e.getMessage());
  }

  @Test
  void aCopyThatFailedIsNoSource() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.copy(cluster.block(id, 0), "r1n1");
    kept.addFailed(0, "r0n0");
    Homes homes = placed(id);
    assertEquals("r0n1", home(homes, 0));
    assertEquals("r1n1", homes.state().name(homes.source(0)));
  }

  @Test
  void aCopyThatFailedIsTriedAgainWhereThereIsNoOtherPlace() throws Exception {
    cluster = new FakeCluster(5, 1);
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.copy(cluster.block(id, 0), "r1n0");
    kept.addFailed(0, "r0n0");
    Homes homes = placed(id);
    assertEquals("r0n0", home(homes, 0));
    assertEquals(List.of(), homes.homeless());
  }

  @Test
  void aBlockIsNotReadAgainWhereReadingItFailed() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    long block = cluster.block(id, 4);
    cluster.put(block, "r0n1");
    cluster.copy(block, "r1n1");
    assertEquals("r0n1", homes(id).state().name(homes(id).source(4)));
    avoided.add("r0n1");
    assertEquals("r1n1", homes(id).state().name(homes(id).source(4)));
    avoided.add("r1n1");
    assertEquals("r0n1", homes(id).state().name(homes(id).source(4)));
  }

  @Test
  void aBlockOnANodeThatIsSilentForAMomentIsWaitedFor() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.silence("r4n0");
    assertThrows(PlanFailedException.class, () -> homes(id).equations());
    cluster.heardOf("r4n0", 60_000);
    assertEquals(1, homes(id).equations().size());
  }

  /** The node of a parity that stopped once the stripe was published. */
  @Test
  void aBlockWithoutAReplicaIsComputedFromTheOthers() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r4n0");
    Homes homes = placed(id);
    assertEquals("r4n1", home(homes, 4));
    assertEquals(List.of(4), homes.lost());
    List<Equation> equations = homes.equations();
    assertEquals(
        List.of(0, 1, 2),
        equations.get(0).terms().stream().map(term -> term.source().block()).sorted().toList());
    assertArrayEquals(
        IntStream.range(0, 4).map(homes::home).toArray(), Arrays.copyOf(homes.sources(), 4));
    assertEquals(-1, homes.sources()[4]);
  }

  @Test
  void whatTheOthersDoNotDetermineIsNamed() {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    for (String home : List.of("r0n0", "r1n0", "r4n0")) {
      cluster.kill(home);
    }
    IOException lost = assertThrows(IOException.class, () -> homes(id).equations());
    assertEquals(
        "blk_100 of /f has no readable replica (nor have 2 more of its stripe), and its stripe's"
            + " other blocks do not determine it: bring their DataNodes back, then convert again",
        lost.getMessage());
  }

  /** Whatever becomes of nodes and replicas, what is planned can be carried out. */
  @Test
  void everyMoveIsFromAGoodReplicaToANodeThatHasNone() throws Exception {
    Random random = Seeds.random(getClass());
    int moved = 0;
    int refused = 0;
    int rebuilt = 0;
    for (int round = 0; round < 2000; round++) {
      cluster = new FakeCluster(5, 1 + random.nextInt(3));
      avoided.clear();
      kept.forgive();
      String id = cluster.stripe("rs-3-2", 1, HOMES);
      disturb(id, random);
      Homes homes;
      try {
        homes = placed(id);
      } catch (NoPlaceException e) {
        assertTrue(e.refusal().getMessage().contains("rack"), e.getMessage());
        refused++;
        continue;
      }
      Stripe stripe = homes.status().stripe();
      ClusterState state = homes.state();
      int[] nodes = IntStream.range(0, HOMES.length).map(homes::home).toArray();
      assertEquals(HOMES.length, Arrays.stream(nodes).distinct().count());
      for (int i : homes.homeless()) {
        int home = homes.home(i);
        assertTrue(state.eligible(home, 1, StorageNeed.of(homes.status(), List.of(i))));
        int source = homes.source(i);
        assertNotEquals(home, source);
        assertEquals(source < 0, homes.lost().contains(i));
        if (source >= 0) {
          assertEquals(3, RelocationPlanner.move(i, 1, source, home).steps().size());
          moved++;
        }
      }
      rebuilt += rebuilt(homes);
      assertTrue(
          stripe.rule(state.topology()).breaches(state.topology(), nodes, positions()).isEmpty());
    }
    assertTrue(moved > 100 && refused > 10, moved + " moved, " + refused + " refused");
    assertTrue(rebuilt > 10, rebuilt + " rebuilt");
  }

  private static List<Integer> positions() {
    return IntStream.range(0, HOMES.length).boxed().toList();
  }

  /** Plans what is rebuilt, if it can be. */
  private static int rebuilt(Homes homes) {
    List<Equation> equations;
    try {
      equations = homes.equations();
    } catch (IOException e) {
      return 0;
    }
    if (equations.isEmpty()) {
      return 0;
    }
    int[] sources = homes.sources();
    Network network = Network.of(homes.state().topology());
    Plan plan =
        HelperOrder.plan(
            RepairPlanners.named("chain"), equations, i -> sources[i], homes::home, network);
    assertFalse(plan.nodes().contains(-1));
    return 1;
  }

  private void disturb(String id, Random random) {
    List<String> nodes =
        new ArrayList<>(cluster.look().nodes().stream().map(n -> n.uuid()).toList());
    for (int i = 0; i < HOMES.length; i++) {
      long block = cluster.block(id, i);
      if (random.nextInt(4) == 0) {
        cluster.spoil(block, HOMES[i]);
      }
      for (int copies = random.nextInt(3); copies > 0; copies--) {
        String node = nodes.get(random.nextInt(nodes.size()));
        if (!cluster.holders(id, i).contains(node)) {
          if (random.nextInt(5) == 0) {
            cluster.copyBad(block, node);
          } else {
            cluster.copy(block, node);
          }
        }
      }
      if (random.nextInt(6) == 0) {
        List<String> others = new ArrayList<>(nodes);
        others.removeAll(cluster.holders(id, i));
        if (!others.isEmpty()) {
          cluster.deleting(block, List.of(others.get(random.nextInt(others.size()))));
        }
      }
      if (random.nextInt(6) == 0) {
        kept.addFailed(i, HOMES[i]);
      }
    }
    for (int stops = random.nextInt(3); stops > 0; stops--) {
      String node = nodes.get(random.nextInt(nodes.size()));
      switch (random.nextInt(4)) {
        case 0 -> cluster.kill(node);
        case 1 -> cluster.silence(node);
        case 2 -> cluster.retire(node);
        default -> avoided.add(node);
      }
    }
  }
}
