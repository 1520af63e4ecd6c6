package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import org.braid.placement.BlockPlacer;
import org.braid.placement.EncoderChoice;
import org.braid.placement.EncodingAwareReplication.StripeState;
import org.braid.placement.PreEncodingStore;
import org.braid.placement.StripePlacement.StripeLayout;
import org.braid.placement.Topology;
import org.braid.sim.net.Wires;
import org.braid.sim.time.Simulation;
import org.braid.sim.time.Streams;

/**
 * Stripes are encoded while blocks are written and others use the network, too (the simulator of
 * EAR section 5.2). Each encoding process takes one stripe after the other: a node, in the core
 * rack of the stripe if it has one, downloads the data blocks, then uploads the parities, block by
 * block. A written block goes from the writer to the first replica, from there to the second, and
 * so on. Relocations, which only stripes of other policies than EAR need, are left out as in the
 * paper.
 */
public final class EncodingRun {
  private final Setting setting;
  private final Wires wires;
  private final Streams streams;
  private final Simulation simulation;
  private final Topology topology;
  private final PreEncodingStore<Integer> store;
  private final PreEncodingStore.Cluster cluster;
  private final RandomGenerator encoders;
  private final RandomGenerator writers;
  private final RandomGenerator places;
  private final List<Double> encodedAt = new ArrayList<>();
  private final Responses before = new Responses();
  private final Responses during = new Responses();
  private int encoding;
  private long encodedUntil;

  /** Where the blocks of a stripe are after encoding. */
  @FunctionalInterface
  public interface Layout {
    StripeLayout of(StripeState stripe, RandomGenerator random);
  }

  /**
   * What is run.
   *
   * @param k data blocks of a stripe
   * @param placer places the replicas of blocks
   * @param layout places the blocks of stripes
   * @param replicas of each block
   * @param blockBytes bytes of a block
   * @param processes encoding processes
   * @param stripes that each process encodes
   * @param byCoreRack whether a process gets stripes of one core rack, as far as it goes
   * @param startSeconds when they begin
   * @param writeRate blocks written a second
   * @param background what others do
   */
  public record Setting(
      int k,
      BlockPlacer placer,
      Layout layout,
      int replicas,
      long blockBytes,
      int processes,
      int stripes,
      boolean byCoreRack,
      double startSeconds,
      double writeRate,
      Background.Shape background) {
    public Setting {
      if (processes < 1 || stripes < 1 || replicas < 1 || blockBytes < 1) {
        throw new IllegalArgumentException(
            "%d processes of %d stripes, %d replicas of blocks of %d bytes: all need at least 1"
                .formatted(processes, stripes, replicas, blockBytes));
      }
    }
  }

  /**
   * What was measured.
   *
   * @param encodeSeconds from the start of the processes until the last is done
   * @param dataBytes bytes of data that were encoded
   * @param encodedAt for each stripe when it was done, ascending, in seconds from their start
   * @param writeSeconds mean time of a write that came while stripes were encoded; NaN without any
   * @param writeSecondsBefore mean time of a write that came before; NaN without any
   * @param crossRackBytes all that moved between racks
   */
  public record Result(
      double encodeSeconds,
      double dataBytes,
      List<Double> encodedAt,
      double writeSeconds,
      double writeSecondsBefore,
      long crossRackBytes) {
    public Result {
      encodedAt = List.copyOf(encodedAt);
    }
  }

  private static final class Responses {
    private double seconds;
    private int count;

    double mean() {
      return seconds / count;
    }
  }

  private record Stripe(StripeState data, int[] parityNodes) {}

  /** A run on idle wires. */
  public EncodingRun(Setting setting, Wires wires, Streams streams) {
    this.setting = setting;
    this.wires = wires;
    this.streams = streams;
    simulation = wires.simulation();
    topology = wires.fabric().topology();
    store = new PreEncodingStore<>(setting.k());
    cluster = new PreEncodingStore.Cluster(topology, setting.placer(), node -> true);
    encoders = streams.of("encoders");
    writers = streams.of("writers");
    places = streams.of("places of written blocks");
  }

  /** Runs until all stripes are encoded and all writes that came before that are done. */
  public Result run() {
    List<Stripe> stripes = stripes(setting.processes() * setting.stripes());
    Background background = new Background(wires, setting.background(), streams);
    Arrivals writes =
        new Arrivals(simulation, setting.writeRate(), streams.of("write arrivals"), this::write);
    if (setting.byCoreRack()) {
      stripes.sort(Comparator.comparingInt(stripe -> stripe.data().coreRack()));
    }
    long start = Simulation.nanos(setting.startSeconds());
    encoding = setting.processes();
    for (int process = 0; process < setting.processes(); process++) {
      int from = process * setting.stripes();
      List<Stripe> own = stripes.subList(from, from + setting.stripes());
      simulation.at(start, () -> encode(own, 0));
    }
    while (encoding > 0 && simulation.step()) {}
    background.stop();
    writes.stop();
    simulation.run();
    wires.conservation().verifyEnded();
    return new Result(
        Simulation.seconds(encodedUntil - start),
        (double) setting.blockBytes() * setting.k() * stripes.size(),
        encodedAt,
        during.mean(),
        before.mean(),
        wires.crossRackBytes());
  }

  /** Stripes as the policy makes them of blocks that are written one after the other. */
  private List<Stripe> stripes(int count) {
    RandomGenerator blocks = streams.of("places of blocks to encode");
    RandomGenerator layouts = streams.of("layouts");
    List<Stripe> stripes = new ArrayList<>();
    while (stripes.size() < count) {
      store(blocks)
          .sealed()
          .ifPresent(
              stripe ->
                  stripes.add(
                      new Stripe(stripe, setting.layout().of(stripe, layouts).parityNodes())));
    }
    return stripes;
  }

  private PreEncodingStore.Stored store(RandomGenerator random) {
    int first = PreEncodingStore.first(topology, node -> true, -1, setting.replicas(), random);
    return store.add(0, cluster, first, setting.replicas(), random);
  }

  private void write() {
    long begin = simulation.now();
    boolean early = begin < Simulation.nanos(setting.startSeconds());
    int writer = writers.nextInt(topology.nodes());
    int[] replicas = store(places).block().nodes();
    move(
        replicas.length,
        next -> next == 0 ? writer : replicas[next - 1],
        next -> replicas[next],
        () -> {
          Responses responses = early ? before : during;
          responses.seconds += Simulation.seconds(simulation.now() - begin);
          responses.count++;
        });
  }

  private void encode(List<Stripe> stripes, int next) {
    if (next == stripes.size()) {
      encoding--;
      encodedUntil = Math.max(encodedUntil, simulation.now());
      return;
    }
    Stripe stripe = stripes.get(next);
    int core = stripe.data().coreRack();
    int encoder =
        EncoderChoice.random(topology, node -> core < 0 || topology.rackOf(node) == core, encoders);
    List<int[]> data = stripe.data().replicas();
    int[] parities = stripe.parityNodes();
    move(
        data.size(),
        block -> EncoderChoice.source(topology, encoder, data.get(block), encoders),
        block -> encoder,
        () ->
            move(
                parities.length,
                parity -> encoder,
                parity -> parities[parity],
                () -> {
                  encodedAt.add(Simulation.seconds(simulation.now()) - setting.startSeconds());
                  encode(stripes, next + 1);
                }));
  }

  /** Moves blocks, each when the one before is there. */
  private void move(int blocks, IntUnaryOperator from, IntUnaryOperator to, Runnable done) {
    moveNext(0, blocks, from, to, done);
  }

  private void moveNext(
      int next, int blocks, IntUnaryOperator from, IntUnaryOperator to, Runnable done) {
    if (next == blocks) {
      done.run();
      return;
    }
    int source = from.applyAsInt(next);
    int target = to.applyAsInt(next);
    Runnable moved = () -> moveNext(next + 1, blocks, from, to, done);
    if (source == target) {
      // What need not be sent is read or written all the same.
      wires.disk(source, setting.blockBytes(), moved);
    } else {
      wires.send(source, target, setting.blockBytes(), moved);
    }
  }
}
