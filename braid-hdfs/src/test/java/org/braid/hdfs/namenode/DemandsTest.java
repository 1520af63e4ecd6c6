package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.braid.hdfs.namenode.deferral.Demands;
import org.braid.hdfs.namenode.deferral.UserDemands;
import org.braid.hdfs.namenode.host.LeaseScope;
import org.braid.hdfs.namenode.host.Leases;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.hdfs.proto.BraidProtos.DemandProto;
import org.braid.hdfs.proto.BraidProtos.DemandsRequestProto;
import org.braid.hdfs.proto.BraidProtos.DemandsResponseProto;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DemandsTest {
  private static final long LONGEST = 6000;

  private final AtomicLong now = new AtomicLong(50_000);
  private final Set<Long> listed = new HashSet<>();
  private final Leases leases = new Leases(now::get);
  private final String lease = acquire("first", "/one");
  private final BlockingQueue<String> answered = new LinkedBlockingQueue<>();
  private final BlockingQueue<DemandsResponseProto> polled = new LinkedBlockingQueue<>();
  private final Demands demands =
      new Demands(
          now::get,
          blocks -> {
            Set<Long> found = new HashSet<>(blocks);
            found.retainAll(listed);
            return found;
          },
          leases,
          3,
          LONGEST);

  @AfterEach
  void close() {
    demands.close();
  }

  private boolean await(String reader, List<Long> needed, List<Long> useful) {
    return demands.await(needed, useful, () -> answered.add(reader));
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
    assertEquals(Optional.empty(), leases.claim(second, "s"));
    poll(second, 0, false, 5000);
    demands.tick();
    assertTrue(polled.isEmpty());
    assertEquals(Optional.of("second"), leases.claim(lease, "s"));
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
      users.ask(List.of(block));
    }
    assertTrue(users.await("eve", List.of(5L), List.of(), () -> answered.add("eve's")));
  }
}
