package org.braid.placement.grouping;

import java.util.List;

/**
 * Stripes of k blocks each, or of up to k where open ones were asked for.
 *
 * @param stripes the blocks of each stripe
 * @param coreRacks for each stripe the rack that encodes it, which holds a replica of most blocks
 * @param rest blocks of no stripe, fewer than k where stripes were filled up
 * @param downloads over all stripes the blocks of which the core rack holds no replica
 * @param relocations over all stripes the blocks of which no replica can stay
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
public record Grouping(
    List<int[]> stripes, int[] coreRacks, int[] rest, long downloads, long relocations) {
  /** Copies the list. */
  public Grouping {
    stripes = List.copyOf(stripes);
  }
}
