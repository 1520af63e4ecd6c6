package org.braid.placement.grouping;

import java.util.List;

/**
 * Blocks grouped into stripes of k blocks; open stripes have fewer.
 *
 * @param stripes the blocks of each stripe
 * @param coreRacks for each stripe the rack that encodes it; it holds replicas of the most blocks
 * @param rest blocks of no stripe; fewer than k unless stripes may be open
 * @param downloads blocks of all stripes without a replica in the core rack
 * @param relocations blocks of all stripes that can keep no replica
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
public record Grouping(
    List<int[]> stripes, int[] coreRacks, int[] rest, long downloads, long relocations) {
  /** Copies the list. */
  public Grouping {
    stripes = List.copyOf(stripes);
  }
}
