package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.WatchReport;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A coordinator that watches a cluster, and other work beside it. */
final class WatcherTest {
  private static final Random RANDOM = Seeds.random(WatcherTest.class);
  private static final long SELDOM = 3_600_000;
  private static Lab lab;

  @BeforeAll
  static void start() throws Exception {
    lab = new Lab(4, 8);
  }

  @AfterEach
  void heal() throws Exception {
    lab.startAll();
  }

  @AfterAll
  static void stop() throws Exception {
    lab.close();
  }

  private static void converted(String path) throws Exception {
    lab.write(path, 6 * Lab.BLOCK + 5, 3, RANDOM);
    lab.convertAll("rs-3-2", path);
    lab.assertConverted(path);
  }

  @Test
  void rebuildsWhatIsLostByItself() throws Exception {
    converted("/watched/f");
    try (Watch watch = new Watch(lab, 300).awaitWatching()) {
      int node = lab.heaviestNode();
      lab.hdfs.stopNode(node);
      lab.hdfs.awaitDead(node);
      watch.await("blocks rebuilt");
      lab.assertReads("/watched/f");
      WatchReport report = watch.end();
      assertTrue(report.repaired() > 0, report.toString());
      assertEquals(0, report.unrepairable());
      assertTrue(report.traffic().crossRackBytes() + report.traffic().inRackBytes() > 0);
    }
    lab.startAll();
    lab.assertTolerant("/watched/f");
    lab.assertClean("/watched");
  }

  @Test
  void givesWayToAConversionAndTakesTheLeaseBack() throws Exception {
    try (Watch watch = new Watch(lab, SELDOM).awaitWatching()) {
      lab.write("/handed/f", 6 * Lab.BLOCK, 3, RANDOM);
      long since = System.nanoTime();
      ConvertReport report = lab.convertAll("rs-3-2", "/handed/f");
      double waited = (System.nanoTime() - since) / 1e9 - report.seconds();
      assertTrue(waited < 10, "waited " + waited + " s for the lease");
      watch.await("giving way");
      lab.assertConverted("/handed/f");
      // It watches again: the second conversion has to ask it, too.
      long end = System.nanoTime() + 20_000_000_000L;
      while (watch.journal.stream().filter("watching"::equals).count() < 2) {
        assertTrue(System.nanoTime() < end, watch.journal.toString());
        Thread.sleep(20);
      }
      assertEquals(1, watch.end().handOvers());
    }
  }

  @Test
  void otherWorkIsWaitedForSoLongAndNoLonger() throws Exception {
    try (NameNodeCalls calls = lab.calls();
        LeaseKeeper held = LeaseKeeper.acquire(calls, "other", 1000)) {
      assertFalse(held.lost());
      var impatient =
          new Connection(
              Optional.of(lab.hdfs.uri()), List.of(), Map.of(Coordinator.LEASE_WAIT_KEY, "1s"));
      try (Cluster cluster = Braid.connect(impatient)) {
        RefusedException refused =
            assertThrows(
                RefusedException.class, () -> cluster.convert(Lab.request("rs-3-2", "/none")));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.startsWith("another coordinator (other at localhost:"), message);
        assertTrue(message.contains("did not finish within 1 s"), message);
      }
      // Who watches waits without an end, and can be stopped while it does.
      try (Watch watch = new Watch(lab, SELDOM)) {
        Thread.sleep(500);
        assertEquals(List.of(), watch.journal);
        assertEquals(0, watch.end().handOvers());
      }
    }
  }

  @Test
  void outlivesARestartOfTheNameNode() throws Exception {
    converted("/restarted/f");
    try (Watch watch = new Watch(lab, 300).awaitWatching()) {
      lab.hdfs.restartNameNode();
      watch.await("the lease is lost");
      int node = lab.heaviestNode();
      lab.hdfs.stopNode(node);
      lab.hdfs.awaitDead(node);
      watch.await("blocks rebuilt");
      lab.assertReads("/restarted/f");
      assertTrue(watch.end().repaired() > 0);
    }
  }
}
