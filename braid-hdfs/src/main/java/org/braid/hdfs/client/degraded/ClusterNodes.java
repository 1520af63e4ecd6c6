package org.braid.hdfs.client.degraded;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.stripe.Datanode;

/**
 * A cluster's DataNodes from its NameNode. A reader's request refreshes the nodes to read from
 * after a second, and all nodes after a minute. Thread-safe.
 */
public final class ClusterNodes {
  private final KnownNodes known;
  private final NameNode nameNode;
  private final ReentrantLock listing = new ReentrantLock();

  /** Returns the registered DataNodes. */
  @FunctionalInterface
  public interface NameNode {
    /**
     * Asks the NameNode.
     *
     * @param uuids UUIDs of the requested nodes; empty for all nodes
     */
    Answer ask(List<String> uuids) throws IOException;
  }

  /**
   * A NameNode's answer.
   *
   * @param nodes the registered nodes among the requested ones
   * @param callerRack this client's rack; empty when it is unknown or nodes were named
   */
  public record Answer(List<Datanode> nodes, Optional<String> callerRack) {}

  /**
   * Starts without answers.
   *
   * @param clock nanoseconds, from any origin
   */
  public ClusterNodes(LongSupplier clock, NameNode nameNode) {
    this.known = new KnownNodes(clock);
    this.nameNode = nameNode;
  }

  /**
   * The cluster, at most a minute old.
   *
   * @param uuids nodes to read from, whose state is at most a second old
   */
  public StripeLookup.Cluster with(Collection<String> uuids) throws IOException {
    if (asksForAll(uuids)) {
      list(uuids);
    }
    for (List<String> named : known.questions(uuids)) {
      // An earlier answer may have told of these nodes, too.
      if (!named.isEmpty() && !known.questions(named).isEmpty()) {
        ask(named);
      }
    }
    return known.cluster();
  }

  private boolean asksForAll(Collection<String> uuids) {
    return known.questions(uuids).contains(List.<String>of());
  }

  /** Asks for all nodes: once, however many readers need to know. */
  private void list(Collection<String> uuids) throws IOException {
    try {
      listing.lockInterruptibly();
    } catch (InterruptedException e) {
      throw Workers.interrupted();
    }
    try {
      if (asksForAll(uuids)) {
        ask(List.of());
      }
    } finally {
      listing.unlock();
    }
  }

  private void ask(List<String> named) throws IOException {
    Answer answer = nameNode.ask(named);
    known.take(named, answer.nodes, answer.callerRack);
  }
}
