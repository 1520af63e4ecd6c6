package org.braid.sim.load;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.Topology;
import org.braid.placement.replication.ReplicatedStripe;
import org.braid.placement.rule.EncodedStripe;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.time.RandomStreams;

/**
 * Clients read data blocks while stripes are encoded: any replica before a stripe is encoded, the
 * only one after. Blocks whose node is down are rebuilt.
 */
final class ReadsDuringEncoding {
  private final List<Stripe> stripes;
  private final IntPredicate up;
  private final Topology topology;
  private final BlockReads reads;
  private final RandomGenerator random;
  private final PoissonArrivals arrivals;

  /** A stripe before and after it is encoded. */
  static final class Stripe {
    private final ReplicatedStripe data;
    private final EncodedStripe layout;
    private boolean encoded;

    Stripe(ReplicatedStripe data, EncodedStripe layout) {
      this.data = data;
      this.layout = layout;
    }

    ReplicatedStripe data() {
      return data;
    }

    int[] parityNodes() {
      return layout.parityNodes();
    }

    /** The stripe is encoded: each block has one copy from now on. */
    void encoded() {
      encoded = true;
    }

    private int[] copies(int block) {
      return encoded ? new int[] {layout.dataNodes()[block]} : data.replicas().get(block);
    }

    private int[] nodes() {
      return IntStream.concat(
              Arrays.stream(layout.dataNodes()), Arrays.stream(layout.parityNodes()))
          .toArray();
    }
  }

  /**
   * Reads from now on.
   *
   * @param rate reads a second
   * @param stripes that are read
   * @param up the nodes that are up
   */
  ReadsDuringEncoding(
      double rate,
      List<Stripe> stripes,
      IntPredicate up,
      SimulatedNetwork network,
      DegradedReads degradedReads,
      RandomStreams streams) {
    this.stripes = List.copyOf(stripes);
    this.up = up;
    topology = network.fabric().topology();
    reads = new BlockReads(network, degradedReads);
    random = streams.of("reads");
    arrivals =
        new PoissonArrivals(
            network.simulation(), rate, streams.of("read arrivals"), () -> read(network));
  }

  private void read(SimulatedNetwork network) {
    int[] clients = IntStream.range(0, topology.nodes()).filter(up).toArray();
    int client = clients[random.nextInt(clients.length)];
    Stripe stripe = stripes.get(random.nextInt(stripes.size()));
    int block = random.nextInt(stripe.data.replicas().size());
    int[] copies = Arrays.stream(stripe.copies(block)).filter(up).toArray();
    if (copies.length > 0) {
      reads.read(client, copies, random);
    } else {
      int[] nodes = stripe.nodes();
      long now = network.simulation().now();
      reads.rebuild(client, now, block, nodes, b -> up.test(nodes[b]));
    }
  }

  /** Stops new reads. */
  void stop() {
    arrivals.stop();
  }

  BlockReads.Result result() {
    return reads.result();
  }
}
