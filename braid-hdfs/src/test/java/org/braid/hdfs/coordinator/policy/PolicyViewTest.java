package org.braid.hdfs.coordinator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.junit.jupiter.api.Test;

final class PolicyViewTest {
  private static StoredFile file(String... obstacles) {
    return file(3, obstacles);
  }

  private static StoredFile file(int replication, String... obstacles) {
    long then = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    return new StoredFile(
        "/a",
        1,
        0,
        100,
        replication,
        List.of(
            new BlockStatus(new BlockIdentity(1, 1, 0), List.of(), replication, true, List.of())),
        List.of(obstacles),
        "",
        Optional.empty(),
        new StoredFile.Usage("ann", then, then));
  }

  /** The daemon passes over such a file for good, and over one that saves nothing for now. */
  @Test
  void whatAFileHasAgainstItIsToldAndNotThatItSavesNothingAlone() {
    Skipped empty = new Skipped("/a", "EMPTY", "it has 0 bytes");
    Skipped gainless = new Skipped("/a", "NO_GAIN", "replicas take less");
    assertEquals(Optional.of("it has 0 bytes"), PolicyView.obstacle(file("EMPTY"), List.of(empty)));
    assertEquals(Optional.empty(), PolicyView.obstacle(file(), List.of(gainless)));
    assertEquals(Optional.empty(), PolicyView.obstacle(file(), List.of()));
  }

  /** The daemon never takes it, though a command would convert it. */
  @Test
  void thatAFileHasOneReplicaIsTold() {
    Skipped empty = new Skipped("/a", "EMPTY", "it has 0 bytes");
    assertEquals(
        Optional.of(
            "it has one replica, and blocks that no stripe protects: policies leave such files as"
                + " users want them, braid convert converts them"),
        PolicyView.obstacle(file(1), List.of()));
    assertEquals(
        Optional.of("it has 0 bytes"), PolicyView.obstacle(file(1, "EMPTY"), List.of(empty)));
  }
}
