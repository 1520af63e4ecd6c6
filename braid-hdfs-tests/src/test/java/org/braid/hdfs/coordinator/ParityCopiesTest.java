package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport.BlockState;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.view.StatusReport;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stripes that store each parity twice, over three sites of three racks. */
final class ParityCopiesTest {
  private static final Random RANDOM = Seeds.random(ParityCopiesTest.class);
  private static final int K = 6;
  private static final int M = 3;
  private static ClusterFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    InjectedFaults.clear();
    fixture = new ClusterFixture(3, 9, 27, Map.of("dfs.namenode.safemode.threshold-pct", "0.5"), 1);
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @AfterEach
  void clean() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
    fixture.deleteAll();
    fixture.repair("/", "chain");
    assertEquals(List.of(), fixture.stripes());
  }

  private static String converted() throws Exception {
    String path = "/copies" + RANDOM.nextInt(1 << 20) + "/f";
    fixture.write(path, K * ClusterFixture.BLOCK - 5, 3, RANDOM);
    ConvertReport report = fixture.convert("rs-6-3", Optional.of("even"), 2, path);
    assertEquals(List.of(), report.skipped());
    assertEquals(List.of(2, 2 * M), List.of(report.parityCopies(), report.parityBlocks()));
    fixture.assertConvertedOnDisks(path);
    return path;
  }

  private static Stripe stripe(String path) throws IOException {
    return Movers.stripeOf(fixture, path).stripe();
  }

  private static void assertPromised(String path) throws Exception {
    Stripe stripe = stripe(path);
    ErasureCode code = Codes.named(stripe.recordedCode().original());
    assertEquals(2, stripe.recordedCode().copies());
    assertEquals(code.k() + 2 * code.m(), stripe.members().size());
    List<Integer> homes = fixture.homes(Movers.stripeOf(fixture, path));
    assertEquals(homes.size(), new HashSet<>(homes).size());
    for (int parity = code.k(); parity < code.n(); parity++) {
      Member one = stripe.member(parity);
      Member other = stripe.member(parity + code.m());
      assertNotEquals(one.block().id(), other.block().id());
      assertEquals(one.crc(), other.crc());
      assertNotEquals(fixture.site(homes.get(parity)), fixture.site(homes.get(parity + code.m())));
    }
    fixture.assertTolerant(path);
    fixture.assertClean("/");
    fixture.assertReads(path);
  }

  private static StatusReport status() throws IOException {
    try (Cluster cluster = fixture.braid()) {
      return cluster.status("/");
    }
  }

  /** Two copies at two sites, counted by all reports, known after a restart, gone after restore. */
  @Test
  void copiesAreKeptUntilTheFileIsRestored() throws Exception {
    String path = converted();
    assertPromised(path);
    StatusReport status = status();
    assertEquals(
        List.of(new StatusReport.CodeCount("rs-6-3, parity x2", 1, K, 2 * M)), status.codes());
    assertEquals(new StatusReport.CopyCount(2 * M, 2 * M), status.copiesOfParity());
    assertEquals(2L * M * ClusterFixture.BLOCK, status.parityBytes());
    assertEquals(
        (K + 2L * M) * ClusterFixture.BLOCK - 5,
        status.storedBytes(),
        "copies count as what is stored");
    ConvertReport again = fixture.convert("rs-6-3", Optional.of("even"), 1, path);
    assertEquals("OTHER_CODE", again.skipped().get(0).cause());
    assertTrue(
        again.skipped().get(0).reason().contains("converted with rs-6-3, parity x2 already"),
        again.skipped().get(0).reason());
    List<Integer> homes = fixture.homes(Movers.stripeOf(fixture, path));
    fixture.restartNameNode();
    fixture.assertConverted(path);
    assertEquals(homes, fixture.homes(Movers.stripeOf(fixture, path)));
    assertPromised(path);
    try (Cluster cluster = fixture.braid()) {
      assertEquals(List.of(), cluster.restore(path, Progress.SILENT).skipped());
    }
    fixture.awaitReplicas(path, 3);
    assertEquals(List.of(), fixture.stripes());
    assertEquals(0, status().parityBytes());
  }

  /**
   * A lost copy is made from the other one alone; when its node is back, one of three is surplus.
   */
  @Test
  void aLostCopyIsMadeFromTheOther() throws Exception {
    String path = converted();
    int lost = K + RANDOM.nextInt(2 * M);
    int twin = lost < K + M ? lost + M : lost - M;
    List<Integer> homes = fixture.homes(Movers.stripeOf(fixture, path));
    fixture.hdfs.stopNode(homes.get(lost));
    List<BlockState> findings = fixture.fsck(path).files().get(0).findings();
    assertEquals(K, findings.size());
    BlockState finding = findings.get(0);
    assertEquals(State.DEGRADED, finding.state());
    assertEquals(M, finding.spare(), "any three blocks may still be lost");
    assertTrue(
        finding.why().contains("parity " + (lost - K) % M + " has 1 of 2 copies: run braid repair"),
        finding.why());
    // The NameNode counts what it knows: a node is silent a little later.
    Await.until(
        "status to count the copies that are left",
        () -> status().copiesOfParity().equals(new StatusReport.CopyCount(2 * M, 2 * M - 1)));
    RepairReport report = fixture.repair(path, "chain");
    assertEquals(List.of(lost), report.repaired().stream().map(one -> one.block()).toList());
    assertEquals(
        List.of(twin),
        report.examples().get(0).nodes().stream().flatMap(n -> n.reads().stream()).toList());
    assertEquals(
        ClusterFixture.BLOCK, report.traffic().crossRackBytes() + report.traffic().inRackBytes());
    assertPromised(path);
    List<Integer> after = fixture.homes(Movers.stripeOf(fixture, path));
    assertNotEquals(homes.get(lost), after.get(lost));
    assertEquals(homes.get(twin), after.get(twin));
    fixture.startAll();
    for (int copy : List.of(lost, twin)) {
      var block = stripe(path).member(copy).block();
      String home = fixture.hdfs.uuid(after.get(copy));
      Await.until(
          "copy " + copy + " to be at its home alone",
          () -> Movers.holders(fixture, block).equals(List.of(home)));
    }
    assertPromised(path);
  }

  /** As many losses as the code survives, with copies of parity among what is left and lost. */
  @Test
  void blocksAreReadAndRebuiltWithWhatCopiesAreLeft() throws Exception {
    String path = converted();
    List<Integer> homes = fixture.homes(Movers.stripeOf(fixture, path));
    // Three data blocks, and of each parity a copy.
    List<Integer> lost = List.of(0, 2, 5, K, K + 1 + M, K + 2);
    lost.forEach(position -> fixture.hdfs.stopNode(homes.get(position)));
    fixture.assertReadsDegraded(path);
    List<BlockState> findings = fixture.fsck(path).files().get(0).findings();
    assertEquals(State.REPAIRABLE, findings.get(0).state());
    assertEquals(0, findings.get(0).spare());
    fixture.start(homes.get(K));
    fixture.start(homes.get(K + 2));
    RepairReport report = fixture.repair(path, "chain");
    assertEquals(List.of(), report.unrepairable());
    fixture.assertConverted(path);
    assertPromised(path);
  }

  /** Copies of parity whose blocks are cut into sub-blocks are written, read and rebuilt alike. */
  @ParameterizedTest
  @ValueSource(strings = {"rotated-rs-6-3-4", "clay-4-2-5"})
  void copiesOfSubBlocksAreWorthAsMuch(String name) throws Exception {
    ErasureCode code = Codes.named(name);
    int k = code.k();
    String path = "/" + name + "/f";
    fixture.write(path, k * ClusterFixture.BLOCK - 4097, 3, RANDOM);
    assertEquals(List.of(), fixture.convert(name, Optional.of("even"), 2, path).skipped());
    fixture.assertConverted(path);
    assertPromised(path);
    fixture.hdfs.stopNode(fixture.homes(Movers.stripeOf(fixture, path)).get(k + 1));
    RepairReport report = fixture.repair(path, "chain");
    assertEquals(List.of(k + 1), report.repaired().stream().map(one -> one.block()).toList());
    assertEquals(
        ClusterFixture.BLOCK,
        report.traffic().crossRackBytes() + report.traffic().inRackBytes(),
        "a copy is made from the other alone");
    assertPromised(path);
    // As many blocks as the code survives, none of which has a copy, and of each parity one.
    List<Integer> homes = fixture.homes(Movers.stripeOf(fixture, path));
    List<Integer> lost = new ArrayList<>();
    for (int i = 0; i < code.m(); i++) {
      lost.add(k - 1 - i);
      lost.add(k + i + (i % 2 == 0 ? code.m() : 0));
    }
    lost.forEach(position -> fixture.hdfs.stopNode(homes.get(position)));
    fixture.assertReadsDegraded(path);
    fixture.hdfs.startNode(homes.get(lost.get(1)));
    fixture.start(homes.get(lost.get(3)));
    assertEquals(List.of(), fixture.repair(path, "chain").unrepairable());
    fixture.assertConverted(path);
    assertPromised(path);
    fixture.startAll();
    fixture.assertConverted(path);
    assertPromised(path);
    try (Cluster cluster = fixture.braid()) {
      assertEquals(List.of(), cluster.restore(path, Progress.SILENT).skipped());
    }
    fixture.awaitReplicas(path, 3);
    assertEquals(List.of(), fixture.stripes());
    fixture.assertReads(path);
    fixture.assertClean("/");
  }

  /** Whatever stops a conversion before the stripe is published leaves nothing half promised. */
  @ParameterizedTest
  @EnumSource(names = {"CONVERT_CONCATENATED", "CONVERT_PUBLISHED"})
  void aStoppedConversionIsFinished(FaultStep step) throws Exception {
    String path = "/stopped" + RANDOM.nextInt(1 << 20) + "/f";
    fixture.write(path, K * ClusterFixture.BLOCK, 3, RANDOM);
    InjectedFaults.install(
        (reached, detail) -> {
          if (reached == step) {
            throw new Error("the coordinator halts at " + reached);
          }
        });
    Error halt =
        assertThrows(Error.class, () -> fixture.convert("rs-6-3", Optional.of("even"), 2, path));
    assertTrue(halt.getMessage().contains(step.name()), halt.getMessage());
    InjectedFaults.clear();
    fixture.assertReads(path);
    fixture.assertTolerant(path);
    assertEquals(3, fixture.files(path).get(0).replication());
    assertEquals(List.of(), fixture.convert("rs-6-3", Optional.of("even"), 2, path).skipped());
    fixture.assertConverted(path);
    assertPromised(path);
  }

  @Test
  void whatCannotBeKeptIsRefused() throws Exception {
    fixture.write("/refused/f", 10 * ClusterFixture.BLOCK, 3, RANDOM);
    assertEquals(
        "4 copies of each parity, needed are 1 to 3",
        assertThrows(
                IllegalArgumentException.class,
                () -> fixture.convert("rs-6-3", Optional.empty(), 4, "/refused"))
            .getMessage());
    Object[][] wrong = {
      {"mxor-10-7", 3, "31"},
      {"rs-10-6", 3, "28"},
      {"rstair-n5-r4-m1-e2-l1", 2, "keeps its 5 columns in racks of their own, 2 copies"},
      {"rs-200-55", 2, "310 blocks a stripe, at most 255"}
    };
    for (Object[] one : wrong) {
      RefusedException e =
          assertThrows(
              RefusedException.class,
              () -> fixture.convert((String) one[0], Optional.empty(), (int) one[1], "/refused"),
              one[0].toString());
      assertTrue(e.getMessage().contains(one[2].toString()), e.getMessage());
    }
    assertEquals(3, fixture.files("/refused/f").get(0).replication());
    assertEquals(List.of(), fixture.stripes());
    assertTrue(IntStream.range(0, fixture.hdfs.nodes()).allMatch(fixture.hdfs::runs));
  }
}
