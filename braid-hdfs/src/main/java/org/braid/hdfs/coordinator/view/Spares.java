package org.braid.hdfs.coordinator.view;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.hdfs.coordinator.session.Members;

/** Blocks that stripes can still lose, whichever they are; remembers what it has computed. */
final class Spares {
  private static final int MOST_PATTERNS = 100_000;

  private final Map<String, Integer> known = new HashMap<>();

  /** The number for a stripe; below 0 when blocks are beyond repair already. */
  int of(ErasureCode code, Members members) {
    List<Integer> missing = new ArrayList<>(members.lost());
    missing.addAll(members.gone());
    if (known.size() == MOST_PATTERNS) {
      known.clear();
    }
    return known.computeIfAbsent(
        code.name() + missing, key -> Tolerance.spare(code, missing, Tolerance.counted(code)));
  }
}
