package org.braid.lab.work;

import java.util.List;
import org.braid.experiment.Workloads;

/** What the lab can measure. */
public final class LabWorkloads {
  /** All of it. */
  public static final Workloads ALL =
      new Workloads(
          "lab",
          List.of(
              new ConversionWorkload(),
              new RepairWorkload(),
              new DegradedReadWorkload(),
              new RecoveryWorkload(),
              new ClientsWorkload()));

  private LabWorkloads() {}
}
