package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import org.braid.placement.BlockPlacer;
import org.braid.placement.EncoderChoice;
import org.braid.placement.EncodingAwareReplication.StripeState;
import org.braid.placement.PreEncodingStore;
import org.braid.placement.StripePlacement.StripeLayout;
import org.braid.placement.Topology;
import org.braid.sim.load.EncodedReads.Stripe;
import org.braid.sim.net.Wires;
import org.braid.sim.time.Simulation;
import org.braid.sim.time.Streams;

/**
 * Stripes are encoded while blocks are written and others use the network, too (the simulator of
 * EAR section 5.2). Each encoding process takes one stripe after the other: a node, in the core
 * rack of the stripe if it has one, downloads the data blocks, computes, then uploads the parities,
 * block by block. Relocations, which only stripes of other policies than EAR need, are left out as
 * in the paper.
 */
public final class EncodingRun {
  private final Setting setting;
  private final Wires wires;
  private final Streams streams;
  private final Simulation simulation;
  private final Topology topology;
  private final boolean[] up;
  private final PreEncodingStore<Integer> store;
  private final RandomGenerator encoders;
  private final RandomGenerator writers;
  private final RandomGenerator places;
  private final List<Double> encodedAt = new ArrayList<>();
  private final Mean before = new Mean();
  private final Mean during = new Mean();
  private int encoding;
  private long encodedUntil;

  /** Where the blocks of a stripe are after encoding. */
  @FunctionalInterface
  public interface Layout {
    StripeLayout of(StripeState stripe, IntPredicate eligible, RandomGenerator random);
  }

  /**
   * What is run.
   *
   * @param k data blocks of a stripe
   * @param placer places the replicas of blocks
   * @param layout places the blocks of stripes
   * @param replicas of each block
   * @param blockBytes bytes of a block
   * @param encoding what is encoded, and how
   * @param writes what is written meanwhile
   * @param reads what is read meanwhile
   * @param background what others do
   */
  public record Setting(
      int k,
      BlockPlacer placer,
      Layout layout,
      int replicas,
      long blockBytes,
      Encoding encoding,
      Writes writes,
      Reads reads,
      Background.Shape background) {
    public Setting {
      if (replicas < 1 || blockBytes < 1) {
        throw new IllegalArgumentException(
            "%d replicas of blocks of %d bytes: both need at least 1"
                .formatted(replicas, blockBytes));
      }
    }
  }

  /** Where a process encodes. */
  public enum Encoder {
    /** Each stripe on a random node, in its core rack if it has one (EAR section 2.1). */
    EACH_STRIPE,

    /**
     * All its stripes on one node, as a map task does, as long as that is in the core rack (EAR
     * section 4.2).
     */
    EACH_PROCESS
  }

  /** How an encoder moves the blocks of a stripe. */
  public enum Transfers {
    /** One after the other (EAR section 5.2). */
    ONE_BY_ONE,

    /** All downloads, then all uploads, at once (EAR section 4.1). */
    AT_ONCE
  }

  /**
   * Encoding processes.
   *
   * @param processes how many
   * @param stripes that each process encodes
   * @param byCoreRack whether a process gets stripes of one core rack, as far as it goes
   * @param encoder where it encodes them
   * @param transfers how it moves their blocks
   * @param startSeconds when they begin
   * @param computeSeconds from the last download of a stripe to its first upload
   * @param pauseSeconds from a stripe to the next of the same process
   */
  public record Encoding(
      int processes,
      int stripes,
      boolean byCoreRack,
      Encoder encoder,
      Transfers transfers,
      double startSeconds,
      double computeSeconds,
      double pauseSeconds) {
    public Encoding {
      if (processes < 1 || stripes < 1) {
        throw new IllegalArgumentException(
            "%d processes of %d stripes: both need at least 1".formatted(processes, stripes));
      }
    }
  }

  /** Who writes. */
  public enum Writer {
    /** Any node; it sends the block to the first replica. */
    ANY,

    /** The node of the first replica, as in HDFS, which leaves that on the writer. */
    FIRST_REPLICA
  }

  /** How a block gets to its replicas. */
  public enum Course {
    /** From one replica to the next when it is there as a whole. */
    HOP_BY_HOP,

    /** Through all of them at once, with the rate of the slowest link, as in HDFS. */
    PIPELINE
  }

  /**
   * Writes of single blocks.
   *
   * @param rate blocks written a second
   * @param overheadSeconds of a write before its data moves
   */
  public record Writes(double rate, Writer writer, Course course, double overheadSeconds) {}

  /**
   * Reads of single blocks, of the stripes that are encoded and of others that have been before.
   *
   * @param rate blocks read a second
   * @param encodedBefore stripes of which there are no replicas any more
   * @param failedNodes random nodes that were lost after these were placed: their blocks are
   *     rebuilt for each read, and nothing else uses those nodes
   * @param rebuilding how
   */
  public record Reads(
      double rate, int encodedBefore, int failedNodes, Rebuilding.Setting rebuilding) {}

  /**
   * What was measured.
   *
   * @param encodeSeconds from the start of the processes until the last is done
   * @param dataBytes bytes of data that were encoded
   * @param encodedAt for each stripe when it was done, ascending, in seconds from their start
   * @param writeSeconds mean time of a write that came while stripes were encoded; NaN without any
   * @param writeSecondsBefore mean time of a write that came before; NaN without any
   * @param reads mean times of reads
   * @param crossRackBytes all that moved between racks
   */
  public record Result(
      double encodeSeconds,
      double dataBytes,
      List<Double> encodedAt,
      double writeSeconds,
      double writeSecondsBefore,
      BlockReads.Result reads,
      long crossRackBytes) {
    public Result {
      encodedAt = List.copyOf(encodedAt);
    }
  }

  /** A run on idle wires. */
  public EncodingRun(Setting setting, Wires wires, Streams streams) {
    this.setting = setting;
    this.wires = wires;
    this.streams = streams;
    simulation = wires.simulation();
    topology = wires.fabric().topology();
    up = new boolean[topology.nodes()];
    Arrays.fill(up, true);
    streams
        .of("failures")
        .ints(0, topology.nodes())
        .distinct()
        .limit(setting.reads().failedNodes())
        .forEach(node -> up[node] = false);
    store = new PreEncodingStore<>(setting.k());
    encoders = streams.of("encoders");
    writers = streams.of("writers");
    places = streams.of("places of written blocks");
  }

  /** Runs until all stripes are encoded and all writes that came before that are done. */
  public Result run() {
    Encoding work = setting.encoding();
    List<Stripe> stripes = stripes("encode", work.processes() * work.stripes(), this::isUp);
    Background background = new Background(wires, setting.background(), this::isUp, streams);
    Arrivals writes =
        new Arrivals(
            simulation, setting.writes().rate(), streams.of("write arrivals"), this::write);
    EncodedReads reads = reads(stripes);
    if (work.byCoreRack()) {
      stripes.sort(Comparator.comparingInt(stripe -> stripe.data().coreRack()));
    }
    long start = Simulation.nanos(work.startSeconds());
    encoding = work.processes();
    for (int process = 0; process < work.processes(); process++) {
      int from = process * work.stripes();
      EncodingProcess one = new EncodingProcess(stripes.subList(from, from + work.stripes()));
      simulation.at(start, one::next);
    }
    while (encoding > 0 && simulation.step()) {}
    background.stop();
    writes.stop();
    reads.stop();
    simulation.run();
    wires.conservation().verifyEnded();
    return new Result(
        Simulation.seconds(encodedUntil - start),
        (double) setting.blockBytes() * setting.k() * stripes.size(),
        encodedAt,
        during.value(),
        before.value(),
        reads.result(),
        wires.crossRackBytes());
  }

  private boolean isUp(int node) {
    return up[node];
  }

  private EncodedReads reads(List<Stripe> stripes) {
    Reads asked = setting.reads();
    List<Stripe> all = new ArrayList<>(stripes);
    List<Stripe> before = stripes("encoded before", asked.encodedBefore(), node -> true);
    before.forEach(Stripe::encoded);
    all.addAll(before);
    Rebuilding rebuilding = new Rebuilding(asked.rebuilding(), wires);
    return new EncodedReads(asked.rate(), all, this::isUp, wires, rebuilding, streams);
  }

  /**
   * Stripes as the policy makes them of blocks that are written one after the other.
   *
   * @param purpose of their random numbers
   */
  private List<Stripe> stripes(String purpose, int count, IntPredicate eligible) {
    RandomGenerator blocks = streams.of("places of blocks to " + purpose);
    RandomGenerator layouts = streams.of("layouts to " + purpose);
    PreEncodingStore<Integer> own = new PreEncodingStore<>(setting.k());
    List<Stripe> stripes = new ArrayList<>();
    while (stripes.size() < count) {
      store(own, eligible, blocks)
          .sealed()
          .ifPresent(
              stripe ->
                  stripes.add(new Stripe(stripe, setting.layout().of(stripe, eligible, layouts))));
    }
    return stripes;
  }

  private PreEncodingStore.Stored store(
      PreEncodingStore<Integer> blocks, IntPredicate eligible, RandomGenerator random) {
    int first = PreEncodingStore.first(topology, eligible, -1, setting.replicas(), random);
    var cluster = new PreEncodingStore.Cluster(topology, setting.placer(), eligible);
    return blocks.add(0, cluster, first, setting.replicas(), random);
  }

  private void write() {
    long begin = simulation.now();
    boolean early = begin < Simulation.nanos(setting.encoding().startSeconds());
    int[] replicas = store(store, this::isUp, places).block().nodes();
    int writer =
        switch (setting.writes().writer()) {
          case ANY -> EncoderChoice.random(topology, this::isUp, writers);
          case FIRST_REPLICA -> replicas[0];
        };
    Runnable written =
        () -> (early ? before : during).add(Simulation.seconds(simulation.now() - begin));
    after(setting.writes().overheadSeconds(), () -> write(writer, replicas, written));
  }

  private void write(int writer, int[] replicas, Runnable written) {
    switch (setting.writes().course()) {
      case HOP_BY_HOP ->
          moveNext(
              0,
              replicas.length,
              next -> next == 0 ? writer : replicas[next - 1],
              next -> replicas[next],
              written);
      case PIPELINE -> wires.pipeline(writer, replicas, setting.blockBytes(), written);
    }
  }

  /** An encoding process with the stripes that it has left. */
  private final class EncodingProcess {
    private final List<Stripe> stripes;
    private int done;
    private int node = -1;

    EncodingProcess(List<Stripe> stripes) {
      this.stripes = stripes;
    }

    void next() {
      if (done == stripes.size()) {
        encoding--;
        return;
      }
      Stripe stripe = stripes.get(done);
      int encoder = encoder(stripe.data().coreRack());
      List<int[]> data = stripe.data().replicas();
      move(
          data.size(),
          block -> EncoderChoice.source(topology, encoder, data.get(block), encoders),
          block -> encoder,
          () -> after(setting.encoding().computeSeconds(), () -> upload(stripe, encoder)));
    }

    private int encoder(int core) {
      IntPredicate fits = other -> up[other] && (core < 0 || topology.rackOf(other) == core);
      if (setting.encoding().encoder() == Encoder.EACH_STRIPE || node < 0 || !fits.test(node)) {
        node = EncoderChoice.random(topology, fits, encoders);
      }
      return node;
    }

    private void upload(Stripe stripe, int encoder) {
      int[] parities = stripe.parityNodes();
      move(
          parities.length,
          parity -> encoder,
          parity -> parities[parity],
          () -> {
            encodedUntil = Math.max(encodedUntil, simulation.now());
            encodedAt.add(Simulation.seconds(simulation.now()) - setting.encoding().startSeconds());
            stripe.encoded();
            done++;
            after(setting.encoding().pauseSeconds(), this::next);
          });
    }
  }

  private void after(double seconds, Runnable action) {
    if (seconds > 0) {
      simulation.after(Simulation.nanos(seconds), action);
    } else {
      action.run();
    }
  }

  /** Moves the blocks of a stripe. */
  private void move(int blocks, IntUnaryOperator from, IntUnaryOperator to, Runnable done) {
    if (setting.encoding().transfers() == Transfers.ONE_BY_ONE) {
      moveNext(0, blocks, from, to, done);
      return;
    }
    int[] left = {blocks};
    for (int block = 0; block < blocks; block++) {
      int one = block;
      moveNext(
          0,
          1,
          unused -> from.applyAsInt(one),
          unused -> to.applyAsInt(one),
          () -> {
            if (--left[0] == 0) {
              done.run();
            }
          });
    }
  }

  /** Moves blocks, each when the one before is there. */
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
