package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.ScrubReport;
import org.braid.hdfs.api.ScrubReport.Kind;
import org.braid.hdfs.api.ScrubReport.StripeCounts;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.ScrubRecord;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeAttribute;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.BrokenReplicas;
import org.braid.hdfs.testing.Disks;
import org.braid.testing.Bytes;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Scrubs find parity that does not fit its data though each block is as it was recorded. */
final class StripeScrubTest {
  private static final Random RANDOM = Seeds.random(StripeScrubTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;

  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(5, 10, Map.of("dfs.datanode.scan.period.hours", "-1"));

  @AfterEach
  void heal() throws Exception {
    fixture.deleteAll();
    fixture.repair("/", "chain");
    assertEquals(List.of(), fixture.stripes());
  }

  private static void converted(String code, String path, int bytes) throws IOException {
    fixture.write(path, bytes, 3, RANDOM);
    fixture.convertAll(code, path);
    fixture.assertConverted(path);
  }

  /** As if a block had been encoded like this: replica, HDFS's checksums and record fit. */
  private static void encodeWrongly(StripeStatus status, int position) throws IOException {
    Member member = status.stripe().member(position);
    BlockIdentity block = member.block();
    int home = fixture.hdfs.indexOf(member.home()).orElseThrow();
    BrokenReplicas.flipUnseen(fixture.hdfs, home, block, RANDOM.nextInt((int) block.length()));
    StripeProto.Builder wrong = StripeCodec.toProto(status.stripe()).toBuilder();
    wrong
        .getMembersBuilder(position)
        .setCrc32C(Bytes.crc32c(Disks.content(fixture.hdfs, home, block.id())));
    byte[] description =
        StripeAttribute.toBytes(StripeCodec.of(wrong.build()), StripeAttribute.LATEST);
    // Not over the network, where nobody may.
    fixture
        .hdfs
        .nameNode()
        .getRpcServer()
        .setXAttr(
            status.parityPath(),
            XAttrHelper.buildXAttr(BraidPaths.STRIPE_XATTR, description),
            EnumSet.of(XAttrSetFlag.REPLACE));
    assertEquals(
        wrong.getMembers(position).getCrc32C(),
        fixture.stripes().stream()
            .filter(now -> now.stripe().id().equals(status.stripe().id()))
            .findFirst()
            .orElseThrow()
            .stripe()
            .member(position)
            .crc());
  }

  /** Short blocks, stripes with fewer data blocks than their code, and several sub-blocks. */
  @Test
  void whatWasEncodedFits() throws Exception {
    converted("rs-3-2", "/plain/f", 7 * BLOCK + 1234);
    converted("rotated-rs-3-2-4", "/sub/f", 4 * BLOCK + 77);
    converted("lrc-4-2-2", "/local/f", 5 * BLOCK + 1);
    converted("clay-4-2-5", "/clay/f", 4 * BLOCK - 5);
    ScrubReport report = fixture.scrub("/");
    assertTrue(report.ok(), report.toString());
    assertTrue(report.stripes() >= 7, report.toString());
    assertEquals(new StripeCounts(report.stripes(), 0, 0), report.parity());
  }

  @Test
  void aWrongParityBlockIsNamedAndLeftAlone() throws Exception {
    converted("rs-3-2", "/parity/f", 6 * BLOCK);
    converted("rotated-rs-3-2-4", "/sub/f", 3 * BLOCK);
    List<StripeStatus> stripes = fixture.stripes();
    assertEquals(3, stripes.size());
    Map<String, byte[]> wrong = new HashMap<>();
    for (StripeStatus status : stripes) {
      encodeWrongly(status, 4);
      Member parity = status.stripe().member(4);
      int home = fixture.hdfs.indexOf(parity.home()).orElseThrow();
      wrong.put(parity.block().name(), Disks.content(fixture.hdfs, home, parity.block().id()));
    }
    ScrubReport report = fixture.scrub("/");
    assertFalse(report.ok());
    assertEquals(new StripeCounts(3, 3, 0), report.parity());
    assertEquals(Map.of(Kind.PARITY, 3L), report.counts());
    for (StripeStatus status : stripes) {
      ScrubReport.Finding finding =
          report.findings().stream()
              .filter(one -> one.stripe().equals(status.stripe().id()))
              .findFirst()
              .orElseThrow();
      assertEquals(4, finding.position());
      assertEquals(status.stripe().member(4).block().name(), finding.block());
      assertEquals(status.parityPath(), finding.path());
      assertTrue(finding.detail().endsWith("parity block 4 is wrong"), finding.detail());
    }
    // Nobody is told that a replica is bad: rebuilt, the block would not be as recorded.
    assertEquals(List.of(), fixture.repair("/", "chain").repaired());
    for (StripeStatus status : fixture.stripes()) {
      status.members().forEach(member -> assertFalse(member.status().replicas().get(0).corrupt()));
      Member parity = status.stripe().member(4);
      int home = fixture.hdfs.indexOf(parity.home()).orElseThrow();
      assertArrayEquals(
          wrong.get(parity.block().name()), Disks.content(fixture.hdfs, home, parity.block().id()));
    }
    // This helps.
    try (Cluster cluster = fixture.braid()) {
      assertEquals(List.of(), cluster.restore("/", Progress.SILENT).skipped());
    }
    fixture.convertAll("rs-3-2", "/parity/f");
    fixture.convertAll("rs-3-2", "/sub/f");
    ScrubReport after = fixture.scrub("/");
    assertTrue(after.ok(), after.toString());
    assertEquals(3, after.parity().checked());
    fixture.assertReads("/parity/f");
    fixture.assertReads("/sub/f");
  }

  @Test
  void aWrongDataBlockIsNamed() throws Exception {
    converted("rs-3-2", "/data/f", 3 * BLOCK);
    encodeWrongly(fixture.stripes().get(0), 1);
    ScrubReport report = fixture.scrub("/");
    assertEquals(new StripeCounts(1, 1, 0), report.parity());
    assertEquals(1, report.findings().get(0).position());
    assertEquals("/data/f", report.findings().get(0).path());
    assertTrue(
        report.findings().get(0).detail().endsWith("data block 1 is wrong"),
        report.findings().get(0).detail());
  }

  /** Without all blocks nothing is said of the parity. */
  @Test
  void aStripeThatMissesAFileIsNotChecked() throws Exception {
    for (int i = 0; i < 3; i++) {
      fixture.write("/thin/f" + i, BLOCK, 3, RANDOM);
    }
    fixture.convertAll("rs-3-2", "/thin");
    assertEquals(1, fixture.stripes().size());
    encodeWrongly(fixture.stripes().get(0), 4);
    fixture.fs.delete(new Path("/thin/f1"), false);
    ScrubReport report = fixture.scrub("/");
    assertEquals(List.of(), report.findings());
    assertEquals(new StripeCounts(0, 0, 1), report.parity());
  }

  @Test
  void theDaemonSaysItAndItsRecordCountsIt() throws Exception {
    converted("rs-3-2", "/daemon/f", 6 * BLOCK);
    StripeStatus status = fixture.stripes().get(1);
    encodeWrongly(status, 3);
    Map<String, String> properties = new HashMap<>(fixture.connection().properties());
    properties.put("braid.scrub.period", "4s");
    Connection often = new Connection(fixture.connection().fileSystem(), List.of(), properties);
    try (WatchingCoordinator watch =
        new WatchingCoordinator(() -> Braid.connect(often), 500, RepairPolicy.CONFIGURED)) {
      watch.await(
          "scrub: stripe "
              + status.stripe().id()
              + ": parity block 3 of rs-3-2 does not fit the data, while all blocks are as recorded;"
              + " parity block 3 is wrong");
      watch.await("2 stripes checked against their parity, 1 of them do not fit");
    }
    byte[] stored = fixture.fs.getXAttr(new Path(BraidPaths.ROOT), BraidPaths.SCRUB_XATTR);
    ScrubRecord.Round last = ScrubRecord.parse(stored).last().orElseThrow();
    assertEquals(2, last.checked());
    assertEquals(1, last.unfit());
    assertEquals(1, last.findings());
  }
}
