package org.braid.sim.advise;

import java.util.ArrayList;
import java.util.List;

/**
 * The codes that are measured by default: some of each family, with parameters used on clusters or
 * in papers.
 */
public final class CandidateCodes {
  /** A family's prefix and the parameters of its candidates. */
  private record Family(String prefix, String... parameters) {}

  private static final List<Family> FAMILIES =
      List.of(
          new Family("rep", "2", "3", "4"),
          new Family("xor", "2-1", "4-1", "9-1"),
          new Family(
              "rs", "3-2", "4-2", "6-2", "6-3", "8-2", "8-3", "8-4", "10-3", "10-4", "12-3", "12-4",
              "14-4", "16-4", "17-3", "20-4", "24-6"),
          new Family(
              "lrc", "6-2-2", "8-2-2", "8-2-3", "10-2-2", "10-2-3", "10-2-4", "12-2-2", "12-3-2",
              "12-3-3", "12-2-4", "16-2-3", "16-4-3", "20-4-4", "24-3-4"),
          new Family("xorbas", "10-6-5", "12-6-6", "20-6-10"),
          new Family("mxor", "6-5", "8-6", "10-7"),
          new Family("flr", "n9-g2-l2", "n14-g4-l2", "n16-g3-l2"),
          new Family("hlr", "n8-r4-g2-l1", "n14-r8-g4-l1"),
          new Family("stair", "n8-r4-m2-e1.1.2-l0", "n6-r4-m1-e1.2-l0"),
          new Family(
              "rstair", "n5-r4-m1-e2-l1", "n6-r5-m1-e2.4-l1", "n8-r4-m2-e2-l1", "n14-r4-m2-e2-l1"),
          new Family("rotated-rs", "6-3-4", "8-3-4", "12-4-4"),
          new Family("hitchhiker-xor", "6-3", "10-4", "12-4"),
          new Family("clay", "4-2-5", "6-3-8", "8-4-11"));

  private CandidateCodes() {}

  /** The names of the codes, family by family. */
  public static List<String> names() {
    List<String> names = new ArrayList<>();
    for (Family family : FAMILIES) {
      for (String parameters : family.parameters()) {
        names.add(family.prefix() + "-" + parameters);
      }
    }
    return List.copyOf(names);
  }
}
