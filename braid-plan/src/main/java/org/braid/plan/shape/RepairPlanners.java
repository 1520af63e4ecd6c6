package org.braid.plan.shape;

import java.util.List;
import java.util.stream.Stream;
import org.braid.code.Registry;

/** The repair planners by name. */
public final class RepairPlanners {
  private static final List<RepairPlanner> SHAPES =
      List.of(
          new StarPlanner(), new BinomialTreePlanner(), new ChainPlanner(), new RackTreePlanner());

  private static final Registry<RepairPlanner> ALL =
      new Registry<>(
          "repair planner",
          Stream.concat(SHAPES.stream(), Stream.of(new AutoPlanner(SHAPES))).toList(),
          RepairPlanner::name);

  private RepairPlanners() {}

  /** The planners with a shape of their own, the conventional one first. */
  public static List<RepairPlanner> shapes() {
    return SHAPES;
  }

  /** All planners: the shapes, then {@code auto}, which chooses among them. */
  public static List<RepairPlanner> all() {
    return ALL.all();
  }

  /**
   * The planner of a name.
   *
   * @throws IllegalArgumentException when there is none; lists the known names
   */
  public static RepairPlanner named(String name) {
    return ALL.named(name);
  }
}
