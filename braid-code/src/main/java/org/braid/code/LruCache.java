package org.braid.code;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A cache of values that are expensive to compute, such as the code that every stripe names. It
 * keeps the values that were used last. Thread-safe.
 *
 * @param <K> the keys
 * @param <T> the values
 */
public final class LruCache<K, T> {
  private final Map<K, T> values;

  /**
   * An empty cache.
   *
   * @param capacity the most values it keeps, at least 1
   */
  public LruCache(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("a capacity of " + capacity + ", needs at least 1");
    }
    this.values =
        new LinkedHashMap<>(capacity, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, T> eldest) {
            return size() > capacity;
          }
        };
  }

  /**
   * The value of a key, computed if it is not cached. No lock is held meanwhile: two threads may
   * compute the same value at once, and all callers get the one that is cached first.
   *
   * @param loader computes the value; its exceptions reach the caller, and nothing is cached
   */
  public T get(K key, Function<? super K, ? extends T> loader) {
    synchronized (values) {
      T known = values.get(key);
      if (known != null) {
        return known;
      }
    }
    T fresh = loader.apply(key);
    synchronized (values) {
      T other = values.putIfAbsent(key, fresh);
      return other == null ? fresh : other;
    }
  }
}
