package org.braid.hdfs.namenode.deferral;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.braid.hdfs.namenode.lease.Leases;
import org.braid.hdfs.proto.BraidProtos.DemandProto;
import org.braid.hdfs.proto.BraidProtos.DemandsRequestProto;
import org.braid.hdfs.proto.BraidProtos.DemandsResponseProto;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lost blocks that readers wait for. Readers add blocks. The coordinator whose lease leads
 * polls them and rebuilds them. A reader goes on when the NameNode lists a replica of each block
 * that it needs, when the coordinator reports that a block cannot be rebuilt, or after its maximum
 * wait. Thread-safe.
 */
public final class Demands implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Demands.class);
  private static final long TICK_MILLIS = 20;

  /**
   * After a look, which asks the NameNode for all that is demanded, it pauses so many times as
   * long.
   */
  private static final long TICK_SHARE = 9;

  /** But no longer: the NameNode may have been busy with others. */
  private static final long LONGEST_TICK_MILLIS = 500;

  /** Time without a poll after which no coordinator counts as being at work. */
  public static final long SERVED_MILLIS = 20_000;

  /** Time for which a NameNode that became active expects a coordinator to contact it. */
  public static final long EXPECTED_MILLIS = 10_000;

  /** Between two looks at whether it has, while nobody asks for anything. */
  private static final long TURN_MILLIS = 1000;

  /** Time after which an unmet demand is sent to the coordinator again. */
  public static final long AGAIN_MILLIS = 10_000;

  /** Maximum wait for blocks that the reader may never need. */
  public static final long USEFUL_MILLIS = 5000;

  /** Time for which no reader waits for a block that a coordinator could not rebuild. */
  public static final long REFUSED_MILLIS = 5000;

  private static final int ANSWERING_THREADS = 4;

  /** Blocks that may be demanded, for each call that may wait. */
  private static final int BLOCKS_A_READER = 10;

  /** Told when all end. */
  private static final DemandsResponseProto NOTHING =
      DemandsResponseProto.newBuilder().setLeads(false).build();

  /** The NameNode's knowledge of blocks. */
  @FunctionalInterface
  public interface Listed {
    /** The blocks that are readable or no longer exist. */
    Set<Long> readable(Set<Long> blocks) throws IOException;
  }

  /**
   * Limits of the demands: ten blocks for each reader that may wait.
   *
   * @param readers waiting readers in all
   * @param ofUser waiting readers of one user, whose number {@link UserDemands} checks; bounds the
   *     blocks of one user here
   */
  public record Most(int readers, int ofUser) {
    private static int blocks(int readers) {
      return (int) Math.min(Integer.MAX_VALUE, (long) BLOCKS_A_READER * readers);
    }
  }

  private record Reader(
      Set<Long> needed, Set<Long> useful, long patience, long deadline, Runnable answer) {
    boolean over(long now) {
      boolean patient = !useful.isEmpty() && now < patience;
      return deadline <= now || (needed.isEmpty() && !patient);
    }
  }

  private record Poll(
      String lease,
      Told told,
      long after,
      boolean yields,
      long deadline,
      Consumer<DemandsResponseProto> answer) {}

  /** What a coordinator knows of its lease. */
  private record Told(Leases.Standing standing, Set<String> awaited) {
    static Told now(Leases leases, String lease) {
      return new Told(leases.standing(lease), leases.awaited(lease));
    }
  }

  private final LongSupplier clock;
  private final Listed listed;
  private final Leases leases;
  private final BooleanSupplier active;
  private final int mostReaders;
  private final long longest;
  private final DemandedBlocks demanded;
  private final Map<Long, Long> refused = new HashMap<>();
  private final List<Reader> readers = new ArrayList<>();
  private final List<Poll> polls = new ArrayList<>();
  private final ExecutorService answers = DaemonThreads.fixed(ANSWERING_THREADS, "braid-answer");
  private final Thread ticker = DaemonThreads.of("braid-demands", this::run);
  private long lastPoll;
  private boolean polled;

  /** The NameNode's time in office in which all was demanded and asked. */
  private long era;

  /** A coordinator is expected until then. */
  private long expectedUntil = Long.MIN_VALUE;

  private boolean closed;

  /**
   * Starts without demands.
   *
   * @param clock milliseconds that never run backwards
   * @param leases leases of the coordinators; the leading one gets the demands
   * @param active whether this NameNode is active
   * @param most limits of the demands
   * @param longest maximum wait of a reader in milliseconds
   */
  public Demands(
      LongSupplier clock,
      Listed listed,
      Leases leases,
      BooleanSupplier active,
      Most most,
      long longest) {
    this.clock = clock;
    this.listed = listed;
    this.leases = leases;
    this.active = active;
    this.mostReaders = most.readers;
    this.demanded = new DemandedBlocks(Most.blocks(most.readers), Most.blocks(most.ofUser));
    this.longest = longest;
    this.era = leases.era();
  }

  /** Starts the thread that looks after waiting readers. */
  public void start() {
    ticker.start();
  }

  /** Whether a coordinator rebuilds demanded blocks, by its last poll. */
  public synchronized boolean served() {
    turn();
    return polls.stream().anyMatch(poll -> serves(poll.lease))
        || (polled && clock.getAsLong() - lastPoll < SERVED_MILLIS);
  }

  /**
   * Whether readers may wait: a coordinator rebuilds demanded blocks, or is expected to contact
   * this NameNode, which has just become active.
   */
  public synchronized boolean mayBeServed() {
    return served() || clock.getAsLong() < expectedUntil;
  }

  /**
   * A NameNode that becomes a standby answers whoever waits, who turns to the other one then. One
   * that becomes active begins anew. The monitor is held.
   */
  private void turn() {
    long now = leases.era();
    if (now != era) {
      era = now;
      abandon();
      refused.clear();
      if (active.getAsBoolean()) {
        expectedUntil = clock.getAsLong() + EXPECTED_MILLIS;
      }
    }
  }

  /**
   * Whether the holder of a lease rebuilds what is demanded, or is about to leave that to others.
   */
  private boolean serves(String lease) {
    return leases.leader().map(lease::equals).orElseGet(() -> leases.standing(lease).held() > 0);
  }

  /** Number of waiting readers. */
  public synchronized int waiting() {
    turn();
    return readers.size();
  }

  /** Whether there are places for a user's blocks; no call waits for more blocks. */
  public synchronized boolean hasRoom(String user, Set<Long> blocks) {
    return demanded.hasRoom(user, blocks);
  }

  /**
   * Demands lost blocks.
   *
   * @param user user whose reader waits
   * @param needed blocks without which the reader cannot go on
   * @param useful blocks that the reader may need next, with a shorter wait
   * @param answer runs once, when the wait is over
   * @return false when no coordinator would rebuild the blocks, too many readers wait, or the user
   *     waits for too many blocks
   */
  public synchronized boolean await(
      String user, Collection<Long> needed, Collection<Long> useful, Runnable answer) {
    long now = clock.getAsLong();
    Set<Long> first = new LinkedHashSet<>(needed);
    if (!isServed(now) || readers.size() >= mostReaders || !mayDemand(user, first)) {
      return false;
    }
    Set<Long> more = new LinkedHashSet<>(useful);
    more.removeIf(refused::containsKey);
    Set<Long> all = new LinkedHashSet<>(first);
    all.addAll(more);
    if (!demanded.hasRoom(user, all)) {
      more.clear();
    }
    if (first.isEmpty() && more.isEmpty()) {
      return false;
    }
    readers.add(new Reader(first, more, now + USEFUL_MILLIS, now + longest, answer));
    first.forEach(id -> demand(user, id, now));
    more.forEach(id -> demand(user, id, now));
    notifyAll();
    return true;
  }

  /** Demands lost blocks without a waiting reader, as many as the user has places for. */
  public synchronized void ask(String user, Collection<Long> needed) {
    long now = clock.getAsLong();
    if (isServed(now)) {
      for (long id : needed) {
        if (mayDemand(user, Set.of(id))) {
          demand(user, id, now);
        }
      }
      notifyAll();
    }
  }

  /** Whether somebody would rebuild what is demanded; forgets what was refused long ago. */
  private boolean isServed(long now) {
    turn();
    refused.values().removeIf(until -> until <= now);
    return !closed && mayBeServed();
  }

  private boolean mayDemand(String user, Set<Long> needed) {
    return demanded.hasRoom(user, needed) && needed.stream().noneMatch(refused::containsKey);
  }

  private void demand(String user, long id, long now) {
    if (demanded.demand(user, id, now, now + longest)) {
      tell();
    }
  }

  private void tellNext(long now) {
    if (demanded.tellNext(now, AGAIN_MILLIS)) {
      tell();
    }
  }

  /** Tells those that poll; the monitor is held. */
  private void tell() {
    for (Iterator<Poll> i = polls.iterator(); i.hasNext(); ) {
      Poll poll = i.next();
      DemandsResponseProto response = response(poll);
      if (response.getDemandsCount() > 0) {
        i.remove();
        answer(poll, response);
      }
    }
  }

  private DemandsResponseProto response(Poll poll) {
    Told now = Told.now(leases, poll.lease);
    DemandsResponseProto.Builder response =
        DemandsResponseProto.newBuilder()
            .setLeads(now.standing.leads())
            .setLeases(now.standing.held())
            .addAllAwaited(now.awaited);
    if (now.standing.leads()) {
      demanded.tell(
          poll.after,
          (id, number) ->
              response.addDemands(DemandProto.newBuilder().setBlockId(id).setNumber(number)));
    }
    leases.waiting().ifPresent(response::setWaiting);
    return response.build();
  }

  private void answer(Poll poll, DemandsResponseProto response) {
    if (serves(poll.lease)) {
      lastPoll = clock.getAsLong();
    }
    run(() -> poll.answer.accept(response));
  }

  private void run(Runnable answer) {
    try {
      answers.execute(
          () -> {
            try {
              answer.run();
            } catch (RuntimeException | Error e) {
              LOG.warn("an answer failed", e);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("an answer comes too late: {}", e.getMessage());
    }
  }

  /**
   * Polls the demands. Also answered when the standing of the coordinator's lease differs from what
   * the caller knows.
   *
   * @param answer gets the answer once
   */
  public synchronized void poll(
      DemandsRequestProto request, Consumer<DemandsResponseProto> answer) {
    turn();
    long now = clock.getAsLong();
    String lease = request.getLease();
    if (serves(lease)) {
      polled = true;
      lastPoll = now;
      expectedUntil = Long.MIN_VALUE;
    }
    Told known =
        request.hasKnownLeases()
            ? new Told(
                new Leases.Standing(request.getKnownLeads(), request.getKnownLeases()),
                new TreeSet<>(request.getKnownAwaitedList()))
            : Told.now(leases, lease);
    Poll poll =
        new Poll(
            lease,
            known,
            request.getAfter(),
            request.getYields(),
            now + Math.min(request.getWaitMillis(), SERVED_MILLIS / 2),
            answer);
    DemandsResponseProto response = response(poll);
    if (response.getDemandsCount() > 0
        || (poll.yields && response.hasWaiting())
        || !known.equals(Told.now(leases, lease))
        || closed) {
      answer(poll, response);
    } else {
      polls.add(poll);
      notifyAll();
    }
  }

  /** Reports blocks that cannot be rebuilt: their readers go on. */
  public synchronized void refuse(Collection<Long> blocks) {
    turn();
    long now = clock.getAsLong();
    demanded.remove(blocks);
    blocks.forEach(id -> refused.put(id, now + REFUSED_MILLIS));
    tellNext(now);
    readers.forEach(reader -> reader.useful.removeAll(blocks));
    release(reader -> reader.needed.stream().anyMatch(blocks::contains) || reader.over(now));
  }

  /** Reports that no coordinator is at work any more: all readers go on. */
  public synchronized void abandon() {
    polled = false;
    expectedUntil = Long.MIN_VALUE;
    polls.forEach(poll -> answer(poll, NOTHING));
    polls.clear();
    demanded.clear();
    release(reader -> true);
  }

  private void release(java.util.function.Predicate<Reader> over) {
    for (Iterator<Reader> i = readers.iterator(); i.hasNext(); ) {
      Reader reader = i.next();
      if (over.test(reader)) {
        i.remove();
        run(reader.answer);
      }
    }
  }

  private void run() {
    try {
      long pause = TICK_MILLIS;
      while (awaitWork()) {
        Thread.sleep(pause);
        long begun = clock.getAsLong();
        boolean looked =
            Turn.take(
                this::tick,
                e ->
                    LOG.warn(
                        "what readers wait for cannot be looked up, again soon: {}", e.toString()));
        long took = clock.getAsLong() - begun;
        pause =
            looked
                ? Math.max(TICK_MILLIS, Math.min(LONGEST_TICK_MILLIS, TICK_SHARE * took))
                : LONGEST_TICK_MILLIS;
      }
    } catch (InterruptedException e) {
      LOG.debug("readers are not looked after any more");
    }
  }

  /** Waits until there is something to look after; false when there never will be. */
  private synchronized boolean awaitWork() throws InterruptedException {
    while (!closed && readers.isEmpty() && polls.isEmpty() && demanded.isEmpty()) {
      wait(TURN_MILLIS);
      turn();
    }
    return !closed;
  }

  /** Checks once which readers can go on. */
  public void tick() throws IOException {
    Set<Long> open;
    synchronized (this) {
      turn();
      open = demanded.ids();
    }
    // Asked outside the monitor: the NameNode's lock may be taken for long.
    Set<Long> readable = open.isEmpty() ? Set.of() : listed.readable(open);
    synchronized (this) {
      if (!mayBeServed() && expectedUntil != Long.MIN_VALUE) {
        abandon(); // none came
      }
      long now = clock.getAsLong();
      demanded.remove(readable);
      for (Reader reader : readers) {
        reader.needed.removeAll(readable);
        reader.useful.removeAll(readable);
      }
      release(reader -> reader.over(now));
      demanded.expire(now);
      tellNext(now);
      boolean leaseWanted = leases.waiting().isPresent();
      for (Iterator<Poll> i = polls.iterator(); i.hasNext(); ) {
        Poll poll = i.next();
        if (poll.deadline <= now
            || (poll.yields && leaseWanted)
            || !poll.told.equals(Told.now(leases, poll.lease))) {
          i.remove();
          answer(poll, response(poll));
        }
      }
    }
  }

  /** Lets all readers go on. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      release(reader -> true);
      polls.forEach(poll -> answer(poll, NOTHING));
      polls.clear();
      demanded.clear();
      notifyAll();
    }
    ticker.interrupt();
    answers.shutdown();
  }
}
