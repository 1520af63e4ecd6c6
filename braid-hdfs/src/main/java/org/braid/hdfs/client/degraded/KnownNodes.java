package org.braid.hdfs.client.degraded;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.braid.hdfs.stripe.Datanode;
import org.jspecify.annotations.Nullable;

/**
 * A client's cache of a cluster's DataNodes: all nodes for a minute, for the topology, and the
 * nodes to read from for a second. Thread-safe.
 */
final class KnownNodes {
  /**
   * Maximum number of nodes in a call; the NameNode answers such a call at once, while calls for
   * more nodes wait for their turn.
   */
  static final int AT_ONCE = 16;

  /** If more nodes than these are due, the client requests all nodes, which costs no more. */
  static final int MOST_NAMED = 10 * AT_ONCE;

  private static final long ALL_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long NAMED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier clock;
  private volatile @Nullable Listed listed;

  /** An answer to the question for all nodes, and what was told of some of them since. */
  private static final class Listed {
    private final long since;
    private final Map<String, Datanode> byUuid = new ConcurrentHashMap<>();

    /** By UUID, when a node was told of last after all were. */
    private final Map<String, Long> told = new ConcurrentHashMap<>();

    private final StripeLookup.Cluster cluster;

    /** Whether there are nodes that the answer did not have. */
    private volatile boolean outgrown;

    Listed(long since, Collection<Datanode> nodes, Optional<String> callerRack) {
      this.since = since;
      nodes.forEach(node -> byUuid.put(node.uuid(), node));
      cluster = new StripeLookup.Cluster(Collections.unmodifiableMap(byUuid), callerRack);
    }
  }

  /**
   * Nothing is known yet.
   *
   * @param clock nanoseconds, from any origin
   */
  KnownNodes(LongSupplier clock) {
    this.clock = clock;
  }

  /** The known nodes; later answers update the map, and an answer with all nodes replaces it. */
  StripeLookup.Cluster cluster() {
    Listed now = listed;
    return now == null ? new StripeLookup.Cluster(Map.of(), Optional.empty()) : now.cluster;
  }

  /**
   * The calls to make to the NameNode.
   *
   * @param wanted UUIDs of the nodes to read from
   * @return the UUIDs of each call, at most {@link #AT_ONCE}; an empty list requests all nodes
   */
  List<List<String>> questions(Collection<String> wanted) {
    Listed now = listed;
    long time = clock.getAsLong();
    if (now == null
        || time - now.since > ALL_NANOS
        || (now.outgrown && time - now.since > NAMED_NANOS)) {
      return List.of(List.of());
    }
    Set<String> due = new LinkedHashSet<>();
    for (String uuid : wanted) {
      if (!uuid.isEmpty() && time - now.told.getOrDefault(uuid, now.since) > NAMED_NANOS) {
        due.add(uuid);
      }
    }
    if (due.size() > MOST_NAMED) {
      return List.of(List.of());
    }
    List<String> all = new ArrayList<>(due);
    List<List<String>> questions = new ArrayList<>();
    for (int from = 0; from < all.size(); from += AT_ONCE) {
      questions.add(all.subList(from, Math.min(all.size(), from + AT_ONCE)));
    }
    return questions;
  }

  /**
   * Takes an answer. A NameNode of an earlier version returns all nodes, even if some are named.
   *
   * @param named the UUIDs that the call named; empty for all
   * @param nodes the nodes of the answer
   * @param callerRack this client's rack; empty when it is unknown or nodes were named
   */
  void take(List<String> named, Collection<Datanode> nodes, Optional<String> callerRack) {
    Listed before = listed;
    Set<String> asked = new HashSet<>(named);
    if (before == null
        || named.isEmpty()
        || nodes.stream().anyMatch(node -> !asked.contains(node.uuid()))) {
      listed = new Listed(clock.getAsLong(), nodes, callerRack);
      return;
    }
    for (Datanode node : nodes) {
      if (before.byUuid.put(node.uuid(), node) == null) {
        before.outgrown = true;
      }
      asked.remove(node.uuid());
    }
    asked.forEach(before.byUuid::remove); // they are not registered any more
    named.forEach(uuid -> before.told.put(uuid, clock.getAsLong()));
  }
}
