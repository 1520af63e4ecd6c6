package org.braid.sim.durability;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.braid.code.ErasureCode;
import org.braid.placement.StripePlacement.StripeLayout;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;

/**
 * A cluster full of stripes of one code.
 *
 * @param topology nodes, racks, sites
 * @param rule the code, and where the blocks of a stripe may be
 * @param blockSize bytes of a block
 * @param nodeBytes bytes that a node stores
 */
public record Cluster(Topology topology, StripeRule rule, long blockSize, double nodeBytes) {
  public Cluster {
    if (blockSize < 1) {
      throw new IllegalArgumentException("blocks of " + blockSize + " bytes, needed is at least 1");
    }
    if (!(nodeBytes >= blockSize) || Double.isInfinite(nodeBytes)) {
      throw new IllegalArgumentException(
          "nodes that store %.0f bytes hold no block of %d: more is needed"
              .formatted(nodeBytes, blockSize));
    }
  }

  /** The code of all stripes. */
  public ErasureCode code() {
    return rule.code();
  }

  /** Stripes on the cluster. */
  public double stripes() {
    return topology.nodes() * nodeBytes / blockSize / code().n();
  }

  /** Bytes of users' data on the cluster. */
  public double dataBytes() {
    return stripes() * code().k() * blockSize;
  }

  /** Places a stripe at random, by the rule; a node for each block. */
  public int[] place(RandomGenerator random) {
    List<int[]> nowhere = new ArrayList<>(Collections.nCopies(code().k(), new int[0]));
    StripeLayout layout = rule.layout(topology, node -> true, nowhere, random);
    int[] nodes = new int[code().n()];
    System.arraycopy(layout.dataNodes(), 0, nodes, 0, code().k());
    System.arraycopy(layout.parityNodes(), 0, nodes, code().k(), code().m());
    return nodes;
  }
}
