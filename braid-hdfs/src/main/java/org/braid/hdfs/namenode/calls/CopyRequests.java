package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.braid.hdfs.namenode.calls.SafeRemovals.Copies;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extra replicas of blocks that pending removals asked for. A block keeps them until the last of
 * these removals has ended. Thread-safe.
 */
final class CopyRequests {
  private static final Logger LOG = LoggerFactory.getLogger(CopyRequests.class);

  /** Drops the extra replicas. */
  @FunctionalInterface
  interface TakenBack {
    /** Drops the extra replicas of blocks; returns the blocks that must be retried later. */
    Collection<Long> of(Collection<Long> blocks) throws IOException;
  }

  private final Copies more;
  private final TakenBack fewer;
  private final Executor later;
  private final BlockCounts asking = new BlockCounts();

  /** Blocks for which nobody asks and that keep their copies for now; guarded by the counts. */
  private final Set<Long> left = new LinkedHashSet<>();

  /**
   * Starts without requests.
   *
   * @param more creates extra replicas
   * @param fewer drops extra replicas
   * @param later runs a task after a short delay
   */
  CopyRequests(Copies more, TakenBack fewer, Executor later) {
    this.more = more;
    this.fewer = fewer;
    this.later = later;
  }

  /**
   * Requests extra replicas for a removal, again for blocks that it requested before, because their
   * replicas may be lost meanwhile.
   *
   * @param before blocks that the removal has requested already
   * @return all blocks that the removal has requested now, to give back at its end
   * @throws IOException when the request fails; the removal still gives back {@code before}
   */
  Set<Long> ask(Collection<Long> blocks, Set<Long> before) throws IOException {
    if (blocks.isEmpty()) {
      return before;
    }
    List<Long> added = blocks.stream().filter(id -> !before.contains(id)).distinct().toList();
    boolean done = false;
    // Held over both steps: nobody takes back what somebody has just asked for.
    synchronized (asking) {
      asking.add(added);
      try {
        more.of(blocks);
        done = true;
      } finally {
        if (!done) {
          giveBack(added);
        }
      }
    }
    Set<Long> all = new LinkedHashSet<>(before);
    all.addAll(added);
    return all;
  }

  /**
   * Ends a removal's requests: drops the extra replicas of blocks that no other removal requests. A
   * removal without requests, like most, returns without waiting for the lock.
   */
  void giveBack(Collection<Long> blocks) {
    if (blocks.isEmpty()) {
      return;
    }
    synchronized (asking) {
      takeBack(asking.remove(blocks));
    }
  }

  private void takeBack(Set<Long> unneeded) {
    if (unneeded.isEmpty()) {
      return;
    }
    Turn.take(
        () -> {
          boolean awaited = !left.isEmpty();
          left.addAll(fewer.of(unneeded));
          if (!awaited && !left.isEmpty()) {
            later.execute(this::takeLeftBack);
          }
        },
        e -> LOG.warn("blocks {} keep their copies: {}", unneeded, e.getMessage()));
  }

  private void takeLeftBack() {
    synchronized (asking) {
      Set<Long> unneeded = new LinkedHashSet<>(left);
      left.clear();
      unneeded.removeIf(asking::contains); // whoever asks for them gives them back
      takeBack(unneeded);
    }
  }
}
