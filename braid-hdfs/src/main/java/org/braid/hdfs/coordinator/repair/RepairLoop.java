package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Members;
import org.braid.hdfs.coordinator.throttle.GaveWayException;
import org.braid.hdfs.dispatch.Outage;
import org.braid.hdfs.engine.FailureReason;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.time.Ticker;
import org.braid.placement.Topology;
import org.braid.plan.manage.RepairFailure;
import org.braid.plan.manage.RepairJob;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.manage.RepairManager.AbandonedStripe;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LostStripe;
import org.braid.plan.schedule.ScheduledRepair;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repairs damaged stripes: the repair manager says which repair starts when, from which helpers and
 * to which nodes, within its budgets. A stripe that finds no place is scheduled again while that
 * may help.
 */
final class RepairLoop {
  private static final Logger LOG = LoggerFactory.getLogger(RepairLoop.class);
  private static final long LOOK_MILLIS = 3000;

  /** Looks, which last long on a large cluster, take at most one part in this many of the time. */
  private static final int LOOK_SHARE = 5;

  private static final long POLL_MILLIS = 500;
  private static final long AGAIN_MILLIS = 200;

  /** Looks at stripes without a place take at most one part in this many of the time. */
  private static final int AGAIN_SHARE = 5;

  private final RepairWork work;
  private final RepairSetup setup;
  private final BadReplicas bad;
  private final Ticker ticker;
  private final long begun;
  private final RepairManager manager;
  private final Map<String, Damaged> damaged = new HashMap<>();
  private final RepairThreads threads = new RepairThreads();

  /** Number of waiting stripes at which no more are taken from the feed. */
  private static final int ENOUGH = 2000;

  /** Longest time to take pages before other work gets its turn. */
  private static final long TAKE_MILLIS = 1000;

  /** Stripes without a place that are scheduled again. */
  private final Set<String> parked = new HashSet<>();

  /** The attempts at stripes whose repair failed or found no place. */
  private final Map<String, Tries> tries = new HashMap<>();

  private ClusterState state;
  private Topology topology;
  private long lookAt = LOOK_MILLIS;
  private final Outage outage = new Outage();
  private long againAt;

  /** Creates a loop with a first look at the cluster. */
  RepairLoop(
      RepairWork work, RepairSetup setup, BadReplicas bad, ClusterState first, Ticker ticker) {
    this.work = work;
    this.setup = setup;
    this.bad = bad;
    this.ticker = ticker;
    begun = ticker.millis();
    state = first;
    topology = first.topology();
    manager = setup.manager(servers());
  }

  private long now() {
    return ticker.millis() - begun;
  }

  private ClusterSnapshot servers() {
    int[] own = new int[topology.nodes()];
    for (RepairJob job : threads.repairs()) {
      job.repair().nodes().forEach(node -> own[node]++);
    }
    long bytes =
        damaged.values().stream().mapToLong(d -> d.status().stripe().blockLength()).max().orElse(0);
    return LostStripes.servers(topology, state, own, bytes);
  }

  /**
   * Repairs until no repair can be begun any more.
   *
   * @return number of stripes that wait for silent nodes
   */
  int run(RepairFeed feed) throws IOException {
    int postponed = 0;
    try {
      while (true) {
        long since = now();
        while (take(feed, 0) && now() - since < TAKE_MILLIS) {}
        scheduleParked();
        startDue();
        boolean idle = threads.isIdle() && (work.halted() || !isAwaited());
        if (!idle) {
          await();
        } else if (work.halted()) {
          return 0;
        } else if (feed.ended()) {
          return postponed + manager.queued();
        } else if (isFull()) {
          postponed += leaveWaiting();
        } else {
          var unused = take(feed, POLL_MILLIS);
        }
        if (now() >= lookAt) {
          look();
        }
      }
    } finally {
      threads.stopAll();
    }
  }

  /** Whether stripes will soon be looked at or begun. */
  private boolean isAwaited() {
    return !parked.isEmpty() || (outage.lasts() && manager.queued() > 0);
  }

  private boolean isFull() {
    return manager.queued() + parked.size() >= ENOUGH;
  }

  /** Takes another page of stripes if there is room for it; says whether one came. */
  private boolean take(RepairFeed feed, long millis) throws IOException {
    if (feed.ended() || isFull() || work.halted()) {
      return false;
    }
    Optional<List<Damaged>> page = feed.next(state, millis);
    page.orElse(List.of()).forEach(this::submit);
    return page.isPresent();
  }

  /** Drops stripes that wait for silent nodes, to make room for others that may be repaired now. */
  private int leaveWaiting() {
    List<LostStripe> waiting = manager.waiting();
    for (LostStripe stripe : waiting) {
      manager.withdraw(stripe.id());
      forget(stripe.id());
    }
    return waiting.size();
  }

  /**
   * Looks at the cluster; keeps the last look while no NameNode answers.
   *
   * @return the time of the look, before late nodes got more time to answer
   */
  private long look() throws IOException {
    long since = now();
    boolean missed = outage.lasts();
    Optional<ClusterState> seen = outage.ask(work::look, this::now);
    long end = now();
    if (seen.isEmpty()) {
      lookAt = end + LOOK_MILLIS;
      return end;
    }
    state = outage.ask(() -> work.patiently(seen.get()), this::now).orElseGet(seen::get);
    lookAt = now() + Math.max(LOOK_MILLIS, (LOOK_SHARE - 1) * (end - since));
    Topology grown = LostStripes.grown(topology, state);
    boolean joined = grown != topology;
    topology = grown;
    manager.update(servers());
    if (joined || missed) {
      manager.waiting().forEach(stripe -> submitOrForget(seen(known(stripe.id()))));
    }
    return end;
  }

  /** A stripe on the cluster of the last look, which may number nodes differently. */
  private Damaged seen(Damaged stripe) {
    return work.changes() ? stripe.on(state, bad) : stripe;
  }

  /** The current state of a stripe, on the cluster of the last look. */
  private Damaged fresh(Damaged stripe) throws IOException {
    return seen(new Damaged(work.refreshed(stripe.status()), stripe.members()));
  }

  /** The same, or its last known state when the NameNode does not answer. */
  private Damaged freshIfKnown(Damaged stripe) throws IOException {
    return outage.ask(() -> fresh(stripe), this::now).orElse(stripe);
  }

  /** Whether a call for a stripe failed because the NameNode did not answer, which may pass. */
  private boolean passes(String id, @Nullable Throwable failure) throws IOException {
    if (!(failure instanceof IOException e) || !Outage.isPassing(e) || !tries(id).passes()) {
      return false;
    }
    outage.goesOn(e, now());
    lookAt = Math.min(lookAt, now() + LOOK_MILLIS);
    return true;
  }

  private void giveUp(Damaged stripe, String reason) {
    forget(stripe.id());
    work.giveUp(stripe, reason);
  }

  private void forget(String stripe) {
    damaged.remove(stripe);
    tries.remove(stripe);
  }

  private Tries tries(String stripe) {
    return tries.computeIfAbsent(stripe, unused -> new Tries());
  }

  private Damaged known(String stripe) {
    return Objects.requireNonNull(damaged.get(stripe));
  }

  private void submit(Damaged stripe) {
    if (threads.finishes(stripe.id())) {
      return; // it is looked at again after that
    }
    parked.remove(stripe.id()); // it may be listed twice, and waits for its turn now
    damaged.put(stripe.id(), stripe);
    Members members = stripe.determined();
    if (members.homeless().isEmpty()) {
      manager.withdraw(stripe.id());
      if (NextTry.isAwaited(stripe, state, setup.silentMillis() - now())) {
        parked.add(stripe.id());
      } else {
        giveUp(stripe, stripe.shortage());
      }
    } else {
      boolean alone = tries(stripe.id()).leavesMoves() && !members.lost().isEmpty();
      submit(stripe, members, alone ? members.lost() : members.homeless(), Map.of());
    }
  }

  private void submit(
      Damaged stripe, Members members, List<Integer> homeless, Map<Integer, Integer> standIns) {
    manager.submit(
        LostStripes.of(stripe.status(), members, homeless, standIns, state, topology),
        LostStripes.priority(stripe, state, setup.awaited(), now()));
  }

  private void submitOrForget(Damaged stripe) {
    if (stripe.members().damaged()) {
      submit(stripe);
    } else {
      manager.withdraw(stripe.id());
      finishOrForget(stripe);
    }
  }

  /** Ends a stripe without damage: others repaired it, or an attempt did before it failed. */
  private void finishOrForget(Damaged stripe) {
    if (threads.finishes(stripe.id())) {
      return;
    }
    if (tries(stripe.id()).takeFailed()) {
      damaged.put(stripe.id(), stripe);
      threads.finish(stripe.id(), () -> work.finish(stripe));
    } else {
      forget(stripe.id());
    }
  }

  private void scheduleParked() throws IOException {
    if (parked.isEmpty() || now() < againAt || work.halted()) {
      return;
    }
    long since = now();
    long seen = look();
    long looked = now();
    if (outage.lasts()) {
      againAt = lookAt;
      return;
    }
    for (String id : List.copyOf(parked)) {
      parked.remove(id);
      try {
        submitOrForget(fresh(known(id)));
      } catch (IOException e) {
        parked.add(id);
        if (passes(id, e)) {
          againAt = lookAt;
          return;
        }
        long failing = tries(id).refusedFor(now());
        if (Rpc.isInterrupt(e) || failing >= setup.silentMillis()) {
          throw e;
        }
      }
    }
    againAt = now() + Math.max(AGAIN_MILLIS, (AGAIN_SHARE - 1) * (seen - since + now() - looked));
  }

  /**
   * Begins the repairs that the budgets allow, none while the NameNode does not answer, and decides
   * about stripes that the manager gives up.
   */
  private void startDue() throws IOException {
    boolean refused = true;
    while (refused) {
      if (!work.halted() && !outage.lasts()) {
        manager.start(now()).forEach(this::begin);
      }
      refused = false;
      for (AbandonedStripe abandoned : manager.givenUp()) {
        Damaged stripe = known(abandoned.stripe().id());
        if (abandoned.why() == AbandonedStripe.Why.FAILED) {
          giveUpUnlessRebuilt(stripe, abandoned.reason());
        } else {
          refused = true; // others may be scheduled now
          refuse(stripe, abandoned.stripe(), abandoned.reason());
        }
      }
    }
  }

  /** Gives a stripe up unless its last attempt rebuilt it: the NameNode lists new blocks late. */
  private void giveUpUnlessRebuilt(Damaged stripe, String reason) throws IOException {
    Damaged now = stripe;
    try {
      now = freshIfKnown(stripe);
    } catch (IOException e) {
      if (Rpc.isInterrupt(e) || Outage.isPassing(e)) {
        throw e;
      }
      LOG.info("stripe {} is given up as it was seen last: {}", stripe.id(), e.getMessage());
    }
    if (now.members().damaged()) {
      giveUp(now, reason);
    } else {
      finishOrForget(now);
    }
  }

  private void refuse(Damaged known, LostStripe refused, String reason) {
    Damaged stripe = seen(known);
    if (!stripe.members().damaged()) {
      finishOrForget(stripe);
      return;
    }
    Tries tried = tries(stripe.id());
    long waited = tried.refusedFor(now());
    long silentLeft = setup.silentMillis() - now();
    switch (NextTry.of(refused, stripe, state, waited, silentLeft, tried.stoodIn())) {
      case WITHOUT_MOVES -> {
        LOG.warn("stripe {}: {}", stripe.id(), reason);
        tried.leaveMoves();
        submit(stripe);
      }
      case LATER -> parked.add(stripe.id());
      case STAND_IN -> {
        tried.standIn();
        Members members = stripe.determined();
        submit(stripe, members, members.lost(), stripe.blocked(state));
      }
      case NEVER -> {
        LOG.info("stripe {} finds no place: {}", stripe.id(), state.unfit(stripe.status()));
        giveUp(stripe, reason + stripe.lack(refused.homeless(), state));
      }
    }
  }

  private void begin(RepairJob job) {
    Damaged stripe = known(job.repair().stripe().id());
    Topology numbers = topology;
    threads.repair(job, () -> work.repair(stripe, job.repair(), numbers));
  }

  /** Waits for the end of a repair, for some time; those that take too long are stopped. */
  private void await() throws IOException {
    long now = now();
    // One that is overdue but was held back is looked at again and again.
    OptionalLong wake = manager.overdue(now).isEmpty() ? manager.wake(now) : OptionalLong.empty();
    long again = parked.isEmpty() ? Long.MAX_VALUE : againAt;
    long until = outage.lasts() ? lookAt : Math.min(wake.orElse(Long.MAX_VALUE), again);
    long millis = Math.max(1, Math.min(POLL_MILLIS, until - now));
    Optional<RepairThreads.Ended> next = threads.await(ticker, millis);
    if (next.isPresent()) {
      end(next.get());
    }
    for (RepairJob job : manager.overdue(now())) {
      String id = job.repair().stripe().id();
      if (now() - job.deadline() >= work.heldMillis(id) && threads.stop(job)) {
        LOG.warn("the repair of stripe {} takes too long", id);
      }
    }
  }

  private void end(RepairThreads.Ended end) throws IOException {
    Throwable failure = end.failure().orElse(null);
    if (failure instanceof Error error) {
      throw error;
    }
    if (end.job().isPresent()) {
      end(end.job().get(), failure, end.late());
    } else {
      finished(end.stripe(), failure);
    }
  }

  private void end(RepairJob job, @Nullable Throwable failure, boolean overdue) throws IOException {
    String id = job.repair().stripe().id();
    if (failure == null || failure instanceof GaveWayException) {
      manager.done(job);
      if (failure == null && isLeftInPart(job, id)) {
        leave(known(id), job.repair());
      } else {
        forget(id);
      }
      return;
    }
    if (!overdue && passes(id, failure)) {
      LOG.warn("stripe {} is repaired when the NameNode answers: {}", id, failure.getMessage());
      manager.interrupted(job);
      tries(id).fail();
      return;
    }
    Optional<RepairFailure> again = NextTry.after(job, failure, overdue, setup.awaited());
    if (again.isPresent()) {
      LOG.warn("attempt {} at stripe {}: {}", job.attempt(), id, again.get().reason());
      manager.failed(job, again.get());
      tries(id).fail();
      if (isWaiting(id)) {
        look();
        if (isWaiting(id)) { // and was not settled in passing
          submitOrForget(freshIfKnown(known(id)));
        }
      }
    } else {
      manager.done(job);
      LOG.warn("stripe {} is not repaired", id, failure);
      giveUp(known(id), FailureReason.of(failure));
    }
  }

  /** Handles the end of finishing blocks that earlier attempts rebuilt; they may be lost or bad. */
  private void finished(String id, @Nullable Throwable failure) throws IOException {
    if (failure instanceof GaveWayException) {
      forget(id);
      return;
    }
    boolean unanswered = passes(id, failure);
    if (unanswered) {
      tries(id).fail();
    }
    boolean again = failure != null && NextTry.isPassing(failure, setup.awaited());
    if (failure == null || unanswered || (again && tries(id).finishesAgain())) {
      if (failure != null) {
        LOG.warn("what was rebuilt of stripe {}: {}", id, failure.getMessage());
      }
      parked.add(id); // it and the cluster are looked at before it is forgotten
    } else {
      LOG.warn("stripe {} is not repaired", id, failure);
      giveUp(known(id), FailureReason.of(failure));
    }
  }

  private boolean isWaiting(String id) {
    return manager.waiting().stream().anyMatch(stripe -> stripe.id().equals(id));
  }

  /** Whether to repair the rest later; not for readers, who can read misplaced blocks anywhere. */
  private boolean isLeftInPart(RepairJob job, String id) {
    return !setup.awaited() && known(id).isPart(job.repair()) && tries(id).goesOnAfterPart();
  }

  /** Repairs what a partial repair has left of a stripe. */
  private void leave(Damaged stripe, ScheduledRepair done) {
    if (work.changes()) {
      parked.add(stripe.id()); // it and the cluster are looked at before more is begun
      return;
    }
    submitOrForget(stripe.after(done));
  }
}
