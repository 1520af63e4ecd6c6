package org.braid.plan.manage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.placement.Topology;
import org.braid.plan.manage.RepairPriority.Urgency;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LostStripe;
import org.braid.plan.schedule.RepairCounts;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.schedule.RepairScheduler.Refusal;
import org.braid.plan.schedule.RepairScheduler.Schedule;
import org.braid.plan.schedule.ScheduledRepair;

/**
 * Decides which repair starts when. The caller, a cluster or a simulation, submits stripes, asks
 * which repairs to {@link #start}, runs them, and reports the ones that are {@link #done} or have
 * {@link #failed}.
 *
 * <p>Degraded reads go first, then the stripes that tolerate the fewest further losses, then the
 * others in the order of their submission. A repair starts when every node and uplink stays within
 * its budget. A repair that has to wait lets at most {@value #PATIENCE} later ones pass; then the
 * manager keeps its nodes and uplinks free for it, so that no repair waits for ever. A stripe whose
 * loss may be transient waits for its node to return, unless it has few spare blocks left. A repair
 * that fails or takes too long is scheduled again without the helpers and destinations that failed.
 *
 * <p>The manager has no clock: the caller passes all times, in milliseconds; they never go
 * backwards. Not thread-safe.
 */
public final class RepairManager {
  /** How many later repairs may start before one that waits for its budget. */
  static final int PATIENCE = 16;

  /** Stripes with this many spare blocks or more count as equally safe. */
  private static final int SPARE_LIMIT = 3;

  private static final long RETRY_MILLIS = 200;

  /** Stripes scheduled at once. The others are scheduled later, when more is known. */
  private static final int WINDOW = 1000;

  private final Settings settings;
  private final RepairScheduler scheduler;
  private final RandomGenerator random;
  private final Map<String, QueuedRepair> waiting = new LinkedHashMap<>();
  private final Map<Long, RepairJob> running = new LinkedHashMap<>();
  private final Map<String, QueuedRepair> started = new HashMap<>();
  private final Map<List<Object>, Integer> spares = new HashMap<>();
  private final List<AbandonedStripe> givenUp = new ArrayList<>();
  private PlanSettings planning;
  private ClusterSnapshot cluster;
  private RepairBudgets.Taken taken;
  private long turns;
  private long jobs;

  /**
   * Settings of a manager; times are in milliseconds.
   *
   * @param budgets limits for concurrent repairs
   * @param delayMillis how long a repair waits for the node of a lost block to return
   * @param urgentSpare stripes that tolerate at most this many further losses do not wait; -1 for
   *     none
   * @param timeoutMillis how long a repair may take before it is overdue
   * @param attempts attempts at a stripe before it is given up
   * @param patienceMillis how long a stripe without helpers or destinations is tried again
   */
  public record Settings(
      RepairBudgets budgets,
      long delayMillis,
      int urgentSpare,
      long timeoutMillis,
      int attempts,
      long patienceMillis) {
    public Settings {
      if (delayMillis < 0 || timeoutMillis < 1 || attempts < 1 || patienceMillis < 0) {
        throw new IllegalArgumentException(
            "delay %d, time-out %d, attempts %d, patience %d: needed are 0, 1, 1 and 0 or more"
                .formatted(delayMillis, timeoutMillis, attempts, patienceMillis));
      }
    }

    /** No delay, no time-out, one attempt, nothing tried again. */
    public static Settings at(RepairBudgets budgets) {
      return new Settings(budgets, 0, -1, Long.MAX_VALUE, 1, 0);
    }
  }

  /**
   * A stripe that is not repaired.
   *
   * @param why whether attempts failed or no attempt was possible
   * @param reason for people
   */
  public record AbandonedStripe(LostStripe stripe, Why why, String reason) {
    /** What ended the attempts. */
    public enum Why {
      /** All allowed attempts failed. */
      FAILED,
      /** There were no helpers or no destinations for as long as the manager is patient. */
      REFUSED
    }
  }

  /** The result of a submission. */
  public enum Submitted {
    /** It waits for its turn. */
    QUEUED,
    /** It waits already; the more urgent priority of the two counts. */
    UPDATED,
    /** It is being repaired; the submission is ignored. */
    RUNNING
  }

  /** A manager of an empty queue. */
  public RepairManager(
      Settings settings,
      RepairScheduler scheduler,
      PlanSettings planning,
      ClusterSnapshot cluster,
      RandomGenerator random) {
    this.settings = settings;
    this.scheduler = scheduler;
    this.planning = planning;
    this.cluster = cluster;
    this.random = random;
    taken = new RepairBudgets.Taken(settings.budgets(), cluster.topology());
  }

  /**
   * Takes over the newest heartbeats. Repairs with a destination that may no longer get blocks are
   * scheduled again.
   *
   * @param fresh a snapshot of the same topology, or of one that has more nodes at its end
   */
  public void update(ClusterSnapshot fresh) {
    Topology topology = fresh.topology();
    if (!topology.startsWith(cluster.topology())) {
      throw new IllegalArgumentException("another topology: nodes are known by number");
    }
    if (topology != cluster.topology()) {
      planning = new PlanSettings(planning.planner(), planning.network().on(topology));
      taken = taken.on(topology);
    }
    cluster = fresh;
    for (QueuedRepair entry : waiting.values()) {
      boolean gone =
          entry.repair.stream()
              .filter(a -> a.stripe().notes().reader().isEmpty())
              .flatMap(a -> a.destinations().values().stream())
              .anyMatch(node -> !fresh.eligible(node));
      if (gone) {
        entry.repair = Optional.empty();
      }
    }
  }

  /**
   * Submits a stripe for repair. For a stripe that waits already, the newer knowledge replaces the
   * older.
   */
  public Submitted submit(LostStripe stripe, RepairPriority priority) {
    if (started.containsKey(stripe.id())) {
      return Submitted.RUNNING;
    }
    QueuedRepair known = waiting.get(stripe.id());
    if (known != null) {
      known.update(stripe, priority);
      known.spare = spare(stripe);
      return Submitted.UPDATED;
    }
    waiting.put(stripe.id(), new QueuedRepair(stripe, priority, spare(stripe), turns++));
    return Submitted.QUEUED;
  }

  /** Removes a waiting stripe from the queue, for example when its node returned. */
  public void withdraw(String stripe) {
    waiting.remove(stripe);
  }

  private int spare(LostStripe stripe) {
    ErasureCode code = stripe.code();
    List<Integer> missing =
        IntStream.range(0, code.n()).filter(b -> !stripe.alive().contains(b)).boxed().toList();
    return spares.computeIfAbsent(
        List.of(code.name(), missing),
        unused -> Tolerance.spare(code, missing, Math.min(code.m(), SPARE_LIMIT)));
  }

  /** Starts the repairs that the budgets allow now. */
  public List<RepairJob> start(long now) {
    List<QueuedRepair> due =
        waiting.values().stream()
            .filter(entry -> entry.dueAt(settings) <= now)
            .filter(entry -> entry.refused.map(r -> r.retryAt() <= now).orElse(true))
            .sorted(QueuedRepair.BY_PRIORITY)
            .toList();
    scheduleFirst(due, now);
    List<RepairJob> begun = new ArrayList<>();
    List<QueuedRepair> passed = new ArrayList<>();
    RepairBudgets.Taken kept = taken.copy();
    for (QueuedRepair entry : due) {
      if (entry.repair.isEmpty()) {
        continue;
      }
      ScheduledRepair repair = entry.repair.get();
      if (kept.fits(repair)) {
        kept.take(repair);
        taken.take(repair);
        begun.add(begin(entry, repair, now));
        passed.forEach(other -> other.passedOver++);
      } else if (entry.passedOver >= PATIENCE || entry.priority.urgency() == Urgency.READ) {
        kept.take(repair); // keeps its nodes and uplinks free
      } else {
        passed.add(entry);
      }
      if (kept.full()) {
        break;
      }
    }
    return begun;
  }

  /** Schedules the first window in which not all stripes are refused. */
  private void scheduleFirst(List<QueuedRepair> due, long now) {
    boolean scheduled = false;
    for (int from = 0; from < due.size() && !scheduled; from += WINDOW) {
      List<QueuedRepair> window = due.subList(from, Math.min(due.size(), from + WINDOW));
      schedule(window.stream().filter(entry -> entry.repair.isEmpty()).toList(), now);
      scheduled = window.stream().anyMatch(entry -> entry.repair.isPresent());
    }
  }

  private RepairJob begin(QueuedRepair entry, ScheduledRepair repair, long now) {
    long deadline =
        settings.timeoutMillis() > Long.MAX_VALUE - now
            ? Long.MAX_VALUE
            : now + settings.timeoutMillis();
    RepairJob job = new RepairJob(jobs++, repair, entry.attempts + 1, now, deadline);
    waiting.remove(entry.stripe.id());
    started.put(entry.stripe.id(), entry);
    running.put(job.number(), job);
    return job;
  }

  private void schedule(List<QueuedRepair> entries, long now) {
    if (entries.isEmpty()) {
      return;
    }
    RepairCounts counts = new RepairCounts(cluster);
    running.values().forEach(job -> counts.add(job.repair()));
    waiting.values().forEach(entry -> entry.repair.ifPresent(counts::add));
    Schedule schedule =
        scheduler.schedule(
            entries.stream().map(entry -> entry.stripe).toList(), counts, planning, random);
    for (ScheduledRepair repair : schedule.assigned()) {
      QueuedRepair entry = Objects.requireNonNull(waiting.get(repair.stripe().id()));
      entry.repair = Optional.of(repair);
      entry.refused = Optional.empty();
    }
    for (Refusal refusal : schedule.refused()) {
      QueuedRepair entry = Objects.requireNonNull(waiting.get(refusal.stripe().id()));
      long since = entry.refused.map(QueuedRepair.Refused::since).orElse(now);
      // Another try from the end of the queue (PPR section 5, "Scheduling").
      entry.turn = turns++;
      entry.refused =
          Optional.of(new QueuedRepair.Refused(since, now + RETRY_MILLIS, refusal.reason()));
      if (now - since >= settings.patienceMillis()) {
        waiting.remove(entry.stripe.id());
        givenUp.add(
            new AbandonedStripe(entry.stripe, AbandonedStripe.Why.REFUSED, refusal.reason()));
      }
    }
  }

  /** Reports that a repair is complete. */
  public void done(RepairJob job) {
    end(job);
  }

  private QueuedRepair end(RepairJob job) {
    if (running.remove(job.number()) == null) {
      throw new IllegalArgumentException("job " + job.number() + " does not run");
    }
    taken.release(job.repair());
    return Objects.requireNonNull(started.remove(job.repair().stripe().id()));
  }

  /**
   * Reports that a repair was stopped without a failure of its own. The stripe waits again and is
   * scheduled anew; the attempt does not count.
   */
  public void interrupted(RepairJob job) {
    QueuedRepair entry = end(job);
    entry.repair = Optional.empty();
    entry.refused = Optional.empty();
    waiting.put(entry.stripe.id(), entry);
  }

  /**
   * Reports that a repair failed, or was stopped because it was overdue. The stripe waits again.
   * Its next schedule avoids the failed helpers and destinations where the code and the rule allow
   * that. Submit the stripe to update it.
   */
  public void failed(RepairJob job, RepairFailure failure) {
    QueuedRepair entry = end(job);
    entry.attempts++;
    if (entry.attempts >= settings.attempts()) {
      givenUp.add(
          new AbandonedStripe(
              entry.stripe,
              AbandonedStripe.Why.FAILED,
              entry.attempts == 1
                  ? failure.reason()
                  : entry.attempts + " attempts failed, the last: " + failure.reason()));
      return;
    }
    Set<Integer> helpers = new TreeSet<>(failure.helpers());
    entry.stripe = entry.stripe.with(entry.stripe.notes().plus(helpers, failure.destinations()));
    entry.repair = Optional.empty();
    entry.refused = Optional.empty();
    waiting.put(entry.stripe.id(), entry);
  }

  /** The repairs that exceeded their deadline; the caller stops them and reports their failure. */
  public List<RepairJob> overdue(long now) {
    return running.values().stream().filter(job -> job.deadline() <= now).toList();
  }

  /**
   * The next time at which {@link #start} or {@link #overdue} may return something new without a
   * further report; empty when there is none.
   */
  public OptionalLong wake(long now) {
    Least least = new Least();
    running.values().forEach(job -> least.add(job.deadline()));
    for (QueuedRepair entry : waiting.values()) {
      long due = entry.dueAt(settings);
      if (due > now) {
        least.add(due);
      } else {
        entry.refused.ifPresent(refused -> least.add(refused.retryAt()));
      }
    }
    return least.value == Long.MAX_VALUE
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(now, least.value));
  }

  private static final class Least {
    private long value = Long.MAX_VALUE;

    void add(long other) {
      value = Math.min(value, other);
    }
  }

  /** The stripes given up since the last call. */
  public List<AbandonedStripe> givenUp() {
    List<AbandonedStripe> all = List.copyOf(givenUp);
    givenUp.clear();
    return all;
  }

  /**
   * Whether stripes wait, no repair runs, and each waiting stripe lacks helpers or destinations.
   */
  public boolean isStuck() {
    return running.isEmpty()
        && !waiting.isEmpty()
        && waiting.values().stream().allMatch(entry -> entry.refused.isPresent());
  }

  /** The number of waiting stripes. */
  public int queued() {
    return waiting.size();
  }

  /** The waiting stripes, by priority. */
  public List<LostStripe> waiting() {
    return waiting.values().stream().sorted(QueuedRepair.BY_PRIORITY).map(e -> e.stripe).toList();
  }

  /** The running repairs, in the order of their start. */
  public List<RepairJob> running() {
    return List.copyOf(running.values());
  }
}
