package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.braid.hdfs.namenode.deferral.Demands;
import org.braid.hdfs.namenode.lease.LeaseScope;
import org.braid.hdfs.namenode.lease.Leases;
import org.braid.hdfs.proto.BraidProtos.DemandProto;
import org.braid.hdfs.proto.BraidProtos.DemandsRequestProto;
import org.braid.hdfs.proto.BraidProtos.DemandsResponseProto;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What readers wait for at a NameNode to which the coordinator turns some seconds later. */
final class ExpectedCoordinatorTest {
  private static final long LONGEST = 6000;

  private final AtomicLong now = new AtomicLong(50_000);
  private final AtomicLong era = new AtomicLong();
  private final AtomicBoolean active = new AtomicBoolean(true);
  private final CountDownLatch noticed = new CountDownLatch(1);
  private final Set<Long> listed = new HashSet<>();
  private final Leases leases = new Leases(now::get, era::get);
  private final BlockingQueue<String> answered = new LinkedBlockingQueue<>();
  private final BlockingQueue<DemandsResponseProto> polled = new LinkedBlockingQueue<>();
  private final Demands demands =
      new Demands(now::get, this::readable, leases, this::active, new Demands.Most(3, 3), LONGEST);

  private Set<Long> readable(Set<Long> blocks) {
    Set<Long> found = new HashSet<>(blocks);
    found.retainAll(listed);
    return found;
  }

  private boolean active() {
    noticed.countDown();
    return active.get();
  }

  @AfterEach
  void close() {
    demands.close();
  }

  private boolean await(String reader, long block) {
    return demands.await("user", List.of(block), List.of(), () -> answered.add(reader));
  }

  private void assertGoesOn(String reader) throws InterruptedException {
    assertEquals(reader, answered.poll(30, TimeUnit.SECONDS));
  }

  /** A coordinator takes a lease and asks what is demanded; returned is that. */
  private List<Long> poll() throws Exception {
    String lease =
        Objects.requireNonNull(leases.acquire("c", false, 0, LeaseScope.of(List.of("/"))).lease());
    demands.poll(
        DemandsRequestProto.newBuilder().setLease(lease).setWaitMillis(0).build(), polled::add);
    demands.tick();
    DemandsResponseProto answer = Objects.requireNonNull(polled.poll(30, TimeUnit.SECONDS));
    return answer.getDemandsList().stream().map(DemandProto::getBlockId).toList();
  }

  @Test
  void itRebuildsWhatWasDemandedBeforeItCame() throws Exception {
    assertFalse(await("early", 1), "none is expected at the start");
    era.incrementAndGet();
    assertTrue(await("one", 1));
    assertFalse(demands.served());
    now.addAndGet(LONGEST / 2);
    demands.tick();
    assertEquals(1, demands.waiting());
    assertEquals(List.of(1L), poll());
    listed.add(1L);
    demands.tick();
    assertGoesOn("one");
    now.addAndGet(Demands.EXPECTED_MILLIS);
    demands.tick();
    assertTrue(await("two", 2), "it serves");
    now.addAndGet(Demands.SERVED_MILLIS);
    demands.tick();
    assertGoesOn("two");
    assertFalse(await("three", 2), "it is gone");
  }

  @Test
  void readersGoOnWhereNoneComes() throws Exception {
    era.incrementAndGet();
    assertTrue(await("one", 1));
    now.addAndGet(Demands.EXPECTED_MILLIS - LONGEST + 1);
    assertTrue(await("last", 2));
    now.addAndGet(LONGEST - 2);
    demands.tick();
    assertGoesOn("one");
    assertEquals(1, demands.waiting());
    now.addAndGet(1);
    demands.tick();
    assertGoesOn("last");
    assertFalse(await("late", 2));
    assertEquals(List.of(), poll(), "nobody waits any more");
    assertTrue(await("again", 2));
  }

  @Test
  void aStandbyExpectsNone() {
    active.set(false);
    era.incrementAndGet();
    assertFalse(await("one", 1));
  }

  /** Else it would be expected whenever the first reader came. */
  @Test
  void aFailoverIsNoticedThoughNobodyReads() throws Exception {
    demands.start();
    era.incrementAndGet();
    assertTrue(noticed.await(30, TimeUnit.SECONDS));
    assertTrue(demands.mayBeServed());
    now.addAndGet(Demands.EXPECTED_MILLIS);
    assertFalse(demands.mayBeServed());
  }
}
