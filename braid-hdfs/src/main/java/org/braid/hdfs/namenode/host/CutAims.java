package org.braid.hdfs.namenode.host;

import java.util.HashMap;
import java.util.Map;

/**
 * The lasting aims of the blocks that cuts are about to remove. Several cuts or deletions of
 * snapshots may concern the same block; the last to end restores the block's aim. The caller holds
 * the namesystem's lock.
 */
final class CutAims {
  /** The aim of a block before and during its cuts, and the number of cuts that are under way. */
  private record Aims(short before, short during, int cuts) {}

  private final Map<Long, Aims> blocks = new HashMap<>();

  /** Whether cuts of the block are under way. */
  boolean contains(long block) {
    return blocks.containsKey(block);
  }

  /**
   * The lasting aim of a block.
   *
   * @param present the block's aim now
   */
  short apart(long block, short present) {
    Aims known = blocks.get(block);
    return known != null && known.during == present ? known.before : present;
  }

  /** Changes the aim that the block gets back after its cuts; does nothing without cuts. */
  void set(long block, short wanted) {
    blocks.computeIfPresent(block, (id, known) -> new Aims(wanted, known.during, known.cuts));
  }

  /**
   * Begins a cut. The write lock is held.
   *
   * @param present the block's aim now
   * @param wanted the block's aim during the cut
   */
  void begin(long block, short present, short wanted) {
    Aims known = blocks.get(block);
    blocks.put(block, new Aims(apart(block, present), wanted, known == null ? 1 : known.cuts + 1));
  }

  /**
   * Ends a cut. The write lock is held.
   *
   * @param present the block's aim now
   * @return the block's new aim: the lasting one after the last cut; {@code present} while other
   *     cuts are under way, or if the aim was changed during the cuts
   */
  short end(long block, short present) {
    Aims known = blocks.get(block);
    if (known == null) {
      return present;
    }
    if (known.cuts > 1) {
      blocks.put(block, new Aims(known.before, known.during, known.cuts - 1));
      return present;
    }
    short before = apart(block, present);
    blocks.remove(block);
    return before;
  }
}
