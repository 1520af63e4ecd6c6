package org.braid.hdfs.namenode.host;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tasks in the names of users: each once at a time, so many in all and so many of each user. A task
 * that could not do its work is run again later; until then it keeps its place, but holds no
 * thread. Thread-safe.
 */
public final class SharedTasks<K> {
  /** Threads that run what they are given. */
  public interface Later {
    /** Has something run after a time; false when nothing is run any more. */
    boolean run(Runnable work, long millis);
  }

  /** Does the work. */
  public interface Task<K> {
    /**
     * Does it, or says when to try again.
     *
     * @param attempt from 1
     */
    Next run(K key, int attempt);
  }

  /**
   * What follows an attempt.
   *
   * @param again whether there is another one
   * @param millis until then, or else for so long the same task is not begun anew
   */
  public record Next(boolean again, long millis) {}

  private final Set<K> noted = ConcurrentHashMap.newKeySet();
  private final Shares places;
  private final Later later;
  private final Task<K> task;

  /** No tasks yet. */
  public SharedTasks(Shares places, Later later, Task<K> task) {
    this.places = places;
    this.later = later;
    this.task = task;
  }

  /** Begins a task, unless it is begun already or there is no place for the user. */
  public void begin(K key, String user) {
    if (!places.take(user)) {
      return;
    }
    boolean begun = false;
    if (noted.add(key)) {
      begun = later.run(() -> run(key, user, 1), 0);
      if (!begun) {
        noted.remove(key);
      }
    }
    if (!begun) {
      places.giveBack(user);
    }
  }

  private void run(K key, String user, int attempt) {
    boolean again = false;
    long rest = 0;
    try {
      Next next = task.run(key, attempt);
      if (next.again()) {
        again = later.run(() -> run(key, user, attempt + 1), next.millis());
      } else {
        rest = next.millis();
      }
    } finally {
      if (!again) {
        places.giveBack(user);
        forgetAfter(rest, key);
      }
    }
  }

  private void forgetAfter(long millis, K key) {
    if (millis == 0 || !later.run(() -> noted.remove(key), millis)) {
      noted.remove(key);
    }
  }
}
