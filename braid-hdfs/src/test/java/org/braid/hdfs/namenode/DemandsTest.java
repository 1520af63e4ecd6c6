package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.braid.hdfs.namenode.deferral.Demands;
import org.braid.hdfs.namenode.deferral.UserDemands;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.hdfs.namenode.lease.LeaseScope;
import org.braid.hdfs.namenode.lease.Leases;
import org.braid.hdfs.proto.BraidProtos.DemandProto;
import org.braid.hdfs.proto.BraidProtos.DemandsRequestProto;
import org.braid.hdfs.proto.BraidProtos.DemandsResponseProto;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DemandsTest {
  private static final long LONGEST = 6000;

  private final AtomicLong now = new AtomicLong(50_000);
  private final Set<Long> listed = new HashSet<>();
  private final AtomicLong era = new AtomicLong();
  private final AtomicInteger errors = new AtomicInteger();
  private final Leases leases = new Leases(now::get, era::get);
  private final String lease = acquire("first", "/one");
  private final BlockingQueue<String> answered = new LinkedBlockingQueue<>();
  private final BlockingQueue<DemandsResponseProto> polled = new LinkedBlockingQueue<>();
  private final Demands demands =
      new Demands(
          now::get,
          blocks -> {
            if (errors.getAndDecrement() > 0) {
              throw new OutOfMemoryError("in a test");
            }
            Set<Long> found = new HashSet<>(blocks);
            found.retainAll(listed);
            return found;
          },
          leases,
          () -> false,
          new Demands.Most(3, 3),
          LONGEST);

  @AfterEach
  void close() {
    demands.close();
  }

  private boolean await(String reader, List<Long> needed, List<Long> useful) {
    return demands.await("user", needed, useful, () -> answered.add(reader));
  }

  private String acquire(String holder, String path) {
    LeaseScope scope = LeaseScope.of(List.of(path));
    return Objects.requireNonNull(leases.acquire(holder, false, 0, scope).lease());
  }

  private static DemandsRequestProto.Builder request(String lease, int millis) {
    return DemandsRequestProto.newBuilder().setLease(lease).setWaitMillis(millis);
  }

  private void poll(String of, long after, boolean yields, int millis) {
    demands.poll(request(of, millis).setAfter(after).setYields(yields).build(), polled::add);
  }

  private void poll(long after) {
    poll(lease, after, true, 5000);
  }

  private DemandsResponseProto told() throws InterruptedException {
    DemandsResponseProto answer = polled.poll(5, TimeUnit.SECONDS);
    if (answer == null) {
      throw new AssertionError("a poll is not answered");
    }
    return answer;
  }

  private static List<Long> blocks(DemandsResponseProto answer) {
    return answer.getDemandsList().stream().map(DemandProto::getBlockId).toList();
  }

  private void assertGoesOn(String reader) throws InterruptedException {
    assertEquals(reader, answered.poll(5, TimeUnit.SECONDS));
  }

  /** What is answered is answered by other threads: here nothing may come. */
  private void assertAllWait(int readers) {
    assertEquals(readers, demands.waiting());
    assertEquals(0, answered.size());
  }

  @Test
  void nobodyWaitsWhereNobodyServes() {
    assertFalse(demands.served());
    assertFalse(await("a", List.of(1L), List.of()));
    poll(0);
    assertTrue(await("a", List.of(1L), List.of()));
    now.addAndGet(Demands.SERVED_MILLIS);
    assertFalse(demands.served());
    assertFalse(await("b", List.of(1L), List.of()));
  }

  @Test
  void aReaderGoesOnWhenAllItNeedsIsListed() throws Exception {
    poll(0);
    assertTrue(await("a", List.of(1L, 2L), List.of(3L)));
    DemandsResponseProto answer = told();
    assertEquals(List.of(1L), blocks(answer), "who polls is told at once");
    poll(answer.getDemands(0).getNumber());
    assertEquals(List.of(2L, 3L), blocks(told()));
    listed.add(2L);
    demands.tick();
    assertAllWait(1);
    listed.add(1L);
    demands.tick();
    assertAllWait(1);
    now.addAndGet(Demands.USEFUL_MILLIS);
    demands.tick();
    assertGoesOn("a");
    poll(0);
    assertEquals(List.of(3L), blocks(told()), "another coordinator learns what is open");
  }

  @Test
  void aReaderWaitsNoLongerThanTheLimit() throws Exception {
    poll(0);
    assertTrue(await("a", List.of(1L), List.of()));
    now.addAndGet(LONGEST - 1);
    demands.tick();
    assertAllWait(1);
    now.addAndGet(1);
    demands.tick();
    assertGoesOn("a");
    poll(told().getDemands(0).getNumber());
    now.addAndGet(5000);
    demands.tick();
    assertEquals(List.of(), blocks(told()), "a poll is answered in time, too");
    poll(0);
    assertNull(leases.acquire("convert", false, 0, LeaseScope.ALL).lease());
    demands.tick();
    assertEquals(List.of(), blocks(told()), "what nobody waits for is not demanded");
  }

  @Test
  void whatIsOnlyUsefulIsWaitedForALittle() throws Exception {
    poll(0);
    assertFalse(await("a", List.of(), List.of()));
    assertTrue(await("a", List.of(), List.of(1L)));
    assertEquals(List.of(1L), blocks(told()));
    listed.add(1L);
    demands.tick();
    assertGoesOn("a");
    assertTrue(await("b", List.of(), List.of(2L)));
    demands.refuse(List.of(2L));
    assertGoesOn("b");
    assertFalse(await("c", List.of(), List.of(2L)));
  }

  @Test
  void nobodyWaitsForWhatCannotBeRebuilt() throws Exception {
    poll(0);
    assertTrue(await("a", List.of(1L, 2L), List.of()));
    assertTrue(await("b", List.of(3L), List.of()));
    demands.refuse(List.of(2L));
    assertGoesOn("a");
    assertAllWait(1);
    assertFalse(await("c", List.of(2L), List.of()));
    now.addAndGet(Demands.REFUSED_MILLIS);
    assertTrue(await("c", List.of(2L), List.of()));
  }

  @Test
  void noMoreReadersThanTheLimitWait() {
    poll(0);
    assertTrue(await("a", List.of(1L), List.of()));
    assertTrue(await("b", List.of(1L), List.of()));
    assertTrue(await("c", List.of(1L), List.of()));
    assertFalse(await("d", List.of(1L), List.of()));
    assertAllWait(3);
  }

  @Test
  void whoGivesWayIsToldThatSomebodyWaits() throws Exception {
    poll(0);
    assertNull(leases.acquire("convert", false, 0, LeaseScope.ALL).lease());
    demands.tick();
    assertEquals("convert", told().getWaiting());
    poll(lease, 0, false, 5000);
    demands.tick();
    assertEquals(0, polled.size());
  }

  @Test
  void aDemandThatNobodyMetIsToldAgain() throws IOException, InterruptedException {
    poll(0);
    assertTrue(await("a", List.of(1L), List.of()));
    long number = told().getDemands(0).getNumber();
    for (long t = 0; t < Demands.AGAIN_MILLIS; t += LONGEST / 2) {
      assertTrue(await("b" + t, List.of(1L), List.of()), "at " + t);
      now.addAndGet(LONGEST / 2);
      demands.tick();
    }
    poll(number);
    DemandsResponseProto again = told();
    assertEquals(List.of(1L), blocks(again));
    assertTrue(again.getDemands(0).getNumber() > number);
  }

  @Test
  void allGoOnWhenTheLastCoordinatorLeaves() throws Exception {
    poll(0);
    assertTrue(await("a", List.of(1L), List.of()));
    demands.abandon();
    assertGoesOn("a");
    assertFalse(demands.served());
    assertFalse(await("b", List.of(1L), List.of()));
  }

  @Test
  void onlyTheLeaseThatLeadsIsTold() throws Exception {
    String second = acquire("second", "/two");
    poll(second, 0, false, 5000);
    poll(0);
    assertTrue(await("a", List.of(7L), List.of()));
    DemandsResponseProto answer = told();
    assertEquals(List.of(7L), blocks(answer));
    assertTrue(answer.getLeads());
    assertEquals(2, answer.getLeases());
    demands.tick();
    assertTrue(polled.isEmpty());
    // It ends, and the other one is told at once.
    leases.release(lease, false);
    demands.tick();
    answer = told();
    assertEquals(List.of(7L), blocks(answer));
    assertTrue(answer.getLeads());
    assertEquals(1, answer.getLeases());
  }

  @Test
  void whoPollsIsToldWhenAnotherLeaseIsGiven() throws Exception {
    poll(0);
    demands.tick();
    assertTrue(polled.isEmpty());
    String second = acquire("second", "/two");
    demands.tick();
    assertEquals(2, told().getLeases());
    poll(second, 0, false, 0);
    demands.tick();
    assertFalse(told().getLeads());
  }

  /** Else all readers that wait would do so until they give up. */
  @Test
  void readersGoOnAfterTheNameNodeHadNoMemoryForAMoment() throws Exception {
    demands.start();
    poll(0);
    errors.set(3);
    assertTrue(await("a", List.of(7L), List.of()));
    Await.until("looks that fail", () -> errors.get() <= 0);
    listed.add(7L);
    assertGoesOn("a");
  }

  /** What changed between an answer and the next question is told at once. */
  @Test
  void whatTheCallerDoesNotKnowIsToldAtOnce() throws Exception {
    DemandsRequestProto.Builder known = request(lease, 5000).setKnownLeads(true).setKnownLeases(1);
    demands.poll(known.build(), polled::add);
    demands.tick();
    assertTrue(polled.isEmpty());
    demands.poll(known.setKnownLeases(2).build(), polled::add);
    assertEquals(1, told().getLeases());
  }

  /** What the throttle holds back is not to keep others waiting. */
  @Test
  void whoHasClaimedAStripeIsToldThatOthersWaitForIt() throws Exception {
    String second = acquire("second", "/two");
    assertEquals(Optional.empty(), leases.claim(second, "s", 1));
    poll(second, 0, false, 5000);
    demands.tick();
    assertTrue(polled.isEmpty());
    assertEquals(Optional.of("second"), leases.claim(lease, "s", 1));
    demands.tick();
    assertEquals(List.of("s"), told().getAwaitedList());
  }

  /** A coordinator that does not lead rebuilds nothing: nobody waits for it. */
  @Test
  void onlyTheLeaseThatLeadsServes() throws Exception {
    String second = acquire("second", "/two");
    poll(second, 0, false, 5000);
    assertFalse(demands.served());
    assertFalse(await("a", List.of(7L), List.of()));
    leases.resign(lease);
    assertTrue(demands.served());
    assertTrue(await("a", List.of(7L), List.of()));
    assertEquals(List.of(7L), blocks(told()));
  }

  /** Whoever has many wait is told at once that there is no place; others wait. */
  @Test
  void oneUserTakesNotAllPlacesInWhichCallsWait() throws Exception {
    UserDemands users = new UserDemands(demands, new Shares(3, 2));
    poll(0);
    for (long block = 1; block <= 2; block++) {
      long id = block;
      assertTrue(users.await("eve", List.of(id), List.of(), () -> answered.add("eve's " + id)));
    }
    assertFalse(users.await("eve", List.of(3L), List.of(), () -> answered.add("eve's third")));
    assertTrue(users.await("adam", List.of(4L), List.of(), () -> answered.add("adam's")));
    listed.add(1L);
    demands.tick();
    assertGoesOn("eve's 1");
    assertTrue(users.await("eve", List.of(3L), List.of(), () -> answered.add("eve's third")));
    // What nobody would rebuild takes no place.
    demands.abandon();
    Set<String> went = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      went.add(String.valueOf(answered.poll(5, TimeUnit.SECONDS)));
    }
    assertEquals(Set.of("eve's 2", "eve's third", "adam's"), went);
    for (int i = 0; i < 5; i++) {
      assertFalse(users.await("eve", List.of(5L), List.of(), () -> answered.add("nobody")));
    }
    poll(0);
    // What is asked for and not waited for takes no place, either.
    for (long block = 10; block < 12; block++) {
      users.ask("eve", List.of(block));
    }
    assertTrue(users.await("eve", List.of(5L), List.of(), () -> answered.add("eve's")));
  }

  private static List<Long> blocks(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  private Demands demands(int readers, int ofUser) {
    return new Demands(
        now::get,
        listed -> Set.of(),
        leases,
        () -> true,
        new Demands.Most(readers, ofUser),
        LONGEST);
  }

  /** Each call may name as many blocks as there are places. */
  @Test
  void oneUserTakesNotAllPlacesForBlocks() throws Exception {
    try (Demands shared = demands(8, 2)) {
      shared.poll(request(lease, 5000).build(), polled::add);
      assertFalse(shared.hasRoom("eve", Set.copyOf(blocks(1, 21))));
      assertFalse(shared.await("eve", blocks(1, 21), List.of(), () -> {}));
      assertTrue(shared.await("eve", blocks(1, 15), List.of(), () -> {}));
      assertTrue(shared.await("eve", blocks(1, 20), List.of(), () -> {}), "15 are hers already");
      assertFalse(shared.hasRoom("eve", Set.of(21L)));
      assertFalse(shared.await("eve", List.of(21L), List.of(), () -> {}));
      // What is asked for after refusals takes places for blocks, too.
      shared.ask("eve", List.of(21L));
      assertTrue(
          shared.await("adam", blocks(1, 20), List.of(), () -> {}), "they are in all already");
      assertFalse(shared.await("adam", List.of(22L), List.of(), () -> {}));
      assertTrue(shared.await("seth", blocks(21, 40), List.of(), () -> {}));
      shared.refuse(List.of(20L));
      assertTrue(shared.await("eve", List.of(41L), List.of(), () -> {}));
      now.addAndGet(LONGEST);
      shared.tick();
      assertEquals(0, shared.waiting());
      assertTrue(shared.await("eve", blocks(51, 70), List.of(), () -> {}), "all have expired");
    }
  }

  /** Refused removals ask for blocks and wait for nothing. */
  @Test
  void whatIsAskedForKeepsNoReaderFromWaiting() {
    poll(0);
    for (long block = 1; block <= 30; block++) {
      demands.ask("eve", List.of(block));
    }
    assertEquals(0, demands.waiting());
    for (int reader = 0; reader < 3; reader++) {
      assertTrue(await("r" + reader, List.of(1L), List.of()));
    }
  }

  /** A coordinator rebuilds blocks in the order in which it is told of them. */
  @Test
  void manyBlocksOfOneUserComeNotBeforeThoseOfAnother() throws Exception {
    Set<Long> there = new HashSet<>();
    try (Demands fair =
        new Demands(
            now::get,
            open -> Set.copyOf(there),
            leases,
            () -> true,
            new Demands.Most(100, 25),
            LONGEST)) {
      fair.poll(request(lease, 0).build(), polled::add);
      fair.tick();
      assertEquals(List.of(), blocks(told()));
      assertTrue(fair.await("eve", blocks(1, 100), List.of(), () -> {}));
      assertTrue(fair.await("adam", List.of(200L), List.of(), () -> {}));
      fair.poll(request(lease, 5000).build(), polled::add);
      DemandsResponseProto first = told();
      List<Long> expected = new ArrayList<>(blocks(1, 32));
      expected.add(200L);
      assertEquals(expected, blocks(first));
      long after = first.getDemands(32).getNumber();
      fair.poll(request(lease, 5000).setAfter(after).build(), polled::add);
      there.addAll(blocks(1, 3));
      fair.tick();
      DemandsResponseProto next = told();
      assertEquals(List.of(33L, 34L, 35L), blocks(next), "as soon as others are there");
      after = next.getDemands(2).getNumber();
      fair.poll(request(lease, 5000).setAfter(after).build(), polled::add);
      fair.refuse(List.of(4L));
      assertEquals(List.of(36L), blocks(told()));
      // Who wants what waits in another's row has it told in the own one.
      fair.poll(request(lease, 5000).setAfter(after + 1).build(), polled::add);
      assertTrue(fair.await("seth", List.of(90L), List.of(), () -> {}));
      assertEquals(List.of(90L), blocks(told()));
    }
  }

  /** Nobody waits at a standby for what the other NameNode has rebuilt meanwhile. */
  @Test
  void whoeverWaitsGoesOnWhenTheNameNodeIsAStandby() throws Exception {
    poll(lease, 0, false, 5000);
    assertTrue(await("one", List.of(1L), List.of()));
    assertEquals(1, told().getDemandsCount());
    demands.refuse(List.of(9L));
    poll(lease, 1, false, 5000);
    assertNull(polled.poll());
    era.incrementAndGet();
    demands.tick();
    assertEquals("one", answered.poll(10, TimeUnit.SECONDS));
    assertFalse(told().getLeads());
    assertFalse(demands.served());
    assertEquals(0, demands.waiting());
    assertFalse(await("two", List.of(2L), List.of()));

    era.incrementAndGet(); // active again, soon after that
    assertFalse(demands.served());
    String second = acquire("second", "/one");
    poll(second, 0, false, 5000);
    assertTrue(await("three", List.of(9L), List.of()), "what was refused then may be rebuilt now");
    assertEquals(
        List.of(9L), told().getDemandsList().stream().map(DemandProto::getBlockId).toList());
  }

  /** A call that was let in before the NameNode became a standby. */
  @Test
  void aLeaseOfBeforeAFailoverServesNobody() {
    era.incrementAndGet();
    poll(0);
    assertFalse(demands.served());
    assertFalse(await("a", List.of(1L), List.of()));
  }
}
