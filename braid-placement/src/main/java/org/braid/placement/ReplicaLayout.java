package org.braid.placement;

import java.util.Arrays;
import java.util.List;

/** How the replicas of one block are spread over racks (EAR sections 2.1 and 5.2). */
public enum ReplicaLayout {
  /**
   * HDFS's default rules: the second and third replica share a rack other than the first's, further
   * ones are anywhere with a bound a rack. Where racks are small the choice widens.
   */
  HDFS("hdfs"),

  /** One replica in one rack and all others in one other rack; refused where that is impossible. */
  TWO_RACKS("two-racks"),

  /** Every replica in a rack of its own; refused where that is impossible. */
  ALL_DIFFERENT("all-different");

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
    List<String> known = Arrays.stream(values()).map(ReplicaLayout::label).toList();
    int index = known.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "unknown replica layout \"" + name + "\"; known: " + String.join(", ", known));
    }
    return values()[index];
  }
}
