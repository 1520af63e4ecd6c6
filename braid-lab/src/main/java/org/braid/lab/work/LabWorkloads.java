package org.braid.lab.work;

import java.util.List;
import org.braid.experiment.Workloads;

/** The workloads of the lab. */
public final class LabWorkloads {
  /** All workloads. */
  public static final Workloads ALL =
      new Workloads(
          "lab",
          List.of(
              new ConversionWorkload(),
              new RepairWorkload(),
              new DegradedReadWorkload(),
              new RecoveryWorkload(),
              new ClientsWorkload(),
              new AgeingWorkload(),
              new JobWorkload(),
              new JobMixWorkload()));

  private LabWorkloads() {}
}
