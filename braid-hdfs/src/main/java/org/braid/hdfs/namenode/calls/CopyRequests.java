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
 * Copies of blocks that pending removals asked for. A block keeps its copies until the last of the
 * removals that asked for them has ended. Thread-safe.
 */
final class CopyRequests {
  private static final Logger LOG = LoggerFactory.getLogger(CopyRequests.class);

  /** Takes copies back. */
  @FunctionalInterface
  interface TakenBack {
    /** Does so for the blocks of these ids; returns those for which it is to be done later. */
    Collection<Long> of(Collection<Long> blocks) throws IOException;
  }

  private final Copies more;
  private final TakenBack fewer;
  private final Executor later;
  private final BlockCounts asking = new BlockCounts();

  /** Blocks for which nobody asks and that keep their copies for now; guarded by the counts. */
  private final Set<Long> left = new LinkedHashSet<>();

  /**
   * Nothing is asked for yet.
   *
   * @param more asks for copies
   * @param fewer takes them back
   * @param later does something in a moment
   */
  CopyRequests(Copies more, TakenBack fewer, Executor later) {
    this.more = more;
    this.fewer = fewer;
    this.later = later;
  }

  /**
   * Asks for copies for a removal, also where it asked before: others may have gone meanwhile.
   *
   * @param before blocks that it asked for already
   * @return all blocks that it has asked for now, to be given back
   * @throws IOException when they cannot be asked for; those of before are still to be given back
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
   * A removal has ended: takes back the copies of its blocks for which no other one asks. One that
   * asked for none, as most do, does not wait for those that ask for thousands.
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
