package org.braid.hdfs.coordinator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.Policies.Standing;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.junit.jupiter.api.Test;

final class PolicyViewTest {
  private static StoredFile file(String... obstacles) {
    return file(3, obstacles);
  }

  private static StoredFile file(int replication, String... obstacles) {
    return file(
        replication,
        new BlockStatus(new BlockIdentity(1, 1, 0), List.of(), replication, true, List.of()),
        obstacles);
  }

  private static StoredFile file(int replication, BlockStatus block, String... obstacles) {
    long then = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    return FakeFile.at("/a", 1)
        .length(0, 100)
        .replication(replication)
        .blocks(block)
        .obstacles(obstacles)
        .usage(new StoredFile.Usage("ann", then, then))
        .build();
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

  /** The daemon leaves it alone, or converts it anew. */
  @Test
  void aRestoredFileIsNotConvertedThoughOthersNeedItsStripe() {
    FakeCluster cluster = new FakeCluster(6, 2);
    String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
    assertEquals(List.of(stripe), encoding(cluster, stripe, 1));
    cluster.raise(cluster.block(stripe, 0), 3);
    cluster.copy(cluster.block(stripe, 0), "r5n0");
    assertEquals(List.of(stripe), encoding(cluster, stripe, 3), "a replica is missing");
    cluster.copy(cluster.block(stripe, 0), "r5n1");
    assertEquals(List.of(), encoding(cluster, stripe, 3));
  }

  private static List<String> encoding(FakeCluster cluster, String stripe, int replication) {
    StoredFile file = file(replication, cluster.status(stripe).member(0).status());
    return PolicyView.encoding(file, StripeMap.of(cluster.stripes())).stream()
        .map(status -> status.stripe().id())
        .toList();
  }

  @Test
  void whatIsLeftToDoIsToldByThePolicyThatTakesAFile() {
    FakeCluster cluster = new FakeCluster(6, 2);
    String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
    StripeMap stripes = StripeMap.of(cluster.stripes());
    BlockStatus encoded = cluster.status(stripe).member(0).status();
    BlockStatus other = new BlockStatus(new BlockIdentity(99, 1, 0), List.of(), 1, true, List.of());
    StoredFile half = FakeFile.at("/a", 1).blocks(encoded, other).build();
    StoredFile empty = FakeFile.at("/a", 1).blocks().build();
    Policy cold = policy(Action.CONVERT, Map.of("path", "/a", "code", "rs-3-2"));
    assertEquals(Standing.AS_WANTED, PolicyView.standing(cold, file(1, encoded), stripes));
    assertEquals(Standing.TO_DO, PolicyView.standing(cold, file(3), stripes));
    assertEquals(Standing.TO_DO, PolicyView.standing(cold, half, stripes));
    assertEquals(Standing.TO_DO, PolicyView.standing(cold, empty, stripes));
    StoredFile raised = file(3, encoded);
    assertEquals(Standing.TO_DO, PolicyView.standing(cold, raised, stripes), "users want 3");
    Policy big = policy(Action.CONVERT, Map.of("path", "/a", "code", "rs-6-3"));
    assertEquals(Standing.OTHER_CODE, PolicyView.standing(big, file(1, encoded), stripes));
    Policy copies =
        policy(Action.CONVERT, Map.of("path", "/a", "code", "rs-3-2", "parity-copies", "2"));
    assertEquals(Standing.OTHER_CODE, PolicyView.standing(copies, file(1, encoded), stripes));
    Policy keep = policy(Action.LEAVE, Map.of("path", "/a"));
    assertEquals(Standing.AS_WANTED, PolicyView.standing(keep, half, stripes));
  }

  @Test
  void whatIsInAStripeIsLeftToRestore() {
    FakeCluster cluster = new FakeCluster(6, 2);
    String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
    StripeMap stripes = StripeMap.of(cluster.stripes());
    BlockStatus encoded = cluster.status(stripe).member(0).status();
    Policy hot = policy(Action.RESTORE, Map.of("path", "/a"));
    assertEquals(Standing.TO_DO, PolicyView.standing(hot, file(1, encoded), stripes));
    assertEquals(Standing.AS_WANTED, PolicyView.standing(hot, file(3), stripes));
  }

  /** The daemon passes over it. */
  @Test
  void whatNeverHadMoreThanOneReplicaIsNotLeftToRestore() {
    FakeCluster cluster = new FakeCluster(6, 2);
    String id = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
    StripeStatus status = cluster.encodedWithOneReplica(id);
    StripeMap stripes = StripeMap.of(List.of(status));
    StoredFile file = file(1, status.member(0).status());
    Policy hot = policy(Action.RESTORE, Map.of("path", "/a"));
    assertEquals(Standing.AS_WANTED, PolicyView.standing(hot, file, stripes));
  }

  private static Policy policy(Action action, Map<String, String> settings) {
    return Policy.of("one", true, action, settings);
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
