package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;
import org.junit.jupiter.api.Test;

final class UrgentRepairsTest {
  private final FakeCluster cluster = new FakeCluster(6, 1);
  private final String wide = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
  private final String narrow = cluster.stripe("rs-2-1", 1, "r3n0", "r4n0", "r5n0");
  private final List<String> repaired = new ArrayList<>();
  private final List<String> busy = new ArrayList<>();
  private boolean wanted = true;
  private boolean paused;
  private Runnable meanwhile = () -> {};
  private long now = 1000;

  private final Ticker ticker =
      new Ticker() {
        @Override
        public long millis() {
          return now;
        }

        @Override
        public void sleep(long millis) {
          throw new AssertionError("a step waits for nothing");
        }

        @Override
        public <T> T poll(BlockingQueue<T> queue, long millis) {
          throw new AssertionError("a step waits for nothing");
        }

        @Override
        public boolean await(CountDownLatch latch, long millis) {
          throw new AssertionError("a step waits for nothing");
        }
      };

  private final UrgentRepairs repairs =
      new UrgentRepairs(
          new UrgentRepairs.Calls() {
            @Override
            public ClusterState look() {
              return cluster.look();
            }

            @Override
            public ClusterState patiently(ClusterState seen) {
              busy.forEach(cluster::revive);
              now += busy.isEmpty() ? 0 : 8000;
              return busy.isEmpty() ? seen : cluster.look();
            }

            @Override
            public void damagedStripes(Page<StripeStatus> pages) throws IOException {
              pages.take(cluster.stripes());
            }

            @Override
            public int repair(List<StripeStatus> stripes, BooleanSupplier halted) {
              for (StripeStatus status : stripes) {
                if (!halted.getAsBoolean()) {
                  repaired.add(status.stripe().id());
                  meanwhile.run();
                }
              }
              return repaired.size();
            }
          },
          new BadReplicas(),
          () -> wanted,
          () -> paused,
          ticker);

  private List<String> step() throws IOException {
    repaired.clear();
    int rebuilt = repairs.step();
    assertEquals(repaired.size(), rebuilt);
    return List.copyOf(repaired);
  }

  @Test
  void stripesThatSurviveAnotherLossAreLeftToTheirTurn() throws IOException {
    assertEquals(List.of(), step());
    cluster.kill("r0n0");
    assertEquals(List.of(), step(), "one of two spare blocks is lost");
    cluster.kill("r5n0");
    assertEquals(List.of(narrow), step());
    cluster.kill("r1n0");
    assertEquals(List.of(wide), step(), "the other one was tried a moment ago");
  }

  @Test
  void blocksThatAreToBeMovedAreNoLosses() throws IOException {
    cluster.put(cluster.block(narrow, 0), "r4n0");
    assertEquals(List.of(), step());
  }

  @Test
  void whatIsBeyondRepairIsNotTried() throws IOException {
    cluster.kill("r4n0");
    cluster.kill("r5n0");
    assertEquals(List.of(), step());
  }

  @Test
  void blocksOfBusyNodesAreNoLosses() throws IOException {
    cluster.delay("r5n0");
    busy.add("r5n0");
    assertEquals(List.of(), step());
    assertEquals(0, repairs.lookedMillis(), "the next look does not wait for it nine times");
    busy.clear();
    cluster.delay("r5n0");
    assertEquals(List.of(narrow), step(), "it hangs");
  }

  @Test
  void whatCouldNotBeRepairedIsTriedAgainLater() throws IOException {
    cluster.kill("r5n0");
    assertEquals(List.of(narrow), step());
    now += 20_000;
    assertEquals(List.of(), step());
    now += 20_000;
    assertEquals(List.of(narrow), step());
  }

  @Test
  void nothingIsRepairedWhileThatIsNotWanted() throws IOException {
    cluster.kill("r5n0");
    wanted = false;
    assertEquals(List.of(), step());
    wanted = true;
    assertEquals(List.of(narrow), step());
  }

  @Test
  void aPauseEndsItAtTheNextStripe() throws IOException {
    cluster.kill("r0n0");
    cluster.kill("r4n0");
    meanwhile = () -> paused = true;
    assertEquals(1, step().size(), "two have no spare block");
    paused = false;
    meanwhile = () -> {};
    assertEquals(2, step().size(), "what was not begun has waited long enough");
  }

  /** Scrubs wait meanwhile. */
  @Test
  void itIsKnownWhetherStripesAreBeingRepaired() throws IOException {
    cluster.kill("r5n0");
    List<Boolean> repairing = new ArrayList<>();
    meanwhile = () -> repairing.add(repairs.isRepairing());
    assertEquals(List.of(narrow), step());
    repairing.add(repairs.isRepairing());
    assertEquals(List.of(true, false), repairing);
  }
}
