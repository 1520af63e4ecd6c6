package org.braid.hdfs.policy;

import java.util.List;
import java.util.OptionalInt;
import org.braid.code.Codes;
import org.braid.code.derive.ParityCopies;

/**
 * How a policy converts files.
 *
 * @param code the code's name
 * @param placement {@code racks}, {@code even} or {@code code-aware}
 * @param group {@code auto}, {@code order} or {@code retroactive}
 * @param perRack most blocks of a stripe a rack; empty: the smallest possible
 * @param targetRacks most racks of a stripe; empty: all
 * @param parityCopies how often each parity is stored
 */
public record Conversion(
    String code,
    String placement,
    String group,
    OptionalInt perRack,
    OptionalInt targetRacks,
    int parityCopies) {
  /** The placement that knows racks only. */
  public static final String RACKS = "racks";

  private static final List<String> PLACEMENTS = List.of(RACKS, "even", "code-aware");
  private static final List<String> GROUPS = List.of("auto", "order", "retroactive");
  private static final int MOST_COPIES = 3;

  public Conversion {
    Codes.named(code);
    known("placement", placement, PLACEMENTS);
    known("group", group, GROUPS);
    if (!placement.equals(RACKS) && targetRacks.isPresent()) {
      throw new IllegalArgumentException(
          "placement %s chooses racks itself: leave out target-racks".formatted(placement));
    }
    if (parityCopies < 1 || parityCopies > MOST_COPIES) {
      throw new IllegalArgumentException(
          "parity-copies %d, needed are 1 to %d".formatted(parityCopies, MOST_COPIES));
    }
  }

  /** The name of the code of its stripes, copies of parity included. */
  public String stripeCode() {
    return ParityCopies.name(code, parityCopies);
  }

  private static void known(String what, String value, List<String> values) {
    if (!values.contains(value)) {
      throw new IllegalArgumentException(
          "%s \"%s\" is not known: %s".formatted(what, value, String.join(", ", values)));
    }
  }
}
