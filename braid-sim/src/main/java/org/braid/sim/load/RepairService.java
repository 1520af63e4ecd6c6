package org.braid.sim.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.braid.plan.Plan;
import org.braid.plan.manage.Assignment;
import org.braid.plan.manage.Demand;
import org.braid.plan.manage.Failure;
import org.braid.plan.manage.Job;
import org.braid.plan.manage.LostStripe;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.manage.Servers;
import org.braid.sim.run.Payload;
import org.braid.sim.run.SimulatedEngine;
import org.braid.sim.time.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * The product's repair manager on virtual time: starts what it says when it says so, runs the plans
 * on the simulated engine and reports what became of them.
 */
public final class RepairService {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Simulation simulation;
  private final SimulatedEngine engine;
  private final RepairManager manager;
  private final Consumer<Job> repaired;
  private final Function<Job, Set<Integer>> damaged;
  private final Map<Long, RunningJob> running = new LinkedHashMap<>();
  private Simulation.@Nullable Event wake;
  private boolean pumpDue;
  private int mostAtOnce;

  /** A job and the plans of it that are left, the first of which runs. */
  private final class RunningJob {
    private final Job job;
    private final List<Plan> left;
    private SimulatedEngine.@Nullable Running current;

    RunningJob(Job job) {
      this.job = job;
      this.left = new ArrayList<>(job.assignment().plans());
    }

    void next() {
      if (left.isEmpty()) {
        running.remove(job.number());
        manager.done(job);
        repaired.accept(job);
        pumpSoon();
        return;
      }
      LostStripe stripe = job.assignment().stripe();
      long length = Math.max(1, stripe.length() / stripe.code().alpha());
      current = engine.begin(left.remove(0), length, Payload.SIZES, done -> next());
    }

    void stop() {
      if (current != null) {
        current.stop();
      }
    }
  }

  /**
   * A service without work.
   *
   * @param repaired told of each job that ended well
   */
  public RepairService(
      Simulation simulation,
      SimulatedEngine engine,
      RepairManager manager,
      Consumer<Job> repaired) {
    this(simulation, engine, manager, repaired, job -> Set.of());
  }

  /**
   * A service without work on a cluster whose blocks may be damaged.
   *
   * @param repaired told of each job that ended well
   * @param damaged asked of each job that starts: the helpers that cannot be read. Its checksums
   *     tell at once, so that the job ends before it moves much; it is planned anew without them
   */
  public RepairService(
      Simulation simulation,
      SimulatedEngine engine,
      RepairManager manager,
      Consumer<Job> repaired,
      Function<Job, Set<Integer>> damaged) {
    this.simulation = simulation;
    this.engine = engine;
    this.manager = manager;
    this.repaired = repaired;
    this.damaged = damaged;
  }

  /** Milliseconds of the manager's clock. */
  public long millis() {
    return simulation.now() / NANOS_PER_MILLI;
  }

  /** Asks for a repair. */
  public RepairManager.Submitted submit(LostStripe stripe, Demand demand) {
    RepairManager.Submitted submitted = manager.submit(stripe, demand);
    pumpSoon();
    return submitted;
  }

  /** Forgets a stripe that waits. */
  public void withdraw(String stripe) {
    manager.withdraw(stripe);
  }

  /** The nodes as they are now. */
  public void update(Servers servers) {
    manager.update(servers);
    pumpSoon();
  }

  /** What is asked for at the same time is scheduled together. */
  private void pumpSoon() {
    if (!pumpDue) {
      pumpDue = true;
      simulation.after(0, this::pump);
    }
  }

  private void pump() {
    pumpDue = false;
    for (Job job : manager.overdue(millis())) {
      fail(job, new Failure(job.assignment().helpers(), Set.of(), "took too long"));
    }
    for (Job job : manager.start(millis())) {
      RunningJob started = new RunningJob(job);
      running.put(job.number(), started);
      Set<Integer> bad = damaged.apply(job);
      if (bad.isEmpty()) {
        started.next();
      } else {
        fail(job, new Failure(bad, Set.of(), "blocks " + bad + " are damaged"));
        pumpSoon();
      }
    }
    mostAtOnce = Math.max(mostAtOnce, running.size());
    simulation.cancel(wake);
    OptionalLong next = manager.wake(millis());
    wake =
        next.isEmpty()
            ? null
            : simulation.at(
                // Never at once again: a manager that waits for time waits at least a millisecond.
                Math.max(next.getAsLong(), millis() + 1) * NANOS_PER_MILLI, this::pumpSoon);
  }

  private void fail(Job job, Failure failure) {
    RunningJob stopped = running.remove(job.number());
    if (stopped != null) {
      stopped.stop();
      manager.failed(job, failure);
    }
  }

  /** Stops all repairs in which a node has a part; they wait to be planned without it. */
  public void nodeFailed(int node) {
    for (RunningJob one : List.copyOf(running.values())) {
      Assignment assignment = one.job.assignment();
      if (!assignment.nodes().contains(node)) {
        continue;
      }
      Set<Integer> helpers = new TreeSet<>();
      for (int block : assignment.helpers()) {
        if (assignment.stripe().nodeOf()[block] == node) {
          helpers.add(block);
        }
      }
      Set<Integer> targets =
          assignment.destinations().containsValue(node) ? Set.of(node) : Set.of();
      fail(one.job, new Failure(helpers, targets, "node " + node + " failed"));
    }
    pumpSoon();
  }

  /** Repairs that ran at once, at most. */
  public int mostAtOnce() {
    return mostAtOnce;
  }

  /** Repairs that run now. */
  public int running() {
    return running.size();
  }
}
