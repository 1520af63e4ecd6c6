package org.braid.sim.durability;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;

/**
 * A cluster that stores stripes of one code.
 *
 * @param topology nodes, racks, sites
 * @param rule the code and the placement of its stripes
 * @param blockSize bytes of a block
 * @param nodeBytes bytes that a node stores
 */
public record EncodedCluster(Topology topology, StripeRule rule, long blockSize, double nodeBytes) {
  public EncodedCluster {
    if (blockSize < 1) {
      throw new IllegalArgumentException("blocks of " + blockSize + " bytes: must be at least 1");
    }
    if (!(nodeBytes >= blockSize) || Double.isInfinite(nodeBytes)) {
      throw new IllegalArgumentException(
          ("nodes that store %.0f bytes cannot hold a block of %d bytes: let them store" + " more")
              .formatted(nodeBytes, blockSize));
    }
  }

  /** The code of all stripes. */
  public ErasureCode code() {
    return rule.code();
  }

  /** Number of stripes on the cluster. */
  public double stripes() {
    return topology.nodes() * nodeBytes / blockSize / code().n();
  }

  /** Bytes of users' data on the cluster. */
  public double dataBytes() {
    return stripes() * code().k() * blockSize;
  }

  /** Places a stripe at random by the rule; returns the node of each block. */
  public int[] place(RandomGenerator random) {
    List<int[]> nowhere = new ArrayList<>(Collections.nCopies(code().k(), new int[0]));
    return rule.layout(EligibleNodes.all(topology), nowhere, random).nodes();
  }
}
