package org.braid.hdfs.coordinator.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.code.Codes;
import org.braid.code.UnknownCodeException;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.dispatch.WorkerException;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
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

  /** Users may have set its own replication to 1 since. */
  @Test
  void theReplicationThatASnapshotKeepsIsTold() {
    BlockStatus block = new BlockStatus(new BlockIdentity(1, 1, 5), List.of(), 3, true, List.of());
    StoredFile file =
        new StoredFile(
            "/f",
            7,
            5,
            100,
            1,
            List.of(block),
            List.of("IN_SNAPSHOT"),
            "",
            Optional.empty(),
            StoredFile.Usage.UNKNOWN);
    Obstacle held =
        Objects.requireNonNull(Obstacle.of(file, StripeMap.of(List.of()), Codes.named("rs-3-2")));
    assertEquals("IN_SNAPSHOT", held.cause());
    assertTrue(held.reason().contains("at replication 3,"), held.reason());
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
