package org.braid.plan;

import java.util.List;

/** The repair planners by name. */
public final class RepairPlanners {
  private static final List<RepairPlanner> ALL =
      List.of(new StarPlanner(), new PprPlanner(), new ChainPlanner());

  private RepairPlanners() {}

  /** All planners, the conventional one first. */
  public static List<RepairPlanner> all() {
    return ALL;
  }

  /**
   * The planner of a name.
   *
   * @throws IllegalArgumentException when there is none; lists the known names
   */
  public static RepairPlanner named(String name) {
    for (RepairPlanner planner : ALL) {
      if (planner.name().equals(name)) {
        return planner;
      }
    }
    throw new IllegalArgumentException(
        "unknown repair planner \""
            + name
            + "\"; known: "
            + String.join(", ", ALL.stream().map(RepairPlanner::name).toList()));
  }
}
