package org.braid.hdfs.coordinator.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Gf256;
import org.braid.code.derive.ParityCheck;
import org.braid.engine.block.BlockHash;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.api.ScrubReport.Kind;
import org.braid.hdfs.api.ScrubReport.StripeCounts;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.proto.BraidProtos.HashRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto.Finding;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.FakeTicker;
import org.braid.kernel.Kernels;
import org.braid.testing.Bytes;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Stripes of which each block is as recorded, and whose workers answer with hashes. */
final class StripeParityTest {
  private static final ErasureCode CODE = Codes.named("rs-3-2");
  private static final int BYTES = 10_000;

  private final Random random = Seeds.random(StripeParityTest.class);
  private final FakeCluster cluster = new FakeCluster(6, 2);
  private final String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
  private final ScrubTally tally = new ScrubTally();
  private final Map<String, byte[]> blocks = new HashMap<>();
  private final Map<String, List<Long>> seeds = new HashMap<>();
  private final Map<String, Finding> bad = new HashMap<>();
  private Consumer<String> reading = node -> {};
  private boolean released = true;
  private boolean gone;
  private boolean over;

  StripeParityTest() {
    for (int parity = 0; parity < CODE.m(); parity++) {
      blocks.put("r" + (CODE.k() + parity) + "n0", new byte[BYTES]);
    }
    for (int data = 0; data < CODE.k(); data++) {
      byte[] bytes = Bytes.random(random, BYTES);
      blocks.put("r" + data + "n0", bytes);
      for (int parity = CODE.k(); parity < CODE.n(); parity++) {
        int factor = CODE.generator().at(parity, data);
        Gf256.multiplyAdd(factor, bytes, 0, blocks.get("r" + parity + "n0"), 0, BYTES);
      }
    }
  }

  /** Asked by the tasks of several nodes at once. */
  private final class FakeCalls implements ReplicaCalls {
    @Override
    public synchronized ScrubResponseProto look(
        Datanode node, Member member, Optional<HashRequestProto> asked) throws IOException {
      HashRequestProto wanted = asked.orElseThrow();
      seeds.computeIfAbsent(node.uuid(), name -> new ArrayList<>()).add(wanted.getSeed());
      reading.accept(node.uuid());
      ScrubResponseProto.Builder answer =
          ScrubResponseProto.newBuilder()
              .setFinding(bad.getOrDefault(node.uuid(), Finding.GOOD))
              .setDetail("");
      if (released) {
        CellLayout layout = new CellLayout(wanted.getAlpha(), wanted.getCell(), wanted.getUnit());
        BlockHash hash = new BlockHash(layout, wanted.getSeed(), Kernels.active());
        hash.add(0, ByteBuffer.wrap(blocks.get(node.uuid())));
        answer.setHashes(ByteString.copyFrom(hash.hashes()));
      }
      return answer.build();
    }

    @Override
    public synchronized ScrubResponseProto report(Datanode node, Member member) {
      return ScrubResponseProto.newBuilder().setFinding(bad.get(node.uuid())).build();
    }

    @Override
    public Optional<StripeStatus> now(StripeStatus status) {
      return gone ? Optional.empty() : Optional.of(cluster.status(stripe));
    }
  }

  /** Reads the stripe; answers how many were read to the end. */
  private int scrub() throws IOException {
    ReplicaCheck check = new ReplicaCheck(new FakeCalls(), () -> !over, tally, new FakeTicker());
    return new ScrubBatch(check, tally, random::nextLong)
        .read(List.of(cluster.status(stripe)), cluster.look());
  }

  private void assertCounts(long checked, long unfit, long unchecked) {
    assertEquals(new StripeCounts(checked, unfit, unchecked), tally.parity());
    assertEquals(unfit, tally.findings().size(), tally.findings().toString());
  }

  @Test
  void whatFitsIsReadOnce() throws Exception {
    assertEquals(1, scrub());
    assertCounts(1, 0, 0);
    assertEquals(5, seeds.size());
    seeds.values().forEach(all -> assertEquals(seeds.get("r0n0"), all));
    assertEquals(1, seeds.get("r0n0").size());
  }

  @Test
  void theWrongBlockIsNamed() throws Exception {
    for (int wrong = 0; wrong < CODE.n(); wrong++) {
      String node = "r" + wrong + "n0";
      blocks.get(node)[77] ^= 4;
      assertEquals(1, scrub());
      blocks.get(node)[77] ^= 4;
      assertCounts(wrong + 1, wrong + 1, 0);
      var finding = tally.findings().get(wrong);
      assertEquals(Kind.PARITY, finding.kind());
      assertEquals(stripe, finding.stripe());
      assertEquals(wrong, finding.position());
      assertEquals(node, finding.node());
      String told =
          wrong < CODE.k()
              ? "parity blocks 3, 4 of rs-3-2 do not fit the data, while all blocks are as"
                  + " recorded; data block %d is wrong"
              : "parity block %1$d of rs-3-2 does not fit the data, while all blocks are as"
                  + " recorded; parity block %1$d is wrong";
      assertEquals(told.formatted(wrong), finding.detail());
    }
    List<Long> asked = seeds.get("r0n0");
    assertEquals(10, asked.size());
    assertNotEquals(asked.get(0), asked.get(1), "the second reading has another seed");
  }

  @Test
  void whatCannotBeToldIsNotNamed() throws Exception {
    blocks.get("r1n0")[77] ^= 4;
    blocks.get("r4n0")[78] ^= 4;
    assertEquals(1, scrub());
    assertCounts(1, 1, 0);
    assertEquals(3, tally.findings().get(0).position());
    assertEquals(
        "parity blocks 3, 4 of rs-3-2 do not fit the data, while all blocks are as recorded;"
            + " several blocks are wrong",
        tally.findings().get(0).detail());
    assertEquals(
        "parity block 4 of xor-4-1 does not fit the data, while all blocks are as recorded; one of"
            + " blocks 0, 1, 2, 3, 4 is wrong",
        StripeParity.detail(
            Codes.named("xor-4-1"), new ParityCheck(List.of(4), List.of(0, 1, 2, 3, 4))));
  }

  /** Such as a bit that flips in the memory of a worker between the checksum and the hash. */
  @Test
  void whatFitsAtTheSecondReadingIsNoFinding() throws Exception {
    reading =
        node -> {
          if (node.equals("r2n0")) {
            blocks.get(node)[5] ^= 1; // back again at the second reading
          }
        };
    assertEquals(1, scrub());
    assertCounts(1, 0, 0);
    assertEquals(2, seeds.get("r2n0").size());
  }

  @Test
  void withoutAllHashesNothingIsSaid() throws Exception {
    blocks.get("r4n0")[0] ^= 1;
    released = false; // a worker of an earlier release
    assertEquals(1, scrub());
    assertCounts(0, 0, 1);
    released = true;
    cluster.silence("r1n0");
    assertEquals(1, scrub());
    assertCounts(0, 0, 2);
  }

  @Test
  void aStripeWithABadOrMissingBlockIsNotCompared() throws Exception {
    blocks.get("r4n0")[0] ^= 1;
    bad.put("r0n0", Finding.CONTENT);
    assertEquals(1, scrub());
    assertEquals(new StripeCounts(0, 0, 1), tally.parity());
    assertEquals(Map.of(Kind.CONTENT, 1L), tally.counts());
    bad.clear();
    cluster.reencode(cluster.block(stripe, 2));
    assertEquals(1, scrub());
    assertEquals(new StripeCounts(0, 0, 2), tally.parity());
  }

  @Test
  void aStripeThatChangesMeanwhileIsNoFinding() throws Exception {
    blocks.get("r4n0")[0] ^= 1;
    reading = node -> gone = seeds.get(node).size() > 1;
    assertEquals(1, scrub());
    assertCounts(0, 0, 1);
    gone = false;
    reading =
        node -> {
          if (seeds.get(node).size() > 3 && node.equals("r4n0")) {
            cluster.reencode(cluster.block(stripe, 0));
          }
        };
    assertEquals(1, scrub());
    assertCounts(0, 0, 2);
  }

  @Test
  void theEndLeavesTheStripeForTheNextTime() throws Exception {
    blocks.get("r4n0")[0] ^= 1;
    reading = node -> over = seeds.get(node).size() > 1;
    assertEquals(0, scrub());
    assertCounts(0, 0, 0);
    over = false;
    reading = node -> {};
    assertEquals(1, scrub());
    assertCounts(1, 1, 0);
  }
}
