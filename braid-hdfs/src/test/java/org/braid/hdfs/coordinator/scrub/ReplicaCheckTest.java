package org.braid.hdfs.coordinator.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.ipc.RetriableException;
import org.braid.hdfs.api.ScrubReport.Kind;
import org.braid.hdfs.coordinator.scrub.StripeReads.Read;
import org.braid.hdfs.coordinator.scrub.StripeReads.Why;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.proto.BraidProtos.HashRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto.Finding;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class ReplicaCheckTest {
  private static final int AT = 2;

  private final FakeCluster cluster = new FakeCluster(6, 2);
  private final String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
  private final ClusterState state = cluster.look();
  private final StripeHashes hashes = new StripeHashes(cluster.status(stripe).stripe(), 1);
  private final FakeTicker ticker = new FakeTicker();
  private final ScrubTally tally = new ScrubTally();
  private final List<String> calls = new ArrayList<>();
  private final Map<String, Deque<Object>> answers = new HashMap<>();
  private Runnable meanwhile = () -> {};
  private boolean swept;
  private boolean over;

  private final ReplicaCheck check = new ReplicaCheck(new FakeCalls(), () -> !over, tally, ticker);

  /** Workers that answer what they are told, and otherwise that all is well. */
  private final class FakeCalls implements ReplicaCalls {
    @Override
    public ScrubResponseProto look(Datanode node, Member member, Optional<HashRequestProto> hash)
        throws IOException {
      return answer("look", node);
    }

    @Override
    public ScrubResponseProto report(Datanode node, Member member) throws IOException {
      return answer("report", node);
    }

    private ScrubResponseProto answer(String call, Datanode node) throws IOException {
      calls.add(call + " " + node.uuid());
      Object next = answers.getOrDefault(node.uuid(), new ArrayDeque<>()).poll();
      if (next instanceof IOException failure) {
        throw failure;
      }
      return ScrubResponseProto.newBuilder()
          .setFinding(next == null ? Finding.GOOD : (Finding) next)
          .setDetail("as told")
          .build();
    }

    @Override
    public Optional<StripeStatus> now(StripeStatus status) {
      meanwhile.run();
      return swept ? Optional.empty() : Optional.of(cluster.status(stripe));
    }
  }

  private void answer(String node, Object... all) {
    answers.put(node, new ArrayDeque<>(List.of(all)));
  }

  private Read read(Why why) {
    return new Read(cluster.status(stripe), AT, state.indexOf("r2n0").orElseThrow(), why);
  }

  private boolean check(Why why) throws IOException {
    return check.check(read(why), state, hashes);
  }

  @Test
  void whatIsGoodIsAskedForOnce() throws Exception {
    assertTrue(check(Why.LISTED));
    assertEquals(List.of("look r2n0"), calls);
    assertEquals(1, tally.blocks());
    assertEquals(1 << 20, tally.bytes());
    assertEquals(List.of(), tally.findings());
  }

  @Test
  void whatIsBadTwiceIsFoundAndReported() throws Exception {
    for (Finding bad :
        List.of(
            Finding.CONTENT,
            Finding.CHECKSUM,
            Finding.TRUNCATED,
            Finding.MISSING,
            Finding.ABSENT,
            Finding.UNREADABLE)) {
      answer("r2n0", bad, bad);
      assertTrue(check(Why.LISTED));
    }
    assertEquals(
        List.of("look r2n0", "report r2n0"), calls.subList(calls.size() - 2, calls.size()));
    assertEquals(6, tally.findings().size());
    assertEquals(3, tally.blocks(), "the last three were not read");
    assertEquals(3 << 20, tally.bytes());
    for (Kind kind : Kind.values()) {
      boolean other = kind == Kind.NO_HOME || kind == Kind.PARITY;
      assertEquals(other ? null : 1L, tally.counts().get(kind), kind.name());
    }
    var finding = tally.findings().get(0);
    assertEquals("/f", finding.path());
    assertEquals(AT, finding.position());
    assertEquals("r2n0", finding.node());
    assertEquals("as told", finding.detail());
  }

  /** A wrong bit of a bus or of memory is none of the disk. */
  @Test
  void whatIsGoodAtTheSecondLookIsNoFinding() throws Exception {
    answer("r2n0", Finding.CONTENT, Finding.GOOD);
    assertTrue(check(Why.LISTED));
    answer("r2n0", Finding.MISSING, Finding.CHANGED);
    assertTrue(check(Why.LISTED));
    assertEquals(List.of(), tally.findings());
  }

  @Test
  void whatWasDeletedMeanwhileIsNoFinding() throws Exception {
    answer("r2n0", Finding.ABSENT, Finding.ABSENT);
    swept = true;
    assertTrue(check(Why.LISTED));
    swept = false;
    cluster.reencode(cluster.block(stripe, AT));
    assertTrue(check(Why.LISTED));
    assertEquals(List.of(), tally.findings());
    assertFalse(calls.contains("report r2n0"), calls.toString());
  }

  @Test
  void whatWasMovedMeanwhileIsReadWhereItIs() throws Exception {
    Read before = read(Why.LISTED);
    answer("r2n0", Finding.ABSENT);
    cluster.put(cluster.block(stripe, AT), "r5n1");
    answer("r5n1", Finding.CONTENT, Finding.CONTENT);
    assertTrue(check.check(before, state, hashes));
    assertEquals(List.of("look r2n0", "look r5n1", "report r5n1"), calls);
    assertEquals("r5n1", tally.findings().get(0).node());
    assertEquals(1, tally.findings().size());
    assertEquals(1, tally.blocks(), "it was read once");
  }

  /** HDFS drops a replica with wrong checksums at once when it has others. */
  @Test
  void whatHdfsDroppedForItsChecksumsIsFound() throws Exception {
    Read before = read(Why.LISTED);
    answer("r2n0", Finding.CHECKSUM);
    cluster.put(cluster.block(stripe, AT), "r5n1");
    assertTrue(check.check(before, state, hashes));
    assertEquals(Kind.CHECKSUM, tally.findings().get(0).kind());
  }

  /** A DataNode that has just started, or whose report is late, has what the NameNode misses. */
  @Test
  void aHomeWithAGoodReplicaIsNoFinding() throws Exception {
    cluster.lose(cluster.block(stripe, AT));
    assertTrue(check(Why.HOME));
    assertEquals(List.of(), tally.findings());
    assertEquals(0, tally.blocks());
    answer("r2n0", Finding.ABSENT, Finding.ABSENT);
    assertTrue(check(Why.HOME));
    assertEquals(Kind.NO_HOME, tally.findings().get(0).kind());
    assertFalse(calls.contains("report r2n0"), calls.toString());
  }

  @Test
  void whatCannotBeReadIsNamed() throws Exception {
    answer("r2n0", new IOException("too many open files"));
    assertTrue(check(Why.LISTED));
    assertEquals("too many open files", tally.unchecked().get(0).reason());
    answer("r2n0", new IOException("no replica"));
    swept = true;
    assertTrue(check(Why.LISTED));
    assertEquals(1, tally.unchecked().size(), "it was deleted meanwhile");
    assertEquals(List.of(), tally.findings());
  }

  @Test
  void aNodeThatReadsForAnotherScrubIsWaitedFor() throws Exception {
    RetriableException busy = new RetriableException("busy");
    answer("r2n0", busy, busy, busy, Finding.CONTENT, busy, Finding.CONTENT);
    assertTrue(check(Why.LISTED));
    assertEquals(1, tally.findings().size());
    assertEquals(6, calls.size());
  }

  @Test
  void theEndLeavesItOut() throws Exception {
    over = true;
    assertFalse(check(Why.LISTED));
    assertEquals(List.of(), calls);
    over = false;
    answer("r2n0", Finding.CONTENT, Finding.CONTENT);
    meanwhile = () -> over = true;
    assertFalse(check(Why.LISTED));
    assertEquals(List.of(), tally.findings());
  }

  @Test
  void anInterruptEndsIt() {
    answer("r2n0", new InterruptedIOException("waiting for workers"));
    Thread.currentThread().interrupt();
    assertThrows(InterruptedIOException.class, () -> check(Why.LISTED));
    assertTrue(Thread.interrupted());
    assertEquals(List.of(), tally.unchecked());
  }

  @Test
  void othersComeFirst() throws Exception {
    boolean[] others = {true};
    int[] asked = new int[1];
    long since = ticker.millis();
    ReadersFirst gate =
        new ReadersFirst(
            () -> {
              asked[0]++;
              return ticker.millis() - since < 10_000 && others[0];
            },
            () -> over,
            2000,
            ticker);
    assertTrue(gate.await());
    assertTrue(ticker.millis() - since >= 10_000, "it did not wait");
    assertTrue(asked[0] <= 7, asked[0] + " questions");
    over = true;
    assertFalse(gate.await());
  }
}
