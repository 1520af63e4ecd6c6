package org.braid.sim.workload;

import java.util.List;
import org.braid.experiment.Workloads;

/** The registry of the simulator's workloads. */
public final class SimWorkloads {
  private SimWorkloads() {}

  /** All workloads, in the order of listings; each call creates new ones. */
  public static Workloads all() {
    return new Workloads(
        "sim",
        List.of(
            new EncodeWorkload(),
            new SpreadWorkload(),
            new ViolationWorkload(),
            new StorageWorkload(),
            new RepairWorkload(),
            new RecoverWorkload(),
            new OutageWorkload(),
            new PlanningWorkload(),
            new JobWorkload(),
            new ReadersWorkload()));
  }
}
