package org.braid.hdfs.namenode.view;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntToLongFunction;
import java.util.stream.LongStream;

/**
 * Stripes that may be damaged, in the order of repair: those that lack most blocks first, then by
 * the inode of their parity file. A stripe's place is a number that encodes both, so that paging
 * continues in a newer list.
 */
final class RepairOrder {
  private static final int SHIFT = 56;
  private static final int MOST = 127;
  private static final long FILE = (1L << SHIFT) - 1;

  private final long[] places;

  private RepairOrder(long[] places) {
    this.places = places;
  }

  /** Collects stripes by their numbers in the index, block by block. */
  static final class Found {
    private final BitSet stripes = new BitSet();
    private byte[] lost = new byte[0];

    /**
     * Adds the stripe of a block.
     *
     * @param stripe number of the stripe
     * @param isLost whether the block is known to lack a good replica
     */
    void add(int stripe, boolean isLost) {
      stripes.set(stripe);
      if (isLost) {
        if (stripe >= lost.length) {
          lost = Arrays.copyOf(lost, stripe + stripe / 2 + 1);
        }
        lost[stripe] = (byte) Math.min(MOST, lost[stripe] + 1);
      }
    }

    /**
     * The stripes in order.
     *
     * @param fileOf returns a stripe's parity file; 0 when the stripe no longer exists
     */
    RepairOrder order(IntToLongFunction fileOf) {
      LongStream found =
          stripes.stream()
              .mapToLong(
                  stripe -> {
                    long file = fileOf.applyAsLong(stripe);
                    return file == 0 ? -1 : place(stripe < lost.length ? lost[stripe] : 0, file);
                  });
      return new RepairOrder(found.filter(place -> place >= 0).sorted().toArray());
    }
  }

  private static long place(int lost, long file) {
    return (long) (MOST - lost) << SHIFT | file;
  }

  /** The parity file of the stripe at a place. */
  static long fileAt(long place) {
    return place & FILE;
  }

  /** The first place of the stripes that lack as many blocks as the one at a place. */
  static long alike(long place) {
    return place & ~FILE;
  }

  /**
   * The next places behind another one.
   *
   * @param behind any place; 0 is before all places
   * @param before end of the places to return
   */
  long[] next(long behind, long before, int most) {
    int from = at(behind + 1);
    int to = Math.max(from, at(before));
    return Arrays.copyOfRange(places, from, Math.min(to, from + most));
  }

  /** The number of places before this one. */
  private int at(long place) {
    int at = Arrays.binarySearch(places, place);
    return at < 0 ? -at - 1 : at;
  }
}
