package org.braid.sim.load;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.Topology;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.time.RandomStreams;

/**
 * Background traffic (EAR section 5.2): requests arrive as a Poisson process, each from a random
 * node to another one of the same rack or of another, with exponentially distributed sizes.
 */
public final class BackgroundTraffic {
  private final SimulatedNetwork network;
  private final Shape shape;
  private final IntPredicate up;
  private final RandomGenerator random;
  private final PoissonArrivals arrivals;

  /**
   * Settings of the traffic.
   *
   * @param rate requests a second
   * @param meanBytes mean size of a request
   * @param crossShare share of the requests that go to another rack, 0 to 1
   */
  public record Shape(double rate, long meanBytes, double crossShare) {
    public Shape {
      if (!(crossShare >= 0 && crossShare <= 1) || meanBytes < 1) {
        throw new IllegalArgumentException(
            ("requests of %d bytes, a fraction %s of them across racks: must be at least 1"
                    + " and 0 to 1")
                .formatted(meanBytes, crossShare));
      }
    }
  }

  /**
   * Traffic from now on.
   *
   * @param up the nodes that take part
   */
  public BackgroundTraffic(
      SimulatedNetwork network, Shape shape, IntPredicate up, RandomStreams streams) {
    this.network = network;
    this.shape = shape;
    this.up = up;
    random = streams.of("background requests");
    arrivals =
        new PoissonArrivals(
            network.simulation(), shape.rate(), streams.of("background arrivals"), this::send);
  }

  private void send() {
    Topology topology = network.fabric().topology();
    int[] all = IntStream.range(0, topology.nodes()).filter(up).toArray();
    int from = all[random.nextInt(all.length)];
    long bytes =
        Math.max(1, Math.round(RandomStreams.exponential((double) shape.meanBytes(), random)));
    boolean cross = random.nextDouble() < shape.crossShare();
    int rack = topology.rackOf(from);
    List<Integer> beside = topology.nodesIn(rack).stream().filter(up::test).toList();
    if (cross && beside.size() < all.length) {
      int to = all[random.nextInt(all.length)];
      while (topology.rackOf(to) == rack) {
        to = all[random.nextInt(all.length)];
      }
      network.send(from, to, bytes, () -> {});
    } else if (!cross && beside.size() > 1) {
      int to = from;
      while (to == from) {
        to = beside.get(random.nextInt(beside.size()));
      }
      network.send(from, to, bytes, () -> {});
    }
  }

  /** Stops new requests. */
  public void stop() {
    arrivals.stop();
  }
}
