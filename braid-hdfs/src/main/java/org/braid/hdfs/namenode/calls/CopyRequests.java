package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.braid.hdfs.namenode.calls.SafeRemovals.Copies;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of blocks that pending removals asked for. A block keeps its copies until the last of the
 * removals that asked for them has ended. Thread-safe.
 */
final class CopyRequests {
  private static final Logger LOG = LoggerFactory.getLogger(CopyRequests.class);

  private final Copies more;
  private final Copies fewer;
  private final BlockCounts asking = new BlockCounts();

  /**
   * Nothing is asked for yet.
   *
   * @param more asks for copies
   * @param fewer takes them back
   */
  CopyRequests(Copies more, Copies fewer) {
    this.more = more;
    this.fewer = fewer;
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

  /** A removal has ended: takes back the copies of its blocks for which no other one asks. */
  void giveBack(Collection<Long> blocks) {
    synchronized (asking) {
      Set<Long> unneeded = asking.remove(blocks);
      try {
        if (!unneeded.isEmpty()) {
          fewer.of(unneeded);
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn("blocks {} keep their copies: {}", unneeded, e.getMessage());
      }
    }
  }
}
