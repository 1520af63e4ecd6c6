package org.braid.hdfs.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** What is behind failures. */
public final class Causes {
  private Causes() {}

  /**
   * A failure and its causes, down to the root.
   *
   * @return at least the failure; each once, also where the causes go round
   */
  public static List<Throwable> of(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Throwable> chain = new ArrayList<>();
    for (Throwable e = failure; e != null && seen.add(e); e = e.getCause()) {
      chain.add(e);
    }
    return chain;
  }

  /** The last of them. */
  public static Throwable root(Throwable failure) {
    List<Throwable> chain = of(failure);
    return chain.get(chain.size() - 1);
  }
}
