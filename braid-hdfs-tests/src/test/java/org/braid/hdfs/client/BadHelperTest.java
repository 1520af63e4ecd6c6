package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.braid.hdfs.client.degraded.DegradedSettings;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.testing.BrokenReplicas;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.hdfs.testing.StripeFixture.Stripe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads of damaged blocks, and degraded reads whose helpers are damaged, lie, or die meanwhile. */
class BadHelperTest extends DegradedReads {
  private static final int FLIPPED = ClientFixture.BLOCK / 3;

  private static BlockIdentity block(Stripe stripe, int member) {
    return StripeCodec.of(stripe.proto().getMembers(member).getBlock());
  }

  @ParameterizedTest
  @ValueSource(strings = {"star", "chain"})
  void corruptHelperIsLeftOut(String shape) throws IOException {
    Written file = write();
    Stripe stripe = file.stripe(0);
    BrokenReplicas.flip(fixture.cluster, stripe.nodes().get(1), block(stripe, 1), FLIPPED);
    fixture.stop(List.of(stripe.nodes().get(0)));
    assertFirstBlock(file, Map.of(DegradedSettings.SHAPE, shape));
  }

  @Test
  void corruptBlockItselfIsRebuilt() throws IOException {
    Written file = write();
    Stripe stripe = file.stripe(0);
    BrokenReplicas.flip(fixture.cluster, stripe.nodes().get(1), block(stripe, 1), FLIPPED);
    try (BraidFileSystem fs = fixture.client();
        FSDataInputStream in = fs.open(file.path())) {
      assertArrayEquals(file.content(), in.readAllBytes());
    }
  }

  /** A client with some settings reads the first block at once. */
  private void assertFirstBlock(Written file, Map<String, String> settings) throws IOException {
    try (BraidFileSystem fs = fixture.client(settings);
        FSDataInputStream in = fs.open(file.path())) {
      byte[] read = new byte[ClientFixture.BLOCK];
      in.readFully(0, read);
      assertArrayEquals(Arrays.copyOf(file.content(), ClientFixture.BLOCK), read);
    }
  }

  /** The position of the block that a message names; -1 if it is of another stripe. */
  private static int member(Stripe stripe, String detail) {
    return IntStream.range(0, stripe.nodes().size())
        .filter(i -> stripe.proto().getMembers(i).hasBlock())
        .filter(i -> detail.contains("blk_" + stripe.proto().getMembers(i).getBlock().getId()))
        .findFirst()
        .orElse(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain"})
  void helperThatDiesMidReadIsReplaced(String shape) throws Exception {
    Written file = write();
    Stripe stripe = file.stripe(0);
    fixture.stop(List.of(stripe.nodes().get(0)));
    // Which of those left are asked is up to the reader: it is the first one that reads.
    AtomicInteger helper = new AtomicInteger(-1);
    CompletableFuture<Void> died = new CompletableFuture<>();
    CompletableFuture<Void> stopped = new CompletableFuture<>();
    AtomicInteger reads = new AtomicInteger();
    InjectedFaults.install(
        (step, detail) -> {
          int member = step == FaultStep.WORKER_READ ? member(stripe, detail) : -1;
          helper.compareAndSet(-1, member);
          if (member >= 0 && member == helper.get()) {
            if (reads.incrementAndGet() == 2) {
              Thread killer =
                  new Thread(
                      () -> {
                        fixture.cluster.stopNode(stripe.nodes().get(member));
                        stopped.complete(null);
                      });
              killer.start();
            }
            if (reads.get() >= 2) {
              // Its shutdown waits for this thread; it is under way when the wait ends.
              died.completeOnTimeout(null, 300, TimeUnit.MILLISECONDS).join();
            }
          }
        });
    assertFirstBlock(
        file, Map.of(DegradedSettings.SHAPE, shape, DegradedSettings.READ_AHEAD, "1m"));
    stopped.get(60, TimeUnit.SECONDS);
  }

  @Test
  void bytesChangedOnTheWayAreNoticed() throws Exception {
    Written file = write();
    Stripe stripe = file.stripe(0);
    fixture.stop(List.of(stripe.nodes().get(0)));
    AtomicInteger altered = new AtomicInteger();
    InjectedFaults.change(
        FaultStep.WORKER_SEND,
        bytes -> {
          if (altered.getAndIncrement() == 0) {
            bytes.put(bytes.position(), (byte) (bytes.get(bytes.position()) ^ 4));
          }
        });
    assertFirstBlock(file, Map.of(DegradedSettings.READ_AHEAD, "1m"));
    assertTrue(altered.get() > 1, "nothing was sent again");
  }

  @ParameterizedTest
  @ValueSource(strings = {"star", "chain"})
  void forgedHelperIsFoundByTheRecordsOfWholeBlocks(String shape) throws IOException {
    Written file = write();
    Stripe stripe = file.stripe(0);
    BrokenReplicas.flipUnseen(fixture.cluster, stripe.nodes().get(1), block(stripe, 1), FLIPPED);
    fixture.stop(List.of(stripe.nodes().get(0)));
    Map<String, String> wholeBlock =
        Map.of(DegradedSettings.SHAPE, shape, DegradedSettings.FIRST_READ, "1m");
    try (BraidFileSystem fs = fixture.client(wholeBlock);
        FSDataInputStream in = fs.open(file.path())) {
      byte[] read = new byte[ClientFixture.BLOCK];
      in.readFully(read);
      assertArrayEquals(Arrays.copyOf(file.content(), ClientFixture.BLOCK), read);
    }
  }

  @Test
  void wholeBlockThatDiffersFromItsRecordIsRefused() throws IOException {
    Written file = write();
    Stripe stripe = file.stripe(0);
    // All that is left: none of the three can be replaced by another.
    BrokenReplicas.flipUnseen(fixture.cluster, stripe.nodes().get(1), block(stripe, 1), FLIPPED);
    fixture.stop(List.of(stripe.nodes().get(0), stripe.nodes().get(4)));
    try (BraidFileSystem fs = fixture.client(Map.of(DegradedSettings.FIRST_READ, "1m"));
        FSDataInputStream in = fs.open(file.path())) {
      BlockMissingException e =
          assertThrows(BlockMissingException.class, () -> in.readFully(new byte[10]));
      assertTrue(message(e).contains("2 of its stripe's 5 blocks are reachable"), message(e));
      String record = String.format("recorded is %08x", stripe.proto().getMembers(1).getCrc32C());
      assertTrue(message(e).contains(record), message(e));
    }
  }
}
