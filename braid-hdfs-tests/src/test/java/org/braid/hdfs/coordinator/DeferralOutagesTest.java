package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Clients that know nothing of Braid where no call waits, and where one is cut off as it does. */
final class DeferralOutagesTest {
  private static final Random RANDOM = Seeds.random(DeferralOutagesTest.class);
  private static final long SELDOM = 3_600_000;

  @Test
  void switchedOffNobodyWaitsWhoeverWatches() throws Exception {
    try (ClusterFixture fixture =
        new ClusterFixture(4, 8, Map.of("braid.namenode.deferral.enabled", "false"))) {
      PlainClients clients = new PlainClients(fixture, RANDOM);
      String path = clients.converted("/off", 1).get(0);
      int node = clients.holder(clients.blocks(path).get(0));
      try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
        clients.lose(List.of(node));
        long since = System.nanoTime();
        assertThrows(BlockMissingException.class, () -> clients.pread(path, ClusterFixture.BLOCK));
        // Who waits, waits for as long as a call is deferred at most.
        double seconds = (System.nanoTime() - since) / 1e9;
        assertTrue(seconds < 50, "HDFS's own error came after " + seconds + " s");
        try (Cluster cluster = fixture.braid()) {
          assertFalse(cluster.status("/off").coordination().deferring());
        }
        // Who knows of Braid reads all the same, and what is lost is repaired as ever.
        fixture.assertReadsDegraded(path);
        assertEquals(0, watch.end().demanded());
      }
      assertEquals(List.of(), fixture.repair("/off", "chain").unrepairable());
      fixture.assertReads(path);
    }
  }

  /** The call that waits is cut off; the client asks the NameNode that comes back. */
  @Test
  void whoWaitsOutlivesARestartOfTheNameNode() throws Exception {
    // With a node away HDFS would wait in safe mode for its blocks.
    try (ClusterFixture fixture =
        new ClusterFixture(4, 8, Map.of("dfs.namenode.safemode.threshold-pct", "0.5"))) {
      PlainClients clients = new PlainClients(fixture, RANDOM);
      String path = clients.converted("/restart", 1).get(0);
      int node = clients.holder(clients.blocks(path).get(0));
      CountDownLatch back = new CountDownLatch(1);
      ExecutorService thread = Executors.newSingleThreadExecutor();
      try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
        InjectedFaults.install((step, where) -> holdBack(step, back));
        clients.lose(List.of(node));
        // With its usual patience the client looks again a few times; a NameNode may need a while.
        Configuration patient = clients.plain(3000);
        patient.set("dfs.client.retry.policy.spec", "200,300");
        Future<byte[]> reader =
            thread.submit(() -> clients.pread(patient, path, ClusterFixture.BLOCK));
        awaitWaiting(fixture);
        fixture.hdfs.restartNameNode();
        assertFalse(reader.isDone());
        back.countDown();
        byte[] first = Arrays.copyOf(fixture.content(path), ClusterFixture.BLOCK);
        assertArrayEquals(first, reader.get(60, TimeUnit.SECONDS));
      } finally {
        back.countDown();
        InjectedFaults.clear();
        thread.shutdownNow();
      }
      fixture.startAll();
      assertEquals(List.of(), fixture.repair("/restart", "chain").unrepairable());
      fixture.assertConverted(path);
      fixture.assertReads(path);
      fixture.assertClean("/restart");
    }
  }

  /** Nothing is rebuilt before the NameNode is back. */
  private static void holdBack(FaultStep step, CountDownLatch back) throws IOException {
    try {
      if (step == FaultStep.REPAIR_PLANNED && !back.await(60, TimeUnit.SECONDS)) {
        throw new IOException("the NameNode does not come back");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void awaitWaiting(ClusterFixture fixture) throws Exception {
    try (Cluster cluster = fixture.braid()) {
      Await.until("a reader to wait", () -> cluster.status("/").coordination().waiting() > 0);
    }
  }
}
