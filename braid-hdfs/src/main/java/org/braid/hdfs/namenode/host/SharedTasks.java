package org.braid.hdfs.namenode.host;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs tasks for users: each key at most once at a time, with limits on all tasks and on those of
 * each user. A task that must be retried keeps its place, but no thread, until its next attempt.
 * Thread-safe.
 */
public final class SharedTasks<K> {
  /** A scheduled executor. */
  public interface Later {
    /** Runs work after a delay; returns false after shutdown. */
    boolean run(Runnable work, long millis);
  }

  /** The work of a task. */
  public interface Task<K> {
    /**
     * Makes an attempt and returns what follows it.
     *
     * @param attempt from 1
     */
    Next run(K key, int attempt);
  }

  /**
   * What follows an attempt.
   *
   * @param again whether to try again
   * @param millis delay before the next attempt; after the last attempt, the time in which the same
   *     key cannot begin again
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

  /** Begins a task, unless its key is already known or the user has no free place. */
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
