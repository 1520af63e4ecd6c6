package org.braid.sim.load;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.EncodingAwareReplication.StripeState;
import org.braid.placement.StripePlacement.StripeLayout;
import org.braid.placement.Topology;
import org.braid.sim.net.Wires;
import org.braid.sim.time.Streams;

/**
 * Clients read data blocks while stripes are encoded: as long as a stripe is not, any replica, then
 * the one that stayed; a block whose node is down is rebuilt.
 */
final class EncodedReads {
  private final List<Stripe> stripes;
  private final IntPredicate up;
  private final Topology topology;
  private final BlockReads reads;
  private final RandomGenerator random;
  private final Arrivals arrivals;

  /** A stripe before and after it is encoded. */
  static final class Stripe {
    private final StripeState data;
    private final StripeLayout layout;
    private boolean encoded;

    Stripe(StripeState data, StripeLayout layout) {
      this.data = data;
      this.layout = layout;
    }

    StripeState data() {
      return data;
    }

    int[] parityNodes() {
      return layout.parityNodes();
    }

    /** From now on it has one copy of each block. */
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
   * @param stripes of whose blocks any may be read
   * @param up which nodes are
   */
  EncodedReads(
      double rate,
      List<Stripe> stripes,
      IntPredicate up,
      Wires wires,
      Rebuilding rebuilding,
      Streams streams) {
    this.stripes = List.copyOf(stripes);
    this.up = up;
    topology = wires.fabric().topology();
    reads = new BlockReads(wires, rebuilding);
    random = streams.of("reads");
    arrivals =
        new Arrivals(wires.simulation(), rate, streams.of("read arrivals"), () -> read(wires));
  }

  private void read(Wires wires) {
    int[] clients = IntStream.range(0, topology.nodes()).filter(up).toArray();
    int client = clients[random.nextInt(clients.length)];
    Stripe stripe = stripes.get(random.nextInt(stripes.size()));
    int block = random.nextInt(stripe.data.replicas().size());
    int[] copies = Arrays.stream(stripe.copies(block)).filter(up).toArray();
    if (copies.length > 0) {
      reads.read(client, copies, random);
    } else {
      int[] nodes = stripe.nodes();
      long now = wires.simulation().now();
      reads.rebuild(client, now, block, nodes, b -> up.test(nodes[b]));
    }
  }

  /** Lets no more reads arrive. */
  void stop() {
    arrivals.stop();
  }

  BlockReads.Result result() {
    return reads.result();
  }
}
