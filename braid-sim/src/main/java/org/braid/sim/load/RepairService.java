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
import org.braid.plan.manage.RepairFailure;
import org.braid.plan.manage.RepairJob;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.manage.RepairPriority;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LostStripe;
import org.braid.plan.schedule.ScheduledRepair;
import org.braid.sim.run.Payload;
import org.braid.sim.run.SimulatedEngine;
import org.braid.sim.time.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * The product's repair manager on virtual time: starts its jobs when it says so, runs their plans
 * on the simulated engine, and reports their ends.
 */
public final class RepairService {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Simulation simulation;
  private final SimulatedEngine engine;
  private final RepairManager manager;
  private final Consumer<RepairJob> repaired;
  private final Function<RepairJob, Set<Integer>> damaged;
  private final Map<Long, RunningJob> running = new LinkedHashMap<>();
  private Simulation.@Nullable Event wake;
  private boolean pumpDue;
  private int mostAtOnce;

  /** A running job and its plans that have not begun. */
  private final class RunningJob {
    private final RepairJob job;
    private final List<Plan> left;
    private SimulatedEngine.@Nullable Running current;

    RunningJob(RepairJob job) {
      this.job = job;
      this.left = new ArrayList<>(job.repair().plans());
    }

    void next() {
      if (left.isEmpty()) {
        running.remove(job.number());
        manager.done(job);
        repaired.accept(job);
        pumpSoon();
        return;
      }
      LostStripe stripe = job.repair().stripe();
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
   * A service on a cluster without damaged blocks.
   *
   * @param repaired told of each job that succeeds
   */
  public RepairService(
      Simulation simulation,
      SimulatedEngine engine,
      RepairManager manager,
      Consumer<RepairJob> repaired) {
    this(simulation, engine, manager, repaired, job -> Set.of());
  }

  /**
   * A service on a cluster whose blocks may be damaged.
   *
   * @param repaired told of each job that succeeds
   * @param damaged returns the damaged helpers of a job that starts. Checksums find them at once:
   *     the job fails before it moves bytes, and is planned again without them
   */
  public RepairService(
      Simulation simulation,
      SimulatedEngine engine,
      RepairManager manager,
      Consumer<RepairJob> repaired,
      Function<RepairJob, Set<Integer>> damaged) {
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

  /** Requests a repair. */
  public RepairManager.Submitted submit(LostStripe stripe, RepairPriority demand) {
    RepairManager.Submitted submitted = manager.submit(stripe, demand);
    pumpSoon();
    return submitted;
  }

  /** Withdraws the request for a waiting stripe. */
  public void withdraw(String stripe) {
    manager.withdraw(stripe);
  }

  /** Updates the state of nodes. */
  public void update(ClusterSnapshot servers) {
    manager.update(servers);
    pumpSoon();
  }

  /** Requests of the same time are scheduled together. */
  private void pumpSoon() {
    if (!pumpDue) {
      pumpDue = true;
      simulation.after(0, this::pump);
    }
  }

  private void pump() {
    pumpDue = false;
    for (RepairJob job : manager.overdue(millis())) {
      fail(job, new RepairFailure(job.repair().helpers(), Set.of(), "took too long"));
    }
    for (RepairJob job : manager.start(millis())) {
      RunningJob started = new RunningJob(job);
      running.put(job.number(), started);
      Set<Integer> bad = damaged.apply(job);
      if (bad.isEmpty()) {
        started.next();
      } else {
        fail(job, new RepairFailure(bad, Set.of(), "blocks " + bad + " are damaged"));
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
                // At least a millisecond later, or time would stand still.
                Math.max(next.getAsLong(), millis() + 1) * NANOS_PER_MILLI, this::pumpSoon);
  }

  private void fail(RepairJob job, RepairFailure failure) {
    RunningJob stopped = running.remove(job.number());
    if (stopped != null) {
      stopped.stop();
      manager.failed(job, failure);
    }
  }

  /** Stops all repairs with a failed node; they are planned again without it. */
  public void nodeFailed(int node) {
    for (RunningJob one : List.copyOf(running.values())) {
      ScheduledRepair assignment = one.job.repair();
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
      fail(one.job, new RepairFailure(helpers, targets, "node " + node + " failed"));
    }
    pumpSoon();
  }

  /** The largest number of concurrent repairs so far. */
  public int mostAtOnce() {
    return mostAtOnce;
  }
}
