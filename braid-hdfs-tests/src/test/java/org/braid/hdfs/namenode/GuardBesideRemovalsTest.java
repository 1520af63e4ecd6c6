package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.namenode.stripes.ReplicaGuard;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * A block that stays has a copy too many when the other block of its stripe is removed, and relies
 * on that copy from then on.
 */
final class GuardBesideRemovalsTest {
  private static final Path GOES = new Path("/goes");
  private static final Path STAYS = new Path("/stays");

  @TempDir java.nio.file.Path directory;
  private NameNodeFixture fixture;
  private StripeProto stripe = StripeProto.getDefaultInstance();
  private byte[] content = {};

  private final CountDownLatch reading = new CountDownLatch(1);
  private final CountDownLatch read = new CountDownLatch(1);
  private final CountDownLatch removing = new CountDownLatch(1);
  private final CountDownLatch removed = new CountDownLatch(1);

  @BeforeEach
  void encode() throws Exception {
    fixture =
        NameNodeFixture.start(
            directory, 5, 5, Map.of("dfs.datanode.plugins", BraidDataNodePlugin.class.getName()));
    BlockStatusProto goes = fixture.write(GOES.toString(), 1, 3).getBlocks(0);
    BlockStatusProto stays = fixture.write(STAYS.toString(), 1, 3).getBlocks(0);
    content = content();
    stripe = fixture.publish("rs-2-1", List.of(goes, stays), x -> x);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    fixture.fs.setReplication(GOES, (short) 1);
    fixture.fs.setReplication(STAYS, (short) 1);
    Await.until("one copy on the disks", () -> fixture.copies(id()).equals(Set.of(home())));
    Await.until("the deletions to be reported", () -> fixture.leaving(id()).isEmpty());
  }

  @AfterEach
  void stop() throws Exception {
    read.countDown();
    removed.countDown();
    InjectedFaults.clear();
    fixture.close();
  }

  private long id() {
    return stripe.getMembers(1).getBlock().getId();
  }

  private String home() {
    return stripe.getMembers(1).getHome();
  }

  private byte[] content() throws IOException {
    try (FSDataInputStream in = fixture.fs.open(STAYS)) {
      return in.readAllBytes();
    }
  }

  /** Gives the block another copy, as a node does that comes back. */
  private String copy() throws Exception {
    Set<String> homes = new HashSet<>();
    stripe.getMembersList().forEach(member -> homes.add(member.getHome()));
    int spare = 0;
    while (homes.contains(fixture.cluster.uuid(spare))) {
      spare++;
    }
    int home = fixture.cluster.indexOf(home()).orElseThrow();
    fixture.addReplica(home, spare, StripeCodec.of(stripe.getMembers(1).getBlock()));
    return fixture.cluster.uuid(spare);
  }

  /** Holds the guard while it reads the copy that is to stay, and a removal that was judged. */
  private void hold() {
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_READ && detail.contains(String.valueOf(id()))) {
            hold(reading, read);
          } else if (step == FaultStep.NAMENODE_REMOVE && detail.equals(GOES.toString())) {
            hold(removing, removed);
          }
        });
  }

  private static void hold(CountDownLatch reached, CountDownLatch goesOn) throws IOException {
    reached.countDown();
    try {
      goesOn.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void await(CountDownLatch reached) throws InterruptedException {
    assertTrue(reached.await(60, TimeUnit.SECONDS));
  }

  /** The guard's log says that it keeps the copies for now. */
  private static boolean keepsThem(LogCapturer log) {
    return log.getOutput().contains("keep their replicas for now");
  }

  @Test
  void noCopyIsDroppedByWhichARemovalWasJudged() throws Exception {
    hold();
    String copy = copy();
    await(reading);
    CompletableFuture<Boolean> deleted =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return fixture.fs.delete(GOES, false);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    await(removing);
    assertFalse(deleted.isDone());
    assertEquals(Set.of(home(), copy), fixture.holders(id()), "it was judged by both copies");
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(ReplicaGuard.class));
    read.countDown();
    Await.until(
        "the guard to keep both, or to have dropped one",
        () -> keepsThem(log) || fixture.holders(id()).size() == 1);
    log.stopCapturing();
    assertEquals(Set.of(home(), copy), fixture.holders(id()));
    removed.countDown();
    assertTrue(deleted.get(60, TimeUnit.SECONDS));
    fixture.cluster.stopNode(fixture.cluster.indexOf(home()).orElseThrow());
    assertArrayEquals(content, content());
  }

  /** Else a copy too many would stay for good. */
  @Test
  void theCopyIsDroppedOnceARemovalWasGivenUp() throws Exception {
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_READ && detail.contains(String.valueOf(id()))) {
            hold(reading, read);
          } else if (step == FaultStep.NAMENODE_REMOVE) {
            hold(removing, removed);
            throw new IOException("not made");
          }
        });
    copy();
    await(reading);
    CompletableFuture<Boolean> refused =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return fixture.fs.delete(GOES, false);
              } catch (IOException e) {
                return false;
              }
            });
    await(removing);
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(ReplicaGuard.class));
    read.countDown();
    Await.until("the guard to keep both", () -> keepsThem(log));
    log.stopCapturing();
    removed.countDown();
    assertFalse(refused.get(60, TimeUnit.SECONDS));
    Await.until("one copy", () -> fixture.holders(id()).equals(Set.of(home())));
  }
}
