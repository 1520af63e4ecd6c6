package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.hdfs.api.FsckReport.BlockState;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Codes that are not Reed-Solomon on HDFS: their true tolerance and their local repairs count. */
final class OtherCodesTest {
  private static final Random RANDOM = Seeds.random(OtherCodesTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(12, 24);

  @AfterEach
  void wakeAll() throws Exception {
    fixture.startAll();
  }

  /** The last columns: the repair's shape, and blocks that the repair of data block 0 reads. */
  @ParameterizedTest
  @CsvSource({
    "lrc-10-2-2, chain, 5",
    "xorbas-10-6-5, chain, 5",
    "mxor-10-7, chain, 2",
    "xor-4-1, chain, 4",
    "flr-n14-g4-l2, chain, 4",
    "rotated-rs-6-3-4, star, 7",
    "hitchhiker-xor-4-3, star, 5",
    "clay-4-2-5, star, 5"
  })
  void lossesAreReadAndRepairedWithinTheGroup(String name, String shape, int helpers)
      throws Exception {
    ErasureCode code = Codes.named(name);
    String path = "/" + name + "/f";
    fixture.write(path, code.k() * ClusterFixture.BLOCK - 77, 3, RANDOM);
    fixture.convertAll(name, "/" + name);
    fixture.assertConverted("/" + name);
    fixture.assertReads(path);
    fixture.assertTolerant("/" + name);
    StripeStatus stripe = stripeOf(path);
    List<Integer> homes = fixture.homes(stripe);
    fixture.hdfs.stopNode(homes.get(0));
    fixture.assertReadsDegraded(path);
    BlockState before = fixture.fsck(path).files().get(0).findings().get(0);
    assertEquals(State.REPAIRABLE, before.state());
    assertEquals(Tolerance.spare(code, List.of(0), code.m()), before.spare(), before.toString());
    RepairReport report = fixture.repair(path, shape);
    assertEquals(List.of(), report.unrepairable());
    assertEquals(1, report.repaired().size());
    assertEquals(
        helpers,
        report.examples().get(0).nodes().stream().mapToInt(n -> n.reads().size()).sum(),
        () -> name + " read from " + report.examples().get(0).nodes());
    fixture.assertClean(path);
  }

  @ParameterizedTest
  @CsvSource({"lrc-10-2-2", "xorbas-10-6-5", "mxor-10-7", "rotated-rs-6-3-4", "clay-4-2-5"})
  void asManyLossesAsTheCodeSurvivesWhicheverTheyAre(String name) throws Exception {
    ErasureCode code = Codes.named(name);
    String path = "/many-" + name + "/f";
    fixture.write(path, code.k() * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll(name, path);
    fixture.assertConverted(path);
    List<Integer> homes = new ArrayList<>(fixture.homes(stripeOf(path)));
    Collections.shuffle(homes, RANDOM);
    for (int node : homes.subList(0, Tolerance.counted(code))) {
      fixture.hdfs.stopNode(node);
    }
    fixture.assertReadsDegraded(path);
    RepairReport report = fixture.repair(path, "ppr");
    assertEquals(List.of(), report.unrepairable());
    fixture.assertReads(path);
    fixture.assertTolerant(path);
  }

  @Test
  void aGroupGivesItsBlockBackWhereTheRestIsBeyondHelp() throws Exception {
    String path = "/beyond/f";
    fixture.write(path, 10 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("lrc-10-2-2", path);
    fixture.assertConverted(path);
    List<Integer> homes = fixture.homes(stripeOf(path));
    // Four of the second group are one more than its parity and the two global ones determine.
    for (int position : List.of(0, 5, 6, 7, 8)) {
      fixture.hdfs.stopNode(homes.get(position));
    }
    Map<Integer, State> states = new TreeMap<>();
    fixture.fsck(path).files().get(0).findings().forEach(f -> states.put(f.index(), f.state()));
    assertEquals(State.REPAIRABLE, states.get(0), states.toString());
    for (int position : List.of(5, 6, 7, 8)) {
      assertEquals(State.LOST, states.get(position), states.toString());
    }
    RepairReport report = fixture.repair(path, "chain");
    assertEquals(List.of(0), report.repaired().stream().map(RepairReport.Repaired::block).toList());
    assertEquals(
        List.of(5, 6, 7, 8),
        report.unrepairable().stream().map(RepairReport.Unrepairable::block).sorted().toList());
    assertTrue(
        report.unrepairable().get(0).reason().startsWith("9 of the 14 blocks"),
        report.unrepairable().get(0).reason());
    fixture.startAll();
    assertEquals(List.of(), fixture.repair(path, "chain").unrepairable());
    fixture.assertReads(path);
    fixture.assertTolerant(path);
  }

  @Test
  void aRackHoldsNoMoreThanTheCodeSurvives() throws Exception {
    fixture.write("/racks/f", 10 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("mxor-10-7", "/racks");
    assertTrue(stripeOf("/racks/f").stripe().promise().perRack() <= 2);
  }

  private static StripeStatus stripeOf(String path) throws Exception {
    long id = fixture.files(path).get(0).blocks().get(0).block().id();
    try (NameNodeCalls calls = fixture.calls()) {
      return calls.stripesOf(List.of(id)).get(0);
    }
  }
}
