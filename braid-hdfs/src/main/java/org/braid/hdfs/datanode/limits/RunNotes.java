package org.braid.hdfs.datanode.limits;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.rpc.OneLine;

/**
 * Reasons why runs failed or were cancelled, for receivers that ask late, with limits for each user
 * and in all. At the limit of a user, the user's oldest note is evicted; at the limit in all, the
 * oldest note of the user with the most. So a user with many notes evicts none of users with few.
 * Long notes lose their middle. Thread-safe.
 */
public final class RunNotes {
  private static final int MOST_DEFAULT = 4096;
  private static final int PER_USER_DEFAULT = 1024;

  private final int most;
  private final int perUser;
  private final Map<String, LinkedHashMap<String, String>> byUser = new HashMap<>();
  private int total;

  /** Starts without notes. */
  public RunNotes() {
    this(MOST_DEFAULT, PER_USER_DEFAULT);
  }

  /**
   * Starts without notes.
   *
   * @param most maximum number in all
   * @param perUser maximum number of one user
   */
  RunNotes(int most, int perUser) {
    this.most = most;
    this.perUser = perUser;
  }

  /** Records a user's note on a run, and replaces the user's earlier note on it. */
  public synchronized void add(String user, String run, String note) {
    LinkedHashMap<String, String> own = byUser.computeIfAbsent(user, name -> new LinkedHashMap<>());
    if (own.remove(run) == null) {
      total++;
    }
    own.put(run, OneLine.brief(note));
    if (own.size() > perUser) {
      forgetOldest(user);
    } else if (total > most) {
      forgetOldest(greediest(user));
    }
  }

  private String greediest(String user) {
    String greediest = user;
    int size = 0;
    for (Map.Entry<String, LinkedHashMap<String, String>> entry : byUser.entrySet()) {
      if (entry.getValue().size() > size) {
        greediest = entry.getKey();
        size = entry.getValue().size();
      }
    }
    return greediest;
  }

  private void forgetOldest(String user) {
    LinkedHashMap<String, String> own = byUser.getOrDefault(user, new LinkedHashMap<>());
    own.keySet().stream().findFirst().ifPresent(run -> remove(user, run));
  }

  private void remove(String user, String run) {
    LinkedHashMap<String, String> own = byUser.getOrDefault(user, new LinkedHashMap<>());
    if (own.remove(run) != null) {
      total--;
    }
    if (own.isEmpty()) {
      byUser.remove(user);
    }
  }

  /** The note of any user on a run. */
  public synchronized Optional<String> of(String run) {
    for (Map<String, String> own : byUser.values()) {
      String note = own.get(run);
      if (note != null) {
        return Optional.of(note);
      }
    }
    return Optional.empty();
  }

  /** Forgets a user's note on a run. */
  public synchronized void forget(String user, String run) {
    remove(user, run);
  }

  /** Number of notes. */
  synchronized int count() {
    return total;
  }
}
