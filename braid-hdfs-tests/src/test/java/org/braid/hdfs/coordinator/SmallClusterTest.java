package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairReport.Repaired;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.Disks;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A cluster of as many nodes as a stripe has blocks: where a replica rots, no other node has a
 * place for its block, and its own has the bad replica in that place.
 */
final class SmallClusterTest {
  private static final Random RANDOM = Seeds.random(SmallClusterTest.class);
  private static final String PATH = "/f";
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(5, 5);

  @BeforeEach
  void convert() throws Exception {
    fixture.write(PATH, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", PATH);
    fixture.assertConverted(PATH);
  }

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
    fixture.deleteAll();
    fixture.repair("/", "chain");
  }

  /** Lets replicas rot, and has HDFS told of it; returned are their blocks' names. */
  private static Set<String> rot(StripeStatus stripe, int... positions) throws IOException {
    Set<String> names = new HashSet<>();
    for (int position : positions) {
      BlockIdentity block = stripe.stripe().member(position).block();
      Disks.flip(fixture.hdfs, fixture.homes(stripe).get(position), block.id(), 100);
      names.add(block.name());
    }
    assertEquals(positions.length, fixture.scrub("/").findings().size());
    Await.until(
        "the bad replicas to be known",
        () ->
            Movers.stripeOf(fixture, PATH).members().stream()
                    .filter(
                        member -> member.status().replicas().stream().anyMatch(Replica::corrupt))
                    .count()
                == positions.length);
    return names;
  }

  /** Each block is on its node; of several that were at stand-ins two may have changed places. */
  private static void assertWhole(StripeStatus before, int damaged) throws IOException {
    List<Integer> homes = fixture.homes(before);
    List<Integer> now = fixture.homes(Movers.stripeOf(fixture, PATH));
    if (damaged == 1) {
      assertEquals(homes, now);
    }
    assertEquals(Set.copyOf(homes), Set.copyOf(now));
    fixture.assertReads(PATH);
    fixture.assertConverted(PATH);
    fixture.assertTolerant(PATH);
    fixture.assertClean(PATH);
  }

  private static Set<String> names(RepairReport report) {
    Set<String> names = new HashSet<>();
    report.repaired().stream().map(Repaired::name).forEach(names::add);
    return names;
  }

  @Test
  void aReplicaThatRotsIsReplacedOnItsNode() throws Exception {
    assertReplaced("chain", 0);
  }

  @Test
  void asManyAsTheCodeSurvivesAreReplaced() throws Exception {
    assertReplaced("star", 1, 4);
  }

  private static void assertReplaced(String shape, int... positions) throws Exception {
    StripeStatus stripe = Movers.stripeOf(fixture, PATH);
    Set<String> rotten = rot(stripe, positions);
    RepairReport report = fixture.repair("/", shape);
    assertEquals(List.of(), report.unrepairable());
    assertEquals(rotten, names(report));
    assertWhole(stripe, positions.length);
  }

  /** The block is on two nodes, or on another one than it should be, and the next repair sees. */
  @Test
  void theNextRepairBringsABlockHomeThatARepairLeftAtItsStandIn() throws Exception {
    StripeStatus stripe = Movers.stripeOf(fixture, PATH);
    rot(stripe, 2);
    AtomicBoolean reached = new AtomicBoolean();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.REPAIR_HOMED) {
            reached.set(true);
            throw new Stopper.Halt("the coordinator ends");
          }
        });
    assertThrows(Stopper.Halt.class, () -> fixture.repair("/", "chain"));
    assertTrue(reached.get());
    InjectedFaults.clear();
    fixture.assertReads(PATH);
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    assertWhole(stripe, 1);
  }

  /** Nothing is placed where the rule forbids it for want of a node: that is refused. */
  @Test
  void aBlockWhoseNodeIsGoneFindsNoPlace() throws Exception {
    StripeStatus stripe = Movers.stripeOf(fixture, PATH);
    int gone = fixture.homes(stripe).get(0);
    fixture.hdfs.stopNode(gone);
    fixture.hdfs.awaitDead(gone);
    RepairReport report = fixture.repair("/", "chain");
    assertFalse(report.unrepairable().isEmpty());
    assertEquals(List.of(), report.repaired());
    fixture.startAll();
    assertWhole(stripe, 1);
  }
}
