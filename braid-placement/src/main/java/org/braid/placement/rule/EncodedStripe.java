package org.braid.placement.rule;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where the blocks of a stripe are after encoding.
 *
 * @param dataNodes node of each data block
 * @param relocated data blocks of which no replica can stay, ascending
 * @param parityNodes node of each parity
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
public record EncodedStripe(int[] dataNodes, List<Integer> relocated, int[] parityNodes) {
  /** Copies the list. */
  public EncodedStripe {
    relocated = List.copyOf(relocated);
  }

  /**
   * A whole stripe.
   *
   * @param nodes node of each block, data before parities
   * @param k number of data blocks
   */
  public static EncodedStripe of(int[] nodes, int k, List<Integer> relocated) {
    return new EncodedStripe(
        Arrays.copyOf(nodes, k), relocated, Arrays.copyOfRange(nodes, k, nodes.length));
  }

  /** Node of each stored block, data before parities. */
  public int[] nodes() {
    return IntStream.concat(Arrays.stream(dataNodes), Arrays.stream(parityNodes)).toArray();
  }
}
