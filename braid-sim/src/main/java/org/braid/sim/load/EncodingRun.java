package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
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
  private final WrittenStripes written;
  private final PreEncodingStore<Integer> store;
  private final RandomGenerator encoders;
  private final RandomGenerator writers;
  private final RandomGenerator places;
  private final List<Double> encodedAt = new ArrayList<>();
  private final Mean before = new Mean();
  private final Mean during = new Mean();
  private final Mean rates = new Mean();
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
    AT_ONCE,

    /** Downloads and uploads at once, as parity is sent on slice by slice while data comes. */
    STREAMED
  }

  /** Which stripes a process encodes. */
  public enum Share {
    /** As many as the others, whichever. */
    ANY,

    /** As many as the others, all of one core rack if they have any (EAR section 4.2). */
    OF_A_RACK,

    /** Whichever nobody has begun when it is done with one. */
    NEXT
  }

  /**
   * Encoding processes.
   *
   * @param processes how many
   * @param stripes that each process encodes, on average
   * @param share which
   * @param encoder where it encodes them
   * @param transfers how it moves their blocks
   * @param times how long it takes besides
   */
  public record Encoding(
      int processes, int stripes, Share share, Encoder encoder, Transfers transfers, Times times) {
    public Encoding {
      if (processes < 1 || stripes < 1) {
        throw new IllegalArgumentException(
            "%d processes of %d stripes: both need at least 1".formatted(processes, stripes));
      }
    }
  }

  /**
   * What encoding takes besides transfers, in seconds.
   *
   * @param start when the processes begin
   * @param compute from the last download of a stripe to its first upload
   * @param publish from the last upload of a stripe until it is encoded: calls of the file system,
   *     closing, verification, publication
   * @param pause from a stripe to the next of the same process
   */
  public record Times(double start, double compute, double publish, double pause) {}

  /** Who writes. */
  public enum Writer {
    /** Any node; it sends the block to the first replica. */
    ANY,

    /** Any of the clients, which store nothing. */
    CLIENT,

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
   * @param clients the last nodes, which store and encode nothing
   * @param overheadSeconds of a write before its data moves
   */
  public record Writes(
      double rate, Writer writer, int clients, Course course, double overheadSeconds) {
    public Writes {
      if (writer == Writer.CLIENT && clients < 1) {
        throw new IllegalArgumentException("0 clients write, needed is at least 1");
      }
    }
  }

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
   * @param writeRate mean of the rates of those writes, in bytes a second; NaN without any
   * @param writeSecondsBefore mean time of a write that came before; NaN without any
   * @param reads mean times of reads
   * @param crossRackBytes all that moved between racks
   */
  public record Result(
      double encodeSeconds,
      double dataBytes,
      List<Double> encodedAt,
      double writeSeconds,
      double writeRate,
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
        .ints(0, topology.nodes() - setting.writes().clients())
        .distinct()
        .limit(setting.reads().failedNodes())
        .forEach(node -> up[node] = false);
    Arrays.fill(up, topology.nodes() - setting.writes().clients(), topology.nodes(), false);
    written = new WrittenStripes(setting, topology, streams);
    store = new PreEncodingStore<>(setting.k());
    encoders = streams.of("encoders");
    writers = streams.of("writers");
    places = streams.of("places of written blocks");
  }

  /** Runs until all stripes are encoded and all writes that came before that are done. */
  public Result run() {
    Encoding work = setting.encoding();
    List<Deque<Stripe>> shares = written.shares(this::isUp);
    Background background = new Background(wires, setting.background(), this::isUp, streams);
    Arrivals writes =
        new Arrivals(
            simulation, setting.writes().rate(), streams.of("write arrivals"), this::write);
    List<Stripe> stripes = new ArrayList<>();
    shares.stream().distinct().forEach(stripes::addAll);
    EncodedReads reads = reads(stripes);
    long start = Simulation.nanos(work.times().start());
    encoding = work.processes();
    for (Deque<Stripe> share : shares) {
      simulation.at(start, new EncodingProcess(share)::next);
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
        rates.value(),
        before.value(),
        reads.result(),
        wires.crossRackBytes());
  }

  private boolean isUp(int node) {
    return up[node];
  }

  private boolean stores(int node) {
    return node < topology.nodes() - setting.writes().clients();
  }

  private EncodedReads reads(List<Stripe> stripes) {
    Reads asked = setting.reads();
    List<Stripe> all = new ArrayList<>(stripes);
    List<Stripe> before = written.stripes("encoded before", asked.encodedBefore(), this::stores);
    before.forEach(Stripe::encoded);
    all.addAll(before);
    Rebuilding rebuilding = new Rebuilding(asked.rebuilding(), wires);
    return new EncodedReads(asked.rate(), all, this::isUp, wires, rebuilding, streams);
  }

  private void write() {
    long begin = simulation.now();
    boolean early = begin < Simulation.nanos(setting.encoding().times().start());
    int[] replicas = written.store(store, this::isUp, places).block().nodes();
    int writer =
        switch (setting.writes().writer()) {
          case ANY -> EncoderChoice.random(topology, this::isUp, writers);
          case CLIENT -> topology.nodes() - 1 - writers.nextInt(setting.writes().clients());
          case FIRST_REPLICA -> replicas[0];
        };
    Runnable done =
        () -> {
          double seconds = Simulation.seconds(simulation.now() - begin);
          (early ? before : during).add(seconds);
          if (!early) {
            rates.add(setting.blockBytes() / seconds);
          }
        };
    after(setting.writes().overheadSeconds(), () -> write(writer, replicas, done));
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

  /** An encoding process. */
  private final class EncodingProcess {
    private final Deque<Stripe> left;
    private int node = -1;

    /**
     * Yet to begin.
     *
     * @param left the stripes to encode, which others may take from, too
     */
    EncodingProcess(Deque<Stripe> left) {
      this.left = left;
    }

    void next() {
      Stripe stripe = left.poll();
      if (stripe == null) {
        encoding--;
        return;
      }
      Encoding work = setting.encoding();
      int encoder = encoder(stripe.data().coreRack());
      if (work.transfers() == Transfers.STREAMED) {
        int[] missing = {2};
        Runnable end =
            () -> {
              if (--missing[0] == 0) {
                after(work.times().compute(), () -> publish(stripe));
              }
            };
        download(stripe, encoder, end);
        upload(stripe, encoder, end);
      } else {
        download(
            stripe,
            encoder,
            () ->
                after(
                    work.times().compute(), () -> upload(stripe, encoder, () -> publish(stripe))));
      }
    }

    private int encoder(int core) {
      IntPredicate fits = other -> up[other] && (core < 0 || topology.rackOf(other) == core);
      if (setting.encoding().encoder() == Encoder.EACH_STRIPE || node < 0 || !fits.test(node)) {
        node = EncoderChoice.random(topology, fits, encoders);
      }
      return node;
    }

    private void download(Stripe stripe, int encoder, Runnable done) {
      List<int[]> data = stripe.data().replicas();
      move(
          data.size(),
          block -> EncoderChoice.source(topology, encoder, data.get(block), encoders),
          block -> encoder,
          done);
    }

    private void upload(Stripe stripe, int encoder, Runnable done) {
      int[] parities = stripe.parityNodes();
      move(parities.length, parity -> encoder, parity -> parities[parity], done);
    }

    private void publish(Stripe stripe) {
      Times times = setting.encoding().times();
      after(
          times.publish(),
          () -> {
            encodedUntil = Math.max(encodedUntil, simulation.now());
            encodedAt.add(Simulation.seconds(simulation.now()) - times.start());
            stripe.encoded();
            after(times.pause(), this::next);
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
