package org.braid.hdfs.coordinator.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.api.ScrubReport.Finding;
import org.braid.hdfs.api.ScrubReport.Kind;
import org.braid.hdfs.api.ScrubReport.StripeCounts;
import org.braid.hdfs.api.ScrubReport.Unchecked;
import org.braid.hdfs.coordinator.session.NameNodeCalls.StripePage;
import org.braid.hdfs.rpc.ScrubRecord;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class ScrubRoundsTest {
  private static final long DAY = TimeUnit.DAYS.toMillis(1);
  private static final long SPAN = 20 * DAY;
  private static final Unchecked UNREAD = new Unchecked("/f", "blk_1", "node", "no answer");
  private static final Finding ABSENT =
      new Finding(Kind.ABSENT, "/f", "s", 0, "blk_2", "n1", "the DataNode does not have it");

  private final Random random = Seeds.random(ScrubRoundsTest.class);
  private final FakeNamespace namespace = new FakeNamespace();
  private final List<String> journal = new ArrayList<>();
  private long now = 1_800_000_000_000L;
  private ScrubRounds rounds = rounds();

  private ScrubRounds rounds() {
    InstantSource clock = () -> java.time.Instant.ofEpochMilli(now);
    return new ScrubRounds(namespace, new ScrubSchedule(SPAN), clock, journal::add);
  }

  /** Stripes without members, and the record. */
  private final class FakeNamespace implements ScrubRounds.Port {
    private final TreeMap<String, StripeStatus> stripes = new TreeMap<>();
    private final Map<String, List<Long>> reads = new HashMap<>();
    private ScrubRecord record = ScrubRecord.NONE;
    private int saves;
    private int most = Integer.MAX_VALUE;
    private boolean failing;

    /** Whether no replica can be read, and whether one of each page cannot. */
    private boolean unreadable;

    private boolean lacking;

    /** Whether there is no good copy of any block. */
    private boolean lost;

    /** Whether all that workers say is that they do not have a replica. */
    private boolean absent;

    void add(int count) {
      for (int i = 0; i < count; i++) {
        String id = "%016x%016x".formatted(random.nextLong(), random.nextLong());
        StripeStatus status = new StripeStatus(stripe(id), "/" + id, 1, List.of());
        stripes.put(id, status);
      }
    }

    @Override
    public ScrubRecord load() {
      return record;
    }

    @Override
    public ScrubRecord save(ScrubRecord next) throws IOException {
      if (failing) {
        throw new IOException("safe mode");
      }
      saves++;
      record = ScrubRecord.parse(next.bytes());
      return record;
    }

    @Override
    public StripePage after(String stripe, int limit) {
      List<StripeStatus> page =
          stripes.tailMap(stripe, false).values().stream().limit(limit).toList();
      return new StripePage(page, page.size() == limit);
    }

    @Override
    public ScrubRounds.Done read(List<StripeStatus> page) {
      List<StripeStatus> done = page.subList(0, Math.min(most, page.size()));
      for (StripeStatus status : done) {
        reads.computeIfAbsent(status.stripe().id(), id -> new ArrayList<>()).add(now);
      }
      return new ScrubRounds.Done(
          done.size(),
          unreadable || lost || absent ? 0 : 3L * done.size(),
          unreadable || lost || absent ? 0 : 30L * done.size(),
          new StripeCounts(done.size(), 0, 0),
          absent ? List.of(ABSENT) : List.of(),
          unreadable || lacking || lost || absent ? List.of(UNREAD) : List.of(),
          lost ? 1 : 0);
    }
  }

  private static Stripe stripe(String id) {
    return Stripe.encoded(
        id,
        org.braid.code.Codes.named("rep-2"),
        List.of(),
        new StripePromise(1, List.of(), java.util.Optional.empty()),
        0);
  }

  /** Steps until some time, waiting as long as each step says. */
  private void run(long until) throws IOException {
    while (now < until) {
      now += Math.max(1, rounds.step());
    }
  }

  @Test
  void eachStripeIsReadOnceARoundAtTheSameTime() throws Exception {
    namespace.add(1000);
    long begun = now;
    run(begun + 3 * SPAN - 1);
    assertEquals(1000, namespace.reads.size());
    namespace.reads.forEach(
        (id, times) -> {
          assertEquals(3, times.size(), id);
          for (int i = 0; i < 3; i++) {
            double late = times.get(i) - begun - i * SPAN - ScrubRecord.fraction(id) * SPAN;
            assertTrue(late >= -1 && late < 120_000, id + " is read " + late + " ms late");
          }
        });
    assertEquals(3, journal.size(), journal.toString());
    assertTrue(
        journal.get(0).startsWith("all stripes are scrubbed: 3000 blocks, 29.3 KiB since 20"),
        journal.toString());
  }

  /** Else they would wait for a whole round to be read, and count as read. */
  @Test
  void whatCannotBeReadAtAllIsNotPassedOver() throws Exception {
    namespace.add(50);
    now += SPAN;
    rounds.step();
    now += SPAN;
    namespace.unreadable = true;
    IOException e = assertThrows(IOException.class, rounds::step);
    assertEquals(
        "none of 1 replicas could be read, the first: blk_1 of /f at node: no answer",
        e.getMessage());
    assertEquals(1, journal.stream().filter(line -> line.contains("could not be read: ")).count());
    assertThrows(IOException.class, rounds::step);
    assertEquals(1, journal.stream().filter(line -> line.contains("could not be read: ")).count());
    namespace.unreadable = false;
    namespace.reads.clear();
    rounds.step();
    assertEquals(50, namespace.reads.size(), "they are read once they can be");
    // A stripe that nobody can read does not hold the others up for ever.
    namespace.unreadable = true;
    int failures = 0;
    for (int i = 0; i < 100; i++) {
      now += DAY;
      try {
        rounds.step();
      } catch (IOException again) {
        failures++;
      }
    }
    assertTrue(failures > 0 && failures < 100, failures + " failures");
  }

  /** Each stripe of which all is lost would hold the others up for minutes, in each round. */
  @Test
  void whatIsLostIsNotWaitedFor() throws Exception {
    namespace.add(50);
    now += SPAN;
    rounds.step();
    now += SPAN;
    namespace.reads.clear();
    namespace.lost = true;
    rounds.step();
    assertEquals(50, namespace.reads.size());
    assertEquals(1, journal.stream().filter(line -> line.contains("could not be read: ")).count());
  }

  /** Workers that find something are within reach: nothing comes of asking them again at once. */
  @Test
  void whatWorkersDoNotHaveIsNotWaitedFor() throws Exception {
    namespace.add(50);
    now += SPAN;
    rounds.step();
    now += SPAN;
    namespace.reads.clear();
    namespace.absent = true;
    rounds.step();
    assertEquals(50, namespace.reads.size());
    assertEquals(1, namespace.record.present().orElseThrow().findings());
  }

  @Test
  void aRoundTellsHowManyReplicasCouldNotBeRead() throws Exception {
    namespace.add(10);
    namespace.lacking = true;
    run(now + SPAN);
    long unread = namespace.record.last().orElseThrow().unread();
    assertTrue(unread > 0, "none is counted");
    assertTrue(
        journal.stream().anyMatch(line -> line.contains(unread + " replicas could not be read")),
        journal.toString());
  }

  /** A thousand stripes in twenty days are not a reason to write the namespace a thousand times. */
  @Test
  void thePositionIsWrittenRarely() throws Exception {
    namespace.add(200);
    run(now + SPAN);
    assertTrue(namespace.saves <= 202, namespace.saves + " times");
    namespace.add(20_000);
    int before = namespace.saves;
    run(now + DAY);
    assertTrue(namespace.saves - before <= 145, namespace.saves - before + " times a day");
  }

  @Test
  void theScrubGoesOnAfterTheClockWasSetBack() throws Exception {
    namespace.add(1000);
    run(now + SPAN / 2);
    int before = namespace.reads.size();
    int saves = namespace.saves;
    now -= SPAN / 4;
    run(now + SPAN / 4);
    assertTrue(namespace.reads.size() >= before + 200, namespace.reads.size() + " are read");
    assertTrue(namespace.reads.values().stream().allMatch(times -> times.size() == 1), "twice");
    assertTrue(namespace.saves > saves + 10, "the position is written");
  }

  @Test
  void anotherOneGoesOnFromThePosition() throws Exception {
    namespace.add(2000);
    long begun = now;
    for (int i = 1; i <= 10; i++) {
      run(begun + i * SPAN / 10 + random.nextInt(1000));
      if (i % 2 == 0) {
        rounds.handOver();
      }
      rounds = rounds(); // or it was killed
    }
    run(begun + SPAN);
    assertEquals(2000, namespace.reads.size());
    long again = namespace.reads.values().stream().filter(times -> times.size() > 1).count();
    assertTrue(again <= 10, again + " are read again");
  }

  /** What is late is read without waits, page by page. */
  @Test
  void aDaemonThatWasAwayCatchesUp() throws Exception {
    namespace.add(1000);
    run(now + SPAN / 10);
    rounds.handOver();
    int before = namespace.reads.size();
    now += SPAN / 2;
    long back = now;
    rounds = rounds();
    for (int i = 0; i < 6; i++) {
      rounds.step();
    }
    assertTrue(namespace.reads.size() >= before + 450, namespace.reads.size() + " are read");
    assertEquals(back, now);
  }

  @Test
  void whatIsNotDoneIsDoneNext() throws Exception {
    namespace.add(300);
    rounds.step();
    now += SPAN;
    namespace.most = 40;
    assertTrue(rounds.step() > 0, "it gives way");
    assertEquals(40, namespace.reads.size());
    namespace.most = 0;
    assertTrue(rounds.step() > 0, "it gives way");
    namespace.most = 1000;
    rounds.step();
    assertEquals(140, namespace.reads.size());
    assertTrue(namespace.reads.values().stream().allMatch(times -> times.size() == 1), "twice");
  }

  @Test
  void aRoundWithoutStripesEnds() throws Exception {
    run(now + SPAN / 2);
    assertEquals(1, journal.size());
    assertEquals(0, namespace.record.last().orElseThrow().blocks());
    assertTrue(namespace.saves <= 3, namespace.saves + " times");
  }

  /** Else what is converted then would be read after two rounds only. */
  @Test
  void aRoundBeginsWithTheFirstStripes() throws Exception {
    run(now + SPAN / 10);
    rounds = rounds();
    long converted = now;
    namespace.add(100);
    run(converted + SPAN);
    assertEquals(100, namespace.reads.size());
    assertTrue(namespace.reads.values().stream().allMatch(times -> times.size() == 1), "twice");
  }

  @Test
  void aPositionThatCannotBeWrittenIsKept() throws Exception {
    namespace.add(100);
    run(now + SPAN / 2);
    int before = namespace.reads.size();
    namespace.failing = true;
    now += SPAN / 4;
    assertThrows(IOException.class, () -> rounds.step());
    assertTrue(namespace.reads.size() > before, "nothing was read");
    namespace.failing = false;
    run(now + SPAN / 5);
    assertTrue(namespace.reads.values().stream().allMatch(times -> times.size() == 1), "twice");
  }

  @Test
  void findingsAreNamed() throws Exception {
    namespace.add(1);
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      findings.add(new Finding(Kind.CONTENT, "/f", "s", i, "blk_" + i, "n1", "it differs"));
    }
    ScrubRounds.Port port =
        new ScrubRounds.Port() {
          @Override
          public ScrubRecord load() {
            return namespace.load();
          }

          @Override
          public ScrubRecord save(ScrubRecord record) throws IOException {
            return namespace.save(record);
          }

          @Override
          public StripePage after(String stripe, int most) {
            return namespace.after(stripe, most);
          }

          @Override
          public ScrubRounds.Done read(List<StripeStatus> stripes) {
            return new ScrubRounds.Done(
                1, 25, 25, new StripeCounts(1, 0, 0), findings, List.of(), 0);
          }
        };
    rounds =
        new ScrubRounds(
            port, new ScrubSchedule(1), () -> java.time.Instant.ofEpochMilli(now), journal::add);
    rounds.step();
    assertEquals("scrub: blk_0 of /f at n1 is bad, CONTENT: it differs", journal.get(0));
    assertEquals("scrub: 5 more are bad", journal.get(20));
    assertEquals(25, namespace.record.present().orElseThrow().findings());
  }
}
