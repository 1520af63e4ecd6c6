package org.braid.hdfs.namenode.host;

import java.util.HashMap;
import java.util.Map;

/**
 * What blocks aimed at before HDFS was about to cut them off: of some several cuts are about to, or
 * several snapshots are being deleted, and the last of these to end has them aim as before. The
 * namesystem's lock is held.
 */
final class CutAims {
  /** What a block aimed at before, aims at during the cuts, and how many there are. */
  private record Aims(short before, short during, int cuts) {}

  private final Map<Long, Aims> blocks = new HashMap<>();

  /** Whether a block aims at what its file wants for now only. */
  boolean contains(long block) {
    return blocks.containsKey(block);
  }

  /** What a block aims at, which aims at some number now, apart from cuts. */
  short apart(long block, short present) {
    Aims known = blocks.get(block);
    return known != null && known.during == present ? known.before : present;
  }

  /** A block is to aim at a number once it is no longer about to be cut off. */
  void set(long block, short wanted) {
    blocks.computeIfPresent(block, (id, known) -> new Aims(wanted, known.during, known.cuts));
  }

  /**
   * A cut begins. The write lock is held.
   *
   * @param present what the block aims at
   * @param wanted what it aims at from now on
   */
  void begin(long block, short present, short wanted) {
    Aims known = blocks.get(block);
    blocks.put(block, new Aims(apart(block, present), wanted, known == null ? 1 : known.cuts + 1));
  }

  /**
   * A cut has ended. The write lock is held.
   *
   * @param present what the block aims at
   * @return what it is to aim at from now on: as before, unless others cut it still, or it was
   *     given another number meanwhile
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
