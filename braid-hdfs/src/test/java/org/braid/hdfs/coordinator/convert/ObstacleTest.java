package org.braid.hdfs.coordinator.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.code.Codes;
import org.braid.code.UnknownCodeException;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.dispatch.WorkerException;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.policy.HiddenDirectories;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.placement.PlacementException;
import org.junit.jupiter.api.Test;

/** What stripes that fail are named for. */
final class ObstacleTest {
  private static PlanFailedException atWorker(Class<? extends IOException> type) {
    RemoteException told = new RemoteException(type.getName(), "it says why");
    WorkerException failure = WorkerException.of(new ServiceException(told));
    return PlanFailedException.at(1, "n1: " + failure.getMessage(), failure);
  }

  @Test
  void whatExceedsAQuotaIsNamedSo() {
    assertEquals("QUOTA", Obstacle.of(new NSQuotaExceededException("full")).cause());
    Obstacle parity = Obstacle.of(atWorker(DSQuotaExceededException.class));
    assertEquals(new Obstacle("QUOTA", "n1: it says why"), parity);
    IOException attempts =
        new IOException("3 attempts failed", atWorker(DSQuotaExceededException.class));
    assertEquals(new Obstacle("QUOTA", "3 attempts failed"), Obstacle.of(attempts));
  }

  @Test
  void aFailureWhoseCausesGoRoundIsNamed() {
    IOException inner = new IOException("inner");
    IOException outer = new IOException("outer", inner);
    inner.initCause(outer);
    Obstacle met = assertTimeoutPreemptively(Duration.ofSeconds(30), () -> Obstacle.of(outer));
    assertEquals(new Obstacle("FAILED", "outer"), met);
  }

  /** Users may have set its own replication to 1 since. */
  @Test
  void theReplicationThatASnapshotKeepsIsTold() {
    BlockStatus block = new BlockStatus(new BlockIdentity(1, 1, 5), List.of(), 3, true, List.of());
    StoredFile file = file("/f", 1, block, "IN_SNAPSHOT");
    Obstacle held =
        Objects.requireNonNull(Obstacle.of(file, StripeMap.of(List.of()), Codes.named("rs-3-2")));
    assertEquals("IN_SNAPSHOT", held.cause());
    assertTrue(held.reason().contains("at replication 3,"), held.reason());
  }

  private static StoredFile file(
      String path, int replication, BlockStatus block, String... obstacles) {
    return FakeFile.at(path, 7)
        .length(5, 100)
        .replication(replication)
        .blocks(block)
        .obstacles(obstacles)
        .build();
  }

  /** What was begun is finished there; what has all its replicas again is as if it never was. */
  @Test
  void aHiddenDirectoryHidesWhatReliesOnNoStripe() {
    FakeCluster cluster = new FakeCluster(6, 2);
    String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
    BlockStatus plain = new BlockStatus(new BlockIdentity(1, 1, 5), List.of(), 3, true, List.of());
    assertEquals("HIDDEN", hidden(cluster, "/a/_x/f", 3, plain));
    assertEquals("HIDDEN", hidden(cluster, "/a/_x/f", 1, plain));
    assertEquals("", hidden(cluster, "/a/x/f", 3, plain));
    assertEquals("", hidden(cluster, "/a/_x/f", 1, cluster.status(stripe).member(0).status()));
    cluster.raise(cluster.block(stripe, 0), 3);
    cluster.copy(cluster.block(stripe, 0), "r5n0");
    assertEquals(
        "",
        hidden(cluster, "/a/_x/f", 3, cluster.status(stripe).member(0).status()),
        "a replica is missing");
    cluster.copy(cluster.block(stripe, 0), "r5n1");
    assertEquals(
        "HIDDEN", hidden(cluster, "/a/_x/f", 3, cluster.status(stripe).member(0).status()));
  }

  /** The cause for which a conversion of {@code /a} leaves a file alone; empty: it does not. */
  private static String hidden(
      FakeCluster cluster, String path, int replication, BlockStatus block) {
    Obstacle found =
        Obstacle.hidden(
            file(path, replication, block),
            StripeMap.of(cluster.stripes()),
            HiddenDirectories.below(List.of("/a")));
    return found == null ? "" : found.cause();
  }

  @Test
  void aStackTraceInAMessageIsLeftOut() {
    IOException remote = new IOException("it is full\n\tat org.apache.hadoop.hdfs.Server.run(1)");
    assertEquals(new Obstacle("FAILED", "it is full"), Obstacle.of(remote));
  }

  @Test
  void otherFailuresAreNamedFailed() {
    assertEquals("FAILED", Obstacle.of(atWorker(IOException.class)).cause());
    assertEquals("FAILED", Obstacle.of(new IOException("disk")).cause());
    assertEquals("REFUSED", Obstacle.of(new RefusedException("racks")).cause());
    assertEquals("HELD", Obstacle.of(new LeftByUsersException("HELD", "a snapshot")).cause());
  }

  @Test
  void whatNobodyForesawSaysWhatToDo() {
    Obstacle obstacle = Obstacle.of(new IllegalArgumentException("step 3 sends to its own node"));
    assertEquals("FAILED", obstacle.cause());
    assertEquals(
        "an error of Braid, which its log describes: the stripe stays as it is; run the command"
            + " again, and report the error if it comes back:"
            + " java.lang.IllegalArgumentException: step 3 sends to its own node",
        obstacle.reason());
    assertEquals(
        new Obstacle("REFUSED", "2 of 5 racks"),
        Obstacle.of(new PlacementException("racks", 5, 2, "2 of 5 racks")));
    UnknownCodeException unknown =
        assertThrows(UnknownCodeException.class, () -> Codes.named("none"));
    assertEquals(unknown.getMessage(), Obstacle.of(unknown).reason());
  }
}
