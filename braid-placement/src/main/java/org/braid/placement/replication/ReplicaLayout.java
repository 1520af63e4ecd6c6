package org.braid.placement.replication;

import java.util.List;
import org.braid.code.Registry;

/** How the replicas of one block are spread over racks (EAR sections 2.1 and 5.2). */
public enum ReplicaLayout {
  /**
   * HDFS's default rules: the second and third replica share a rack other than the first's, further
   * ones are anywhere, with a bound for each rack. The choice widens when racks are small.
   */
  HDFS("hdfs"),

  /** One replica in one rack and all others in one other rack; refused where that is impossible. */
  TWO_RACKS("two-racks"),

  /** Every replica in a rack of its own; refused where that is impossible. */
  ALL_DIFFERENT("all-different");

  private static final Registry<ReplicaLayout> ALL =
      new Registry<>("replica layout", List.of(values()), ReplicaLayout::label);

  private final String label;

  ReplicaLayout(String label) {
    this.label = label;
  }

  /** The name on command lines. */
  public String label() {
    return label;
  }

  /**
   * The layout of a name.
   *
   * @throws IllegalArgumentException when there is none; lists the known names
   */
  public static ReplicaLayout named(String name) {
    return ALL.named(name);
  }
}
