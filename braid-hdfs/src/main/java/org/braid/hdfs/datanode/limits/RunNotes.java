package org.braid.hdfs.datanode.limits;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.rpc.OneLine;

/**
 * What is remembered of runs that ended badly, for those who ask late. Notes are limited for each
 * user and in all: where there are too many, the oldest one of the user who has most is forgotten,
 * so that whoever makes many pushes out none of others who make few. Of a long note the middle is
 * forgotten. Thread-safe.
 */
public final class RunNotes {
  private static final int MOST_DEFAULT = 4096;
  private static final int PER_USER_DEFAULT = 1024;

  private final int most;
  private final int perUser;
  private final Map<String, LinkedHashMap<String, String>> byUser = new HashMap<>();
  private int total;

  /** No notes. */
  public RunNotes() {
    this(MOST_DEFAULT, PER_USER_DEFAULT);
  }

  /**
   * No notes.
   *
   * @param most in all
   * @param perUser of one user
   */
  RunNotes(int most, int perUser) {
    this.most = most;
    this.perUser = perUser;
  }

  /** Remembers something of a run, in place of what the same user had noted of it. */
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

  /** What somebody noted of a run. */
  public synchronized Optional<String> of(String run) {
    for (Map<String, String> own : byUser.values()) {
      String note = own.get(run);
      if (note != null) {
        return Optional.of(note);
      }
    }
    return Optional.empty();
  }

  /** Forgets what a user noted of a run. */
  public synchronized void forget(String user, String run) {
    remove(user, run);
  }

  /** How many there are. */
  synchronized int count() {
    return total;
  }
}
