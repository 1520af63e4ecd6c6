package org.braid.code;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * What takes long to make and is asked for again and again, such as the code that every stripe
 * names: what was used last is kept. Thread-safe.
 *
 * @param <K> what is asked for
 * @param <T> what is made
 */
public final class LastUsed<K, T> {
  private final Map<K, T> made;

  /**
   * Keeps some.
   *
   * @param kept how many, at least one
   */
  public LastUsed(int kept) {
    if (kept < 1) {
      throw new IllegalArgumentException(kept + " are kept, needed is at least 1");
    }
    this.made =
        new LinkedHashMap<>(kept, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, T> eldest) {
            return size() > kept;
          }
        };
  }

  /**
   * What a key stands for, made if it is not there. Nobody waits for another who makes something;
   * of two who make the same at once, one result stays.
   *
   * @param maker makes it; what it throws is passed on, and nothing kept
   */
  public T get(K key, Function<? super K, ? extends T> maker) {
    synchronized (made) {
      T known = made.get(key);
      if (known != null) {
        return known;
      }
    }
    T fresh = maker.apply(key);
    synchronized (made) {
      T other = made.putIfAbsent(key, fresh);
      return other == null ? fresh : other;
    }
  }
}
