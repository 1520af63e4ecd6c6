package org.braid.hdfs.coordinator;

import java.util.List;
import java.util.Map;
import org.braid.code.Equation;

/**
 * How a stripe is to be repaired, as it was scheduled.
 *
 * @param equations of the lost blocks; none when blocks are only moved
 * @param destinations by position that needs a place, the UUID of the node it goes to
 */
record Preference(List<Equation> equations, Map<Integer, String> destinations) {
  Preference {
    equations = List.copyOf(equations);
    destinations = Map.copyOf(destinations);
  }
}
