package org.braid.hdfs.namenode.ear;

import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;

/**
 * States by key, each with its own lock, so that work on one state does not delay work on another.
 * Keeps the most recently used states. Thread-safe.
 *
 * @param <K> keys
 * @param <S> states
 */
final class Locked<K, S> {
  private final Map<K, S> states;
  private final Supplier<S> fresh;

  /** Work on a state. */
  @FunctionalInterface
  interface Work<S, R> {
    R on(S state) throws IOException;
  }

  /**
   * Starts without states.
   *
   * @param capacity maximum number of states
   * @param fresh creates a state quickly
   */
  Locked(int capacity, Supplier<S> fresh) {
    this.states = EarPlacement.lru(capacity);
    this.fresh = fresh;
  }

  /** Works on the state of a key under that state's lock. */
  <R> R with(K key, Work<S, R> work) throws IOException {
    S state;
    synchronized (states) {
      state = states.computeIfAbsent(key, unused -> fresh.get());
    }
    synchronized (state) {
      return work.on(state);
    }
  }

  /** Forgets all states; running work on them continues. */
  void clear() {
    synchronized (states) {
      states.clear();
    }
  }
}
