package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.coordinator.Stripes.BadReplicas;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.placement.Topology;
import org.braid.plan.Network;
import org.braid.plan.RepairPlanner;
import org.braid.plan.manage.Failure;
import org.braid.plan.manage.Job;
import org.braid.plan.manage.LostStripe;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.manage.RepairManager.GivenUp;
import org.braid.plan.manage.RepairScheduler.Shaping;
import org.braid.plan.manage.Servers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the repairs of damaged stripes in the order, at the places and with the helpers that the
 * repair manager says.
 */
final class ManagedRepairs {
  private static final Logger LOG = LoggerFactory.getLogger(ManagedRepairs.class);
  private static final long LOOK_MILLIS = 3000;
  private static final long POLL_MILLIS = 500;

  private final Session session;
  private final Work work;
  private final BadReplicas bad;
  private final Shaping shaping;
  private final RepairManager manager;
  private final Topology topology;
  private final long blockBytes;
  private final long begun = System.nanoTime();
  private final Map<String, Damaged> damaged = new HashMap<>();
  private final Map<Job, Thread> threads = new HashMap<>();
  private final Set<Job> late = new HashSet<>();
  private final List<Damaged> unscheduled = new ArrayList<>();
  private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();

  /** A stripe with something to repair, as it was looked at. */
  record Damaged(StripeStatusProto status, Members members) {}

  /** What the repairs are for. */
  interface Work {
    /** Repairs a stripe as scheduled; runs on a thread of its own. */
    void repair(Damaged stripe, Preference preference) throws IOException;

    /** A stripe is given up, after attempts at it. */
    void giveUp(Damaged stripe, String reason);

    /** Whether no more repairs are to be begun. */
    boolean halted();
  }

  private record Ended(Job job, @Nullable Throwable failure) {}

  /**
   * Repairs.
   *
   * @param state the cluster, with the blocks that workers have in memory
   * @param stripes what is damaged
   */
  ManagedRepairs(
      Session session,
      Work work,
      BadReplicas bad,
      RepairSettings settings,
      Shape shape,
      ClusterState state,
      List<Damaged> stripes) {
    this.session = session;
    this.work = work;
    this.bad = bad;
    topology = state.topology();
    blockBytes =
        stripes.stream().mapToLong(s -> Stripes.length(s.status().getStripe())).max().orElse(0);
    Network network =
        session.network(state).with(new Network.Volume(Math.max(1, blockBytes), session.slice()));
    shaping = new Shaping(shape.planner(), network);
    manager =
        new RepairManager(
            settings.manager(shape.parallel()),
            settings.scheduler(),
            shaping,
            servers(state),
            new SplittableRandom(shape.seed()));
    for (Damaged stripe : stripes) {
      damaged.put(stripe.status().getStripe().getId(), stripe);
    }
  }

  /**
   * What the request says of the plans.
   *
   * @param parallel repairs at once on the whole cluster
   */
  record Shape(RepairPlanner planner, int parallel, long seed) {}

  /**
   * What is left when no repair is to be begun any more.
   *
   * @param unscheduled stripes for which the manager found no way
   * @param postponed stripes that wait for silent nodes
   */
  record Left(List<Damaged> unscheduled, int postponed) {}

  private long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
  }

  private Servers servers(ClusterState state) {
    int[] own = new int[topology.nodes()];
    for (Job job : threads.keySet()) {
      job.assignment().nodes().forEach(node -> own[node]++);
    }
    return LostStripes.servers(topology, state, own, blockBytes);
  }

  private boolean submit(Damaged stripe, ClusterState state) {
    Optional<LostStripe> lost = LostStripes.of(stripe.status(), stripe.members(), state, topology);
    if (lost.isEmpty()) {
      return false;
    }
    manager.submit(lost.get(), LostStripes.demand(stripe.status(), stripe.members(), state, now()));
    return true;
  }

  /** Repairs until nothing is left that can be begun. */
  Left run(ClusterState state) throws IOException {
    for (Damaged stripe : damaged.values()) {
      if (!submit(stripe, state)) {
        unscheduled.add(stripe);
      }
    }
    try {
      long looked = now();
      while (true) {
        if (!work.halted()) {
          manager.start(now()).forEach(this::begin);
        }
        for (GivenUp given : manager.givenUp()) {
          Damaged stripe = known(given.stripe().id());
          if (given.why() == GivenUp.Why.FAILED) {
            work.giveUp(stripe, given.reason());
          } else {
            LOG.info("stripe {} is not scheduled: {}", given.stripe().id(), given.reason());
            unscheduled.add(stripe);
          }
        }
        if (threads.isEmpty()) {
          return new Left(unscheduled, work.halted() ? 0 : manager.waiting().size());
        }
        await();
        if (now() - looked > LOOK_MILLIS) {
          manager.update(servers(ClusterState.withCaches(session.nameNode(), session.workers())));
          looked = now();
        }
      }
    } finally {
      stop();
    }
  }

  private Damaged known(String stripe) {
    return Objects.requireNonNull(damaged.get(stripe));
  }

  private void begin(Job job) {
    Map<Integer, String> destinations = new TreeMap<>();
    job.assignment()
        .destinations()
        .forEach((block, node) -> destinations.put(block, topology.nodeName(node)));
    Preference preference = new Preference(job.assignment().equations(), destinations);
    Damaged stripe = known(job.assignment().stripe().id());
    Thread thread = new Thread(() -> repair(job, stripe, preference), "braid-repair");
    thread.setDaemon(true);
    threads.put(job, thread);
    thread.start();
  }

  private void repair(Job job, Damaged stripe, Preference preference) {
    Throwable failure = null;
    try {
      work.repair(stripe, preference);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    ended.add(new Ended(job, failure));
  }

  /** Waits for the end of a repair, for some time; those that take too long are stopped. */
  private void await() throws IOException {
    OptionalLong wake = manager.wake(now());
    long millis = Math.max(1, Math.min(POLL_MILLIS, wake.orElse(Long.MAX_VALUE) - now()));
    try {
      Ended next = ended.poll(late.isEmpty() ? millis : POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (next != null) {
        end(next);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while stripes were repaired");
    }
    for (Job job : manager.overdue(now())) {
      if (late.add(job)) {
        LOG.warn("the repair of stripe {} takes too long", job.assignment().stripe().id());
        Objects.requireNonNull(threads.get(job)).interrupt();
      }
    }
  }

  private void end(Ended end) throws IOException {
    Job job = end.job();
    String id = job.assignment().stripe().id();
    threads.remove(job);
    boolean overdue = late.remove(job);
    Throwable failure = end.failure();
    if (failure == null) {
      manager.done(job);
    } else if (overdue && failure instanceof IOException) {
      Set<Integer> destinations = Set.copyOf(job.assignment().destinations().values());
      again(
          job,
          new Failure(
              job.assignment().helpers(),
              destinations,
              "it took more than %d ms".formatted(job.deadline() - job.startedAt())));
    } else if (failure instanceof AttemptFailed attempt) {
      LOG.warn("attempt {} at stripe {}: {}", job.attempt(), id, attempt.getMessage());
      Set<Integer> destinations = new HashSet<>();
      for (String uuid : attempt.destinations()) {
        OptionalInt node = topology.indexOf(uuid);
        node.ifPresent(destinations::add);
      }
      again(
          job, new Failure(attempt.helpers(), destinations, String.valueOf(attempt.getMessage())));
    } else if (failure instanceof IOException || failure instanceof IllegalArgumentException) {
      manager.done(job);
      LOG.warn("stripe {} is not repaired: {}", id, failure.getMessage());
      work.giveUp(known(id), String.valueOf(failure.getMessage()));
    } else if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    } else if (failure instanceof Error error) {
      throw error;
    }
  }

  /** Another attempt, at the stripe as it is now. */
  private void again(Job job, Failure failure) throws IOException {
    String id = job.assignment().stripe().id();
    manager.failed(job, failure);
    if (manager.waiting().stream().noneMatch(stripe -> stripe.id().equals(id))) {
      return; // it was the last
    }
    ClusterState state = ClusterState.withCaches(session.nameNode(), session.workers());
    StripeStatusProto status = session.nameNode().refreshed(known(id).status());
    Damaged fresh = new Damaged(status, Members.of(status, state, bad));
    damaged.put(id, fresh);
    manager.update(servers(state));
    if (!fresh.members().damaged()) {
      manager.withdraw(id);
    } else if (!submit(fresh, state)) {
      manager.withdraw(id);
      unscheduled.add(fresh);
    }
  }

  /** Stops what still runs when the work as a whole has failed. */
  private void stop() {
    threads.values().forEach(Thread::interrupt);
    for (Thread thread : threads.values()) {
      try {
        thread.join(TimeUnit.SECONDS.toMillis(30));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
