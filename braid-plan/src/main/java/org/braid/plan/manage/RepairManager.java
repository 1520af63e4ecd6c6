package org.braid.plan.manage;

import java.util.ArrayList;
import java.util.Collection;
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
import org.braid.plan.manage.Demand.Urgency;
import org.braid.plan.manage.RepairScheduler.Refusal;
import org.braid.plan.manage.RepairScheduler.Schedule;
import org.braid.plan.manage.RepairScheduler.Shaping;

/**
 * Says which repair starts when. Whoever runs repairs, on a cluster or in a simulation, submits
 * stripes, asks what to {@link #start}, and reports what is {@link #done} or has {@link #failed}.
 *
 * <p>Degraded reads go first, then the stripes that can lose the fewest blocks more, then the
 * others in the order they came. A repair starts when no node and no uplink is thereby above its
 * budget; one that has to wait lets later ones pass, but only so often: then what it needs is kept
 * free for it, and nothing waits for ever. A stripe whose loss may be transient waits for its node,
 * unless it has hardly a spare block left. A repair that fails or takes too long is planned anew
 * without the helpers and destinations that failed.
 *
 * <p>It has no clock: every time is a number of milliseconds that the caller passes and that never
 * goes backwards. Not thread-safe.
 */
public final class RepairManager {
  /** How many repairs that came later may start before one that waits for its budget. */
  static final int PATIENCE = 16;

  /** Stripes with so many spare blocks are all equally safe. */
  private static final int SPARE_LIMIT = 3;

  private static final long RETRY_MILLIS = 200;

  /** Stripes scheduled at once: what waits longer is better scheduled when its turn is near. */
  private static final int WINDOW = 1000;

  private final Settings settings;
  private final RepairScheduler scheduler;
  private final Shaping shaping;
  private final RandomGenerator random;
  private final Map<String, Entry> waiting = new LinkedHashMap<>();
  private final Map<Long, Job> running = new LinkedHashMap<>();
  private final Map<String, Entry> started = new HashMap<>();
  private final Map<List<Object>, Integer> spares = new HashMap<>();
  private final List<GivenUp> givenUp = new ArrayList<>();
  private Servers servers;
  private Budgets.Taken taken;
  private long turns;
  private long jobs;

  /**
   * How repairs are managed; times in milliseconds.
   *
   * @param budgets how many run at once
   * @param delayMillis how long a lost block may come back before it is rebuilt
   * @param urgentSpare stripes that can lose only so many blocks more, or fewer, do not wait; -1
   *     for none
   * @param timeoutMillis how long a repair may take before it is overdue
   * @param attempts attempts at a stripe before it is given up
   * @param patienceMillis how long a stripe without helpers or places is tried again
   */
  public record Settings(
      Budgets budgets,
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
    public static Settings at(Budgets budgets) {
      return new Settings(budgets, 0, -1, Long.MAX_VALUE, 1, 0);
    }
  }

  /**
   * A stripe that is not repaired.
   *
   * @param why whether attempts failed or none could be made
   * @param reason for people
   */
  public record GivenUp(LostStripe stripe, Why why, String reason) {
    /** What ended the attempts. */
    public enum Why {
      /** As many as are made failed. */
      FAILED,
      /** There are no helpers or no places, for longer than is waited. */
      REFUSED
    }
  }

  /** What became of a submission. */
  public enum Submitted {
    /** It waits for its turn. */
    QUEUED,
    /** It waits already; it is as urgent as the more urgent of the two. */
    UPDATED,
    /** It is being repaired: one block is not repaired twice at once. */
    RUNNING
  }

  /** A manager of an empty queue. */
  public RepairManager(
      Settings settings,
      RepairScheduler scheduler,
      Shaping shaping,
      Servers servers,
      RandomGenerator random) {
    this.settings = settings;
    this.scheduler = scheduler;
    this.shaping = shaping;
    this.servers = servers;
    this.random = random;
    taken = new Budgets.Taken(settings.budgets(), servers.topology());
  }

  /**
   * What the heartbeats say now. What waits for a node that may no longer get blocks is scheduled
   * anew.
   *
   * @param fresh of the same topology
   */
  public void update(Servers fresh) {
    if (fresh.topology() != servers.topology()) {
      throw new IllegalArgumentException("another topology: nodes are known by number");
    }
    servers = fresh;
    for (Entry entry : waiting.values()) {
      boolean gone =
          entry.assignment.stream()
              .filter(a -> a.stripe().notes().reader().isEmpty())
              .flatMap(a -> a.destinations().values().stream())
              .anyMatch(node -> !fresh.eligible(node));
      if (gone) {
        entry.assignment = Optional.empty();
      }
    }
  }

  /** Asks for the repair of a stripe; asked again, for one that waits, with what is known now. */
  public Submitted submit(LostStripe stripe, Demand demand) {
    if (started.containsKey(stripe.id())) {
      return Submitted.RUNNING;
    }
    Entry known = waiting.get(stripe.id());
    if (known != null) {
      known.update(stripe, demand);
      known.spare = spare(stripe);
      return Submitted.UPDATED;
    }
    waiting.put(stripe.id(), new Entry(stripe, demand, spare(stripe), turns++));
    return Submitted.QUEUED;
  }

  /** Puts stripes that wait before all others, as somebody waits to read them. */
  public void hurry(Collection<String> stripes) {
    for (String id : stripes) {
      Entry entry = waiting.get(id);
      if (entry != null) {
        entry.demand = new Demand(Urgency.READ, entry.demand.lostAt());
      }
    }
  }

  /** Forgets a stripe that waits, as when its node came back. */
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

  /** The repairs to start now. */
  public List<Job> start(long now) {
    List<Entry> due =
        waiting.values().stream()
            .filter(entry -> entry.dueAt(settings) <= now)
            .filter(entry -> entry.refused.map(r -> r.retryAt() <= now).orElse(true))
            .sorted(Entry.BY_PRIORITY)
            .toList();
    schedule(due.stream().limit(WINDOW).filter(entry -> entry.assignment.isEmpty()).toList(), now);
    List<Job> begun = new ArrayList<>();
    List<Entry> passed = new ArrayList<>();
    Budgets.Taken kept = taken.copy();
    for (Entry entry : due) {
      if (entry.assignment.isEmpty()) {
        continue;
      }
      Assignment assignment = entry.assignment.get();
      if (kept.fits(assignment)) {
        kept.take(assignment);
        taken.take(assignment);
        begun.add(begin(entry, assignment, now));
        passed.forEach(other -> other.passedOver++);
      } else if (entry.passedOver >= PATIENCE || entry.demand.urgency() == Urgency.READ) {
        kept.take(assignment); // what it needs is kept free for it
      } else {
        passed.add(entry);
      }
      if (kept.full()) {
        break;
      }
    }
    return begun;
  }

  private Job begin(Entry entry, Assignment assignment, long now) {
    long deadline =
        settings.timeoutMillis() > Long.MAX_VALUE - now
            ? Long.MAX_VALUE
            : now + settings.timeoutMillis();
    Job job = new Job(jobs++, assignment, entry.attempts + 1, now, deadline);
    waiting.remove(entry.stripe.id());
    started.put(entry.stripe.id(), entry);
    running.put(job.number(), job);
    return job;
  }

  private void schedule(List<Entry> entries, long now) {
    if (entries.isEmpty()) {
      return;
    }
    Work work = new Work(servers);
    running.values().forEach(job -> work.add(job.assignment()));
    waiting.values().forEach(entry -> entry.assignment.ifPresent(work::add));
    Schedule schedule =
        scheduler.schedule(
            entries.stream().map(entry -> entry.stripe).toList(), work, shaping, random);
    for (Assignment assignment : schedule.assigned()) {
      Entry entry = Objects.requireNonNull(waiting.get(assignment.stripe().id()));
      entry.assignment = Optional.of(assignment);
      entry.refused = Optional.empty();
    }
    for (Refusal refusal : schedule.refused()) {
      Entry entry = Objects.requireNonNull(waiting.get(refusal.stripe().id()));
      long since = entry.refused.map(Entry.Refused::since).orElse(now);
      // Back to the end of the queue, for another try (PPR section 5, "Scheduling").
      entry.turn = turns++;
      entry.refused = Optional.of(new Entry.Refused(since, now + RETRY_MILLIS, refusal.reason()));
      if (now - since >= settings.patienceMillis()) {
        waiting.remove(entry.stripe.id());
        givenUp.add(new GivenUp(entry.stripe, GivenUp.Why.REFUSED, refusal.reason()));
      }
    }
  }

  /** A repair has ended well. */
  public void done(Job job) {
    end(job);
  }

  private Entry end(Job job) {
    if (running.remove(job.number()) == null) {
      throw new IllegalArgumentException("job " + job.number() + " does not run");
    }
    taken.release(job.assignment());
    return Objects.requireNonNull(started.remove(job.assignment().stripe().id()));
  }

  /**
   * A repair has failed, or was stopped because it was overdue. The stripe waits again, and is
   * planned without what failed as long as there is a way; submit it to say how it looks now.
   */
  public void failed(Job job, Failure failure) {
    Entry entry = end(job);
    entry.attempts++;
    if (entry.attempts >= settings.attempts()) {
      givenUp.add(
          new GivenUp(
              entry.stripe,
              GivenUp.Why.FAILED,
              entry.attempts == 1
                  ? failure.reason()
                  : entry.attempts + " attempts failed, the last: " + failure.reason()));
      return;
    }
    Set<Integer> helpers = new TreeSet<>(failure.helpers());
    entry.stripe = entry.stripe.with(entry.stripe.notes().plus(helpers, failure.destinations()));
    entry.assignment = Optional.empty();
    entry.refused = Optional.empty();
    waiting.put(entry.stripe.id(), entry);
  }

  /** The repairs that have taken too long; the caller stops them and reports their failure. */
  public List<Job> overdue(long now) {
    return running.values().stream().filter(job -> job.deadline() <= now).toList();
  }

  /** Until when nothing happens unless a repair ends or something is reported. */
  public OptionalLong wake(long now) {
    Least least = new Least();
    running.values().forEach(job -> least.add(job.deadline()));
    for (Entry entry : waiting.values()) {
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

  /** The stripes given up since this was asked last. */
  public List<GivenUp> givenUp() {
    List<GivenUp> all = List.copyOf(givenUp);
    givenUp.clear();
    return all;
  }

  /** Stripes that wait for their turn, in the order of their priority. */
  public List<LostStripe> waiting() {
    return waiting.values().stream().sorted(Entry.BY_PRIORITY).map(e -> e.stripe).toList();
  }

  /** Repairs that run, in the order they were started. */
  public List<Job> running() {
    return List.copyOf(running.values());
  }
}
