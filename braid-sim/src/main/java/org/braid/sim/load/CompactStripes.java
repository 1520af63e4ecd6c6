package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.braid.placement.Topology;

/**
 * A compact table of many encoded stripes, four bytes a block. Each stripe is on random nodes of
 * distinct racks, like stripes of one block a rack after random replication and encoding.
 */
public final class CompactStripes {
  private static final int PER_CHUNK = 1 << 16;

  private final int width;
  private final long stripes;
  private final int[][] chunks;

  /**
   * Places the stripes.
   *
   * @param width blocks of a stripe
   */
  public CompactStripes(Topology topology, int width, long stripes, RandomGenerator random) {
    if (width < 1 || width > topology.racks()) {
      throw new IllegalArgumentException(
          "stripes of %d blocks, each in a rack of its own, on %d racks"
              .formatted(width, topology.racks()));
    }
    this.width = width;
    this.stripes = stripes;
    chunks = new int[(int) ((stripes + PER_CHUNK - 1) / PER_CHUNK)][];
    int[] racks = new int[topology.racks()];
    for (int rack = 0; rack < racks.length; rack++) {
      racks[rack] = rack;
    }
    for (int chunk = 0; chunk < chunks.length; chunk++) {
      long count = Math.min(PER_CHUNK, stripes - (long) chunk * PER_CHUNK);
      int[] nodes = new int[(int) count * width];
      for (int i = 0; i < nodes.length; i++) {
        // A partial shuffle that continues from stripe to stripe.
        int place = i % width;
        int other = place + random.nextInt(racks.length - place);
        int rack = racks[other];
        racks[other] = racks[place];
        racks[place] = rack;
        List<Integer> members = topology.nodesIn(rack);
        nodes[i] = members.get(random.nextInt(members.size()));
      }
      chunks[chunk] = nodes;
    }
  }

  /** Bytes of a table. */
  public static long memory(int width, long stripes) {
    return 4L * width * stripes;
  }

  /** Number of stripes. */
  public long size() {
    return stripes;
  }

  /** The nodes of a stripe. */
  public int[] nodes(long stripe) {
    int[] chunk = chunks[(int) (stripe / PER_CHUNK)];
    int from = (int) (stripe % PER_CHUNK) * width;
    return Arrays.copyOfRange(chunk, from, from + width);
  }

  /** The stripes with a block on some nodes. */
  public List<Long> on(boolean[] nodes) {
    List<Long> found = new ArrayList<>();
    for (int chunk = 0; chunk < chunks.length; chunk++) {
      int[] places = chunks[chunk];
      for (int i = 0; i < places.length; i++) {
        if (nodes[places[i]]) {
          found.add((long) chunk * PER_CHUNK + i / width);
          i += width - 1 - i % width; // on to the next stripe
        }
      }
    }
    return found;
  }
}
