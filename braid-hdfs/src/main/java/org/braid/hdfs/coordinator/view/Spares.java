package org.braid.hdfs.coordinator.view;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.hdfs.coordinator.session.Members;

/** Computes how many further blocks, whichever they are, a stripe can lose; caches results. */
final class Spares {
  private static final int MOST_PATTERNS = 100_000;

  private final Map<String, Integer> known = new HashMap<>();

  /** The number for a stripe; negative when blocks are already beyond repair. */
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
