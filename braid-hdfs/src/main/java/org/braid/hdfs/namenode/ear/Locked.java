package org.braid.hdfs.namenode.ear;

import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;

/**
 * States by key, each with a lock of its own: work on one delays nobody who works on another. The
 * states that were used last are kept. Thread-safe.
 *
 * @param <K> the keys
 * @param <S> the states
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
   * No states.
   *
   * @param capacity states that are kept at most
   * @param fresh makes a state in moments
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

  /** Forgets all states; work on one goes on. */
  void clear() {
    synchronized (states) {
      states.clear();
    }
  }
}
