package org.braid.hdfs.coordinator.throttle;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.time.Ticker;
import org.braid.plan.throttle.SharedLink;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.Throttle;
import org.braid.plan.throttle.ThrottledRuns;
import org.braid.plan.throttle.WorkClass;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ThrottlesTest {
  private static final Map<SharedLink, Integer> DISK = Map.of(SharedLink.disk("n"), 1);
  private static final long MB = 1_000_000;
  private static final double HALF = ThrottledRuns.GRANTED * MB / 2;
  private static final Background REPAIR = Background.repair(() -> false).on("s");

  private volatile Throttle throttle = Throttle.NONE;

  /** What workers were told last, by run. */
  private final Map<String, Double> told = new ConcurrentHashMap<>();

  private volatile long packetMicros;
  private final AtomicInteger errors = new AtomicInteger();
  private long packets;

  private final Throttles throttles =
      new Throttles(
          () -> throttle,
          (rates, heard) -> {
            if (errors.getAndDecrement() > 0) {
              throw new OutOfMemoryError("in a test");
            }
            packets += 100;
            if (packetMicros > 0) {
              heard.at("n", packets, packets * packetMicros * 1000);
            }
            List<Long> numbers = new ArrayList<>();
            rates.forEach(
                (grant, rate) -> {
                  Grant.Run run = grant.run();
                  if (run != null) {
                    told.put(run.name(), rate);
                  }
                  numbers.add(grant.number());
                });
            return numbers;
          },
          MB,
          Ticker.SYSTEM);

  @AfterEach
  void close() {
    throttles.close();
  }

  private static Throttle disk(long limit) {
    return new Throttle(Map.of(Kind.DISK, limit), Throttle.NONE.shares(), 0);
  }

  /** A plan that runs until it is let go, or broken off. */
  private final class Run {
    private final String name;
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();
    private volatile boolean broken;
    private final CompletableFuture<String> result;

    Run(String name, Background work) {
      this.name = name;
      result = CompletableFuture.supplyAsync(() -> run(work), task -> new Thread(task).start());
    }

    private String run(Background work) {
      try {
        return throttles.run(work, DISK, 100 * MB, this::body);
      } catch (IOException e) {
        return e.getClass().getSimpleName();
      }
    }

    private String body(Grant grant) throws IOException {
      told.put(name, grant.rate());
      var unused = grant.slice(1 << 20);
      broken = false;
      begun.incrementAndGet();
      grant.begins(name, List.of(), () -> broken = true);
      try {
        while (!broken) {
          if (end.await(10, TimeUnit.MILLISECONDS)) {
            return "done";
          }
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      throw new IOException("broken off");
    }

    void awaitRate(double rate) throws Exception {
      Await.until(
          name + " to run at " + rate,
          () -> {
            double now = told.getOrDefault(name, -1.0);
            return now == rate || Math.abs(now - rate) < 1;
          });
    }

    String ended() throws Exception {
      end.countDown();
      return result.get(10, TimeUnit.SECONDS);
    }
  }

  /** What was written elsewhere may be none that is known here. */
  @Test
  void whatIsConfiguredHoldsAsLongAsNothingCanBeRead() throws Exception {
    Throttles.Source broken =
        new Throttles.Source() {
          @Override
          public Throttle read() throws IOException {
            throw new IOException("node = \"much\"");
          }

          @Override
          public Throttle configured() {
            return disk(MB);
          }
        };
    try (Throttles own = new Throttles(broken, (rates, heard) -> List.of(), MB, Ticker.SYSTEM)) {
      double rate = own.run(REPAIR, DISK, 100 * MB, Grant::rate);
      assertTrue(rate <= MB, "bytes a second: " + rate);
    }
  }

  /** 5 microseconds would have every node give way. */
  @Test
  void aLatencyTargetIsSetWithItsUnit() {
    for (String fit : List.of("5ms", "0", "none")) {
      ThrottleSettings.checkUnits(Map.of("latency-target", fit));
    }
    ThrottleSettings.checkUnits(Map.of("node", "5"));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> ThrottleSettings.checkUnits(Map.of("latency-target", "5")));
    assertEquals(
        "latency-target = \"5\": needed is a time with its unit, as 5ms", refused.getMessage());
  }

  @Tag("slow")
  @Test
  void whoWatchesIsShownWhatHoldsWhileNothingRuns() throws Exception {
    assertEquals(Throttle.NONE, throttles.throttle());
    throttle = disk(MB);
    throttles.watch(change -> {});
    Await.until("the throttle to be read", throttles::throttle, disk(MB)::equals);
    throttle = disk(0);
    Await.until("the throttle to be read again", throttles::throttle, disk(0)::equals);
  }

  /** Commands log warnings alone, and what somebody has set is none. */
  @Test
  void whoWatchesHearsOfEachChange() throws Exception {
    List<String> journal = new CopyOnWriteArrayList<>();
    throttle = disk(MB);
    throttles.watch(journal::add);
    Run run = new Run("a", REPAIR);
    run.awaitRate(2 * HALF);
    assertEquals(List.of(), journal);
    throttle = disk(2 * MB);
    String change =
        "the throttle is now: disk 1.9 MiB/s, shares 0.7 of repair and 0.3 of conversion";
    Await.until("the change to be told", () -> List.copyOf(journal), List.of(change)::equals);
    assertEquals("done", run.ended());
  }

  @Test
  void plansShareALimitAndOneThatEndsLeavesItToTheOther() throws Exception {
    throttle = disk(MB);
    Run first = new Run("a", REPAIR);
    first.awaitRate(2 * HALF);
    Run second = new Run("b", REPAIR);
    first.awaitRate(HALF);
    second.awaitRate(HALF);
    assertEquals("done", first.ended());
    second.awaitRate(2 * HALF);
    assertEquals("done", second.ended());
    assertEquals(200 * MB, throttles.moved().of("repair", Kind.DISK));
    MetricsCollectorImpl collected = new MetricsCollectorImpl();
    DaemonMetrics metrics = new DaemonMetrics();
    ThrottleMetrics.addTo(metrics, throttles);
    metrics.getMetrics(collected, true);
    Map<String, Long> figures = new HashMap<>();
    for (AbstractMetric metric : collected.getRecords().get(0).metrics()) {
      figures.put(metric.name(), metric.value().longValue());
    }
    assertEquals(MB, figures.get("ThrottleDisk"));
    assertEquals(-1, figures.get("ThrottleUplink"));
    assertEquals(200 * MB, figures.get("RepairBytesDisk"));
    assertEquals(0, figures.get("UrgentBytesCluster"));
    assertEquals(0, figures.get("NodesGivingWay"));
  }

  @Test
  void coordinatorsThatWorkBesideEachOtherShareALimit() throws Exception {
    throttle = disk(4 * MB);
    Run run = new Run("a", REPAIR);
    run.awaitRate(4 * ThrottledRuns.GRANTED * MB);
    throttles.share(4);
    run.awaitRate(ThrottledRuns.GRANTED * MB);
    throttles.share(1);
    run.awaitRate(4 * ThrottledRuns.GRANTED * MB);
    assertEquals("done", run.ended());
  }

  /** Else nothing in the background would go on until the daemon starts anew. */
  @Test
  void anErrorDoesNotEndWhatTellsWorkersTheirRates() throws Exception {
    Run run = new Run("a", REPAIR);
    run.awaitRate(Double.POSITIVE_INFINITY);
    errors.set(2);
    throttle = disk(MB);
    run.awaitRate(2 * HALF);
    assertTrue(errors.get() <= 0);
    assertEquals("done", run.ended());
  }

  @Test
  void aChangeTakesEffectOnWhatRunsWithinAboutASecond() throws Exception {
    Run run = new Run("a", REPAIR);
    run.awaitRate(Double.POSITIVE_INFINITY);
    long since = System.nanoTime();
    throttle = disk(MB);
    run.awaitRate(2 * HALF);
    throttle = Throttle.NONE;
    run.awaitRate(Double.POSITIVE_INFINITY);
    assertTrue(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since) < 8);
    assertEquals("done", run.ended());
    assertEquals(1, run.begun.get());
  }

  @Test
  void zeroStopsWhatRunsAndItBeginsAnewLater() throws Exception {
    Run run = new Run("a", REPAIR);
    run.awaitRate(Double.POSITIVE_INFINITY);
    throttle = disk(0);
    Await.until("the run to be broken off", () -> run.broken);
    assertEquals("disk", throttles.throttle().stopped());
    throttle = disk(MB);
    Await.until("the run to begin anew", () -> run.begun.get() == 2);
    run.awaitRate(2 * HALF);
    assertEquals("done", run.ended());
  }

  @Test
  void whatIsUrgentPassesAThrottleOfZero() throws Exception {
    throttle = disk(0);
    Run waits = new Run("a", REPAIR);
    Run urgent = new Run("b", REPAIR.on("other").hurried());
    urgent.awaitRate(Double.POSITIVE_INFINITY);
    assertEquals("done", urgent.ended());
    assertEquals(0, waits.begun.get());
    assertEquals(100 * MB, throttles.moved().of(MovedBytes.URGENT, Kind.DISK));
    // A reader comes for the stripe of the one that waits.
    try (Throttles.Hurry unused = throttles.hurry("s")) {
      waits.awaitRate(Double.POSITIVE_INFINITY);
    }
    assertEquals("done", waits.ended());
  }

  @Test
  void aSlowPlanIsNoLongerHeldBackOnceAReaderWaits() throws Exception {
    throttle = disk(MB);
    Run run = new Run("a", REPAIR);
    run.awaitRate(2 * HALF);
    try (Throttles.Hurry unused = throttles.hurry("s")) {
      run.awaitRate(Double.POSITIVE_INFINITY);
      assertFalse(run.broken);
    }
    assertEquals("done", run.ended());
  }

  @Test
  void whatIsGivenUpWaitsForNothingSlow() throws Exception {
    throttle = disk(0);
    CountDownLatch halted = new CountDownLatch(1);
    Background work = Background.repair(() -> halted.getCount() == 0);
    Run waits = new Run("a", work);
    throttles.measure("s");
    throttle = disk(0);
    halted.countDown();
    assertEquals("GaveWayException", waits.result.get(10, TimeUnit.SECONDS));
    throttle = disk(MB);
    CountDownLatch late = new CountDownLatch(1);
    Run slow = new Run("b", Background.repair(() -> late.getCount() == 0));
    slow.awaitRate(2 * HALF);
    late.countDown();
    assertEquals("GaveWayException", slow.result.get(10, TimeUnit.SECONDS));
  }

  /** Whoever is asked may ask a NameNode that is away, and others must not wait for that. */
  @Test
  void whetherWorkIsGivenUpIsAskedWithoutTheLock() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger locked = new AtomicInteger();
    Background work =
        Background.repair(
            () -> {
              locked.addAndGet(Thread.holdsLock(throttles) ? 1 : 0);
              asked.incrementAndGet();
              return false;
            });
    throttle = disk(0);
    Run run = new Run("a", work);
    Await.until("it is asked while the plan waits", () -> asked.get() > 0);
    throttle = disk(MB);
    run.awaitRate(2 * HALF);
    int before = asked.get();
    Await.until("it is asked while the plan runs", () -> asked.get() > before + 1);
    assertEquals("done", run.ended());
    assertEquals(0, locked.get(), "times with the lock");
  }

  /** A NameNode that is away may be asked for minutes, and readers are to be given way to. */
  @Test
  void whoeverIsSlowToSayWhetherWorkIsGivenUpHoldsNoRateUp() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    Background work =
        Background.repair(
            () -> {
              asked.countDown();
              assertDoesNotThrow(() -> answer.await(120, TimeUnit.SECONDS));
              return false;
            });
    throttle = disk(MB);
    Run run = new Run("a", work);
    run.awaitRate(2 * HALF);
    assertTrue(asked.await(60, TimeUnit.SECONDS));
    throttle = disk(2 * MB);
    try {
      run.awaitRate(4 * HALF);
    } finally {
      answer.countDown();
    }
    assertEquals("done", run.ended());
  }

  @Test
  void theTimeForWhichAStripeIsHeldBackIsMeasured() throws Exception {
    throttle = disk(MB);
    throttles.measure("s");
    Run run = new Run("a", REPAIR);
    run.awaitRate(2 * HALF);
    Await.until("half a second", () -> throttles.heldMillis("s") > 500);
    assertEquals("done", run.ended());
    assertTrue(throttles.heldMillis("s") > 500);
    throttles.forget("s");
    assertEquals(0, throttles.heldMillis("s"));
  }

  /** A run on a node that has begun to give way to its readers, who are slow. */
  private Run besideSlowReaders() throws Exception {
    throttle = new Throttle(Map.of(), Throttle.NONE.shares(), 1000);
    packetMicros = 500;
    Run run = new Run("a", REPAIR);
    run.awaitRate(Double.POSITIVE_INFINITY);
    packetMicros = 100_000;
    run.awaitRate(ThrottledRuns.GRANTED * MB / 2);
    return run;
  }

  @Test
  void aNodeWithSlowReadersLeavesLessAndRecovers() throws Exception {
    Run run = besideSlowReaders();
    assertEquals(Map.of("n", 0.5), throttles.givingWay());
    packetMicros = 0;
    assertEquals("done", run.ended());
  }

  /** Nobody asks nodes any more then what their readers meet. */
  @Test
  void whereNoTargetHoldsAnyMoreNoNodeGivesWay() throws Exception {
    Run run = besideSlowReaders();
    packetMicros = 0;
    throttle = Throttle.NONE;
    run.awaitRate(Double.POSITIVE_INFINITY);
    assertEquals(Map.of(), throttles.givingWay());
    assertEquals("done", run.ended());
  }

  @Test
  void settingsAndWhatIsSetAreRead() throws Exception {
    assertEquals(
        new Throttle(
            Map.of(Kind.NODE, 50L << 20, Kind.SITE, 0L),
            Map.of(WorkClass.REPAIR, 0.5, WorkClass.CONVERSION, 0.5),
            5000),
        ThrottleSettings.throttle(
            ThrottleSettings.values(
                "node=50m site=0 uplink=none repair-share=0.5 conversion-share=0.5"
                    + " latency-target=5ms later=7")));
    assertEquals(
        "braid.throttle.node = \"much\": needed is bytes a second, as 50m, 0 to stop, or none",
        assertThrows(
                IllegalArgumentException.class,
                () -> ThrottleSettings.throttle(Map.of("node", "much")))
            .getMessage());
    assertEquals(
        "\"node\" is not KEY=VALUE",
        assertThrows(IOException.class, () -> ThrottleSettings.values("node")).getMessage());
    assertEquals("disk=1m node=2m", ThrottleSettings.text(Map.of("node", "2m", "disk", "1m")));
    // What can be set can be read again.
    Map<String, String> blanks = Map.of("node", " 50m", "repair-share", "0.5\n");
    assertEquals(
        ThrottleSettings.throttle(blanks),
        ThrottleSettings.throttle(ThrottleSettings.values(ThrottleSettings.text(blanks))));
    for (String nothing : List.of("", " ")) {
      assertThrows(
          IllegalArgumentException.class, () -> ThrottleSettings.throttle(Map.of("node", nothing)));
    }
  }
}
