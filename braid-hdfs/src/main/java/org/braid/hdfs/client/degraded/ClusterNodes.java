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
 * A cluster's DataNodes as its NameNode tells of them: those that are read from anew each second,
 * all of them each minute. Thread-safe.
 */
public final class ClusterNodes {
  private final KnownNodes known;
  private final NameNode nameNode;
  private final ReentrantLock listing = new ReentrantLock();

  /** Tells of the DataNodes that are registered. */
  @FunctionalInterface
  public interface NameNode {
    /**
     * Asks.
     *
     * @param uuids of the nodes that are asked for; none for all
     */
    Answer ask(List<String> uuids) throws IOException;
  }

  /**
   * What a NameNode tells.
   *
   * @param nodes of those that were asked for the registered ones
   * @param callerRack where this client is; empty when that is unknown or nodes were named
   */
  public record Answer(List<Datanode> nodes, Optional<String> callerRack) {}

  /**
   * Nothing is asked yet.
   *
   * @param clock nanoseconds, from any origin
   */
  public ClusterNodes(LongSupplier clock, NameNode nameNode) {
    this.known = new KnownNodes(clock);
    this.nameNode = nameNode;
  }

  /**
   * The cluster, a minute old at most.
   *
   * @param uuids of nodes that are read from, which are told of as they were a second ago at most
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
