package org.braid.hdfs.datanode.limits;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Connections that have no stream yet, with limits for each address and in all. At the limit of an
 * address, its oldest connection is evicted; at the limit in all, the oldest connection of the
 * address with the most. So silent connections only harm their own address. Thread-safe.
 *
 * @param <C> connections
 */
public final class PendingConnections<C> {
  private final int most;
  private final int perAddress;
  private final Map<String, Deque<C>> byAddress = new LinkedHashMap<>();
  private int total;

  /**
   * Starts without connections.
   *
   * @param most maximum number in all
   * @param perAddress maximum number from one address
   */
  public PendingConnections(int most, int perAddress) {
    this.most = most;
    this.perAddress = perAddress;
  }

  /** Adds a connection; returns an evicted connection to close, if any. */
  public synchronized Optional<C> add(String address, C connection) {
    Deque<C> own = byAddress.computeIfAbsent(address, name -> new ArrayDeque<>());
    own.add(connection);
    total++;
    if (own.size() > perAddress) {
      return Optional.of(drop(address));
    }
    if (total <= most) {
      return Optional.empty();
    }
    String greediest = address;
    for (Map.Entry<String, Deque<C>> entry : byAddress.entrySet()) {
      if (entry.getValue().size() > size(greediest)) {
        greediest = entry.getKey();
      }
    }
    return Optional.of(drop(greediest));
  }

  private int size(String address) {
    Deque<C> own = byAddress.get(address);
    return own == null ? 0 : own.size();
  }

  private C drop(String address) {
    Deque<C> own = byAddress.getOrDefault(address, new ArrayDeque<>());
    C oldest = own.remove();
    forget(address, own);
    return oldest;
  }

  private void forget(String address, Deque<C> own) {
    total--;
    if (own.isEmpty()) {
      byAddress.remove(address);
    }
  }

  /** Removes a connection that has its stream or is closed. */
  public synchronized void remove(String address, C connection) {
    Deque<C> own = byAddress.get(address);
    if (own != null && own.remove(connection)) {
      forget(address, own);
    }
  }

  /** All pending connections. */
  public synchronized List<C> all() {
    List<C> all = new ArrayList<>();
    byAddress.values().forEach(all::addAll);
    return all;
  }
}
