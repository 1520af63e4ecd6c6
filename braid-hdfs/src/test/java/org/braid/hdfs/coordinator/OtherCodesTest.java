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
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Codes that are not Reed-Solomon on HDFS: their true tolerance and their local repairs count. */
final class OtherCodesTest {
  private static final Random RANDOM = Seeds.random(OtherCodesTest.class);
  private static Lab lab;

  @BeforeAll
  static void start() throws Exception {
    lab = new Lab(12, 24);
  }

  @AfterAll
  static void stop() throws Exception {
    lab.close();
  }

  @AfterEach
  void wakeAll() throws Exception {
    lab.startAll();
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
    lab.write(path, code.k() * Lab.BLOCK - 77, 3, RANDOM);
    lab.convertAll(name, "/" + name);
    lab.assertConverted("/" + name);
    lab.assertReads(path);
    lab.assertTolerant("/" + name);
    StripeStatusProto stripe = stripeOf(path);
    List<Integer> homes = lab.homes(stripe);
    lab.hdfs.stopNode(homes.get(0));
    lab.assertReadsDegraded(path);
    BlockState before = lab.fsck(path).files().get(0).findings().get(0);
    assertEquals(State.REPAIRABLE, before.state());
    assertEquals(Tolerance.spare(code, List.of(0), code.m()), before.spare(), before.toString());
    RepairReport report = lab.repair(path, shape);
    assertEquals(List.of(), report.unrepairable());
    assertEquals(1, report.repaired().size());
    assertEquals(
        helpers,
        report.examples().get(0).nodes().stream().mapToInt(n -> n.reads().size()).sum(),
        () -> name + " read from " + report.examples().get(0).nodes());
    lab.assertClean(path);
  }

  @ParameterizedTest
  @CsvSource({"lrc-10-2-2", "xorbas-10-6-5", "mxor-10-7", "rotated-rs-6-3-4", "clay-4-2-5"})
  void asManyLossesAsTheCodeSurvivesWhicheverTheyAre(String name) throws Exception {
    ErasureCode code = Codes.named(name);
    String path = "/many-" + name + "/f";
    lab.write(path, code.k() * Lab.BLOCK, 3, RANDOM);
    lab.convertAll(name, path);
    lab.assertConverted(path);
    List<Integer> homes = new ArrayList<>(lab.homes(stripeOf(path)));
    Collections.shuffle(homes, RANDOM);
    for (int node : homes.subList(0, Tolerance.counted(code))) {
      lab.hdfs.stopNode(node);
    }
    lab.assertReadsDegraded(path);
    RepairReport report = lab.repair(path, "ppr");
    assertEquals(List.of(), report.unrepairable());
    lab.assertReads(path);
    lab.assertTolerant(path);
  }

  @Test
  void aGroupGivesItsBlockBackWhereTheRestIsBeyondHelp() throws Exception {
    String path = "/beyond/f";
    lab.write(path, 10 * Lab.BLOCK, 3, RANDOM);
    lab.convertAll("lrc-10-2-2", path);
    lab.assertConverted(path);
    List<Integer> homes = lab.homes(stripeOf(path));
    // Four of the second group are one more than its parity and the two global ones determine.
    for (int position : List.of(0, 5, 6, 7, 8)) {
      lab.hdfs.stopNode(homes.get(position));
    }
    Map<Integer, State> states = new TreeMap<>();
    lab.fsck(path).files().get(0).findings().forEach(f -> states.put(f.index(), f.state()));
    assertEquals(State.REPAIRABLE, states.get(0), states.toString());
    for (int position : List.of(5, 6, 7, 8)) {
      assertEquals(State.LOST, states.get(position), states.toString());
    }
    RepairReport report = lab.repair(path, "chain");
    assertEquals(List.of(0), report.repaired().stream().map(RepairReport.Repaired::block).toList());
    assertEquals(
        List.of(5, 6, 7, 8),
        report.unrepairable().stream().map(RepairReport.Unrepairable::block).sorted().toList());
    assertTrue(
        report.unrepairable().get(0).reason().startsWith("9 of the 14 blocks"),
        report.unrepairable().get(0).reason());
    lab.startAll();
    assertEquals(List.of(), lab.repair(path, "chain").unrepairable());
    lab.assertReads(path);
    lab.assertTolerant(path);
  }

  @Test
  void aRackHoldsNoMoreThanTheCodeSurvives() throws Exception {
    lab.write("/racks/f", 10 * Lab.BLOCK, 3, RANDOM);
    lab.convertAll("mxor-10-7", "/racks");
    assertTrue(stripeOf("/racks/f").getStripe().getPerRack() <= 2);
  }

  private static StripeStatusProto stripeOf(String path) throws Exception {
    long id = lab.files(path).get(0).getBlocks(0).getBlock().getId();
    try (NameNodeCalls calls = lab.calls()) {
      return calls.stripesOf(List.of(id)).get(0);
    }
  }
}
