package org.braid.hdfs.coordinator.repair;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Members;

/**
 * The destinations of repair attempts, by block, until the blocks are verified and have their
 * homes: an attempt that fails may have stored its blocks all the same. Thread-safe.
 */
final class RebuiltBlocks {
  /** UUIDs of nodes, by stripe and position. */
  private final Map<String, Map<Integer, Set<String>>> begun = new HashMap<>();

  /** Notes the destinations of an attempt that begins. */
  synchronized void begin(RepairAttempt attempt) {
    Map<Integer, Set<String>> places =
        begun.computeIfAbsent(attempt.stripe().id(), id -> new TreeMap<>());
    attempt
        .rootOf()
        .forEach(
            (position, node) ->
                places
                    .computeIfAbsent(position, p -> new HashSet<>())
                    .add(attempt.state().node(node).uuid()));
  }

  /** The blocks of a stripe that are at a destination of an attempt: by position, the node. */
  synchronized Map<Integer, Integer> of(String stripe, Members members, ClusterState state) {
    Map<Integer, Integer> found = new TreeMap<>();
    begun
        .getOrDefault(stripe, Map.of())
        .forEach(
            (position, uuids) -> {
              int node = members.nodeOf()[position];
              if (node >= 0
                  && !members.misplaced().containsKey(position)
                  && uuids.contains(state.node(node).uuid())) {
                found.put(position, node);
              }
            });
    return found;
  }

  /** The positions of a stripe's blocks with destinations of attempts. */
  synchronized List<Integer> begun(String stripe) {
    return List.copyOf(begun.getOrDefault(stripe, Map.of()).keySet());
  }

  /** Forgets the destinations of blocks that have their homes. */
  synchronized void forget(String stripe, Collection<Integer> positions) {
    Map<Integer, Set<String>> places = begun.getOrDefault(stripe, new TreeMap<>());
    places.keySet().removeAll(positions);
    if (places.isEmpty()) {
      begun.remove(stripe);
    }
  }
}
