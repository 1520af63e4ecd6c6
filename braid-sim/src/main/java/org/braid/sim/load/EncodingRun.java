package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.replication.EncoderChoice;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.replication.ReplicatedStripe;
import org.braid.placement.rule.EncodedStripe;
import org.braid.sim.load.ReadsDuringEncoding.Stripe;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.time.RandomStreams;
import org.braid.sim.time.Simulation;

/**
 * Stripes are encoded while blocks are written and read and background traffic uses the network
 * (the simulator of EAR section 5.2). Each encoding process encodes one stripe after the other: a
 * node, in the core rack of the stripe if there is one, downloads the data blocks, computes, and
 * uploads the parity blocks. Relocations are left out as in the paper; only policies other than EAR
 * need them.
 */
public final class EncodingRun {
  private final Setting setting;
  private final SimulatedNetwork network;
  private final RandomStreams streams;
  private final Simulation simulation;
  private final Topology topology;
  private final EligibleNodes stores;
  private final EligibleNodes up;
  private final WrittenStripes written;
  private final PreEncodingStore<Integer> store;
  private final RandomGenerator encoders;
  private final RandomGenerator writers;
  private final RandomGenerator places;
  private final List<Double> encodedAt = new ArrayList<>();
  private final RunningMean before = new RunningMean();
  private final RunningMean during = new RunningMean();
  private final RunningMean rates = new RunningMean();
  private int encoding;
  private long encodedUntil;

  /** Places the blocks of a stripe after encoding. */
  @FunctionalInterface
  public interface Layout {
    /** The layout of a stripe on eligible nodes. */
    EncodedStripe of(ReplicatedStripe stripe, EligibleNodes eligible, RandomGenerator random);
  }

  /**
   * Settings of a run.
   *
   * @param k data blocks of a stripe
   * @param placer places the replicas of blocks
   * @param layout places the blocks of stripes
   * @param replicas of each block
   * @param blockBytes bytes of a block
   * @param encoding processes
   * @param writes during encoding
   * @param reads during encoding
   * @param background traffic
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
      BackgroundTraffic.Shape background) {
    public Setting {
      if (replicas < 1 || blockBytes < 1) {
        throw new IllegalArgumentException(
            "%d replicas of blocks of %d bytes: both must be at least 1"
                .formatted(replicas, blockBytes));
      }
    }
  }

  /** The node on which a process encodes. */
  public enum Encoder {
    /** A random node for each stripe, in its core rack if there is one (EAR section 2.1). */
    EACH_STRIPE,

    /**
     * The same node for all stripes of the process, as in a map task, as long as it is in the core
     * rack of the stripe (EAR section 4.2).
     */
    EACH_PROCESS
  }

  /** How an encoder moves the blocks of a stripe. */
  public enum Transfers {
    /** One block after the other (EAR section 5.2). */
    ONE_BY_ONE,

    /** All downloads at once, then all uploads at once (EAR section 4.1). */
    AT_ONCE,

    /** Downloads and uploads at once: parity is sent slice by slice as data arrives. */
    STREAMED
  }

  /** The stripes that a process encodes. */
  public enum Share {
    /** An equal number, in any order. */
    ANY,

    /** An equal number, all of the same core rack if stripes have one (EAR section 4.2). */
    OF_A_RACK,

    /** The next stripe that no process has begun. */
    NEXT
  }

  /**
   * Encoding processes.
   *
   * @param processes number of processes
   * @param stripes mean number of stripes of a process
   * @param share the stripes of a process
   * @param encoder the node of a process
   * @param transfers how it moves blocks
   * @param overheads times besides transfers
   */
  public record Encoding(
      int processes,
      int stripes,
      Share share,
      Encoder encoder,
      Transfers transfers,
      Overheads overheads) {
    public Encoding {
      if (processes < 1 || stripes < 1) {
        throw new IllegalArgumentException(
            "%d processes of %d stripes: both must be at least 1".formatted(processes, stripes));
      }
    }
  }

  /**
   * Times of encoding besides transfers, in seconds.
   *
   * @param start when the processes begin
   * @param compute from the last download of a stripe to its first upload
   * @param publish from the last upload of a stripe until it is encoded: calls of the file system,
   *     closing, verification, publication
   * @param pause between two stripes of a process
   */
  public record Overheads(double start, double compute, double publish, double pause) {}

  /** The node that writes a block. */
  public enum Writer {
    /** A random node. */
    ANY,

    /** A random client; clients store nothing. */
    CLIENT,

    /** The node of the first replica: HDFS places that replica on the writer. */
    FIRST_REPLICA
  }

  /** How a block is sent to the nodes of its replicas. */
  public enum WritePath {
    /** From one node to the next, the whole block at a time. */
    HOP_BY_HOP,

    /** Through a pipeline of all nodes, at the rate of its slowest link, as in HDFS. */
    PIPELINE
  }

  /**
   * Writes of single blocks.
   *
   * @param rate blocks written a second
   * @param writer the node that writes
   * @param clients number of clients: the last nodes, which store and encode nothing
   * @param course how a block is sent
   * @param overheadSeconds time before the data of a write moves
   */
  public record Writes(
      double rate, Writer writer, int clients, WritePath course, double overheadSeconds) {
    public Writes {
      if (writer == Writer.CLIENT && clients < 1) {
        throw new IllegalArgumentException("no clients to write: must be at least 1");
      }
    }
  }

  /**
   * Reads of single blocks, of stripes that the processes encode and of others.
   *
   * @param rate blocks read a second
   * @param encodedBefore number of stripes that were encoded before the run
   * @param failedNodes number of random nodes that failed after these stripes were placed; their
   *     blocks are rebuilt for each read, and nothing else uses the nodes
   * @param degradedReads how lost blocks are rebuilt
   */
  public record Reads(
      double rate, int encodedBefore, int failedNodes, DegradedReads.Setting degradedReads) {}

  /**
   * Measurements of a run.
   *
   * @param encodeSeconds from the start of the processes until the last stripe is encoded
   * @param dataBytes bytes of data in the encoded stripes
   * @param encodedAt by stripe, when it was encoded, ascending, in seconds from the start
   * @param writeSeconds mean time of a write that began during encoding; NaN without any
   * @param writeRate mean rate of these writes in bytes a second; NaN without any
   * @param writeSecondsBefore mean time of a write that began before encoding; NaN without any
   * @param reads times of reads
   * @param crossRackBytes bytes between racks
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

  /** A run on an idle network. */
  public EncodingRun(Setting setting, SimulatedNetwork network, RandomStreams streams) {
    this.setting = setting;
    this.network = network;
    this.streams = streams;
    simulation = network.simulation();
    topology = network.fabric().topology();
    int storing = topology.nodes() - setting.writes().clients();
    stores = EligibleNodes.of(topology, node -> node < storing);
    Set<Integer> failed =
        streams
            .of("failures")
            .ints(0, storing)
            .distinct()
            .limit(setting.reads().failedNodes())
            .boxed()
            .collect(Collectors.toSet());
    up = stores.only(node -> !failed.contains(node));
    written = new WrittenStripes(setting, streams);
    store = new PreEncodingStore<>(setting.k());
    encoders = streams.of("encoders");
    writers = streams.of("writers");
    places = streams.of("places of written blocks");
  }

  /** Runs until all stripes are encoded and all writes and reads have ended. */
  public Result run() {
    Encoding work = setting.encoding();
    List<Deque<Stripe>> shares = written.shares(up);
    BackgroundTraffic background =
        new BackgroundTraffic(network, setting.background(), up::contains, streams);
    PoissonArrivals writes =
        new PoissonArrivals(
            simulation, setting.writes().rate(), streams.of("write arrivals"), this::write);
    List<Stripe> stripes = new ArrayList<>();
    shares.stream().distinct().forEach(stripes::addAll);
    ReadsDuringEncoding reads = reads(stripes);
    long start = Simulation.nanos(work.overheads().start());
    encoding = work.processes();
    for (Deque<Stripe> share : shares) {
      simulation.at(start, new EncodingProcess(share)::next);
    }
    while (encoding > 0 && simulation.step()) {}
    background.stop();
    writes.stop();
    reads.stop();
    simulation.run();
    network.conservation().verifyEnded();
    return new Result(
        Simulation.seconds(encodedUntil - start),
        (double) setting.blockBytes() * setting.k() * stripes.size(),
        encodedAt,
        during.value(),
        rates.value(),
        before.value(),
        reads.result(),
        network.crossRackBytes());
  }

  private ReadsDuringEncoding reads(List<Stripe> stripes) {
    Reads asked = setting.reads();
    List<Stripe> all = new ArrayList<>(stripes);
    List<Stripe> before = written.stripes("encoded before", asked.encodedBefore(), stores);
    before.forEach(Stripe::encoded);
    all.addAll(before);
    DegradedReads degradedReads = new DegradedReads(asked.degradedReads(), network);
    return new ReadsDuringEncoding(
        asked.rate(), all, up::contains, network, degradedReads, streams);
  }

  private void write() {
    long begin = simulation.now();
    boolean early = begin < Simulation.nanos(setting.encoding().overheads().start());
    int[] replicas = written.store(store, up, places).block().nodes();
    int writer =
        switch (setting.writes().writer()) {
          case ANY -> EncoderChoice.random(up, writers);
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
      case PIPELINE -> network.pipeline(writer, replicas, setting.blockBytes(), written);
    }
  }

  /** A process that encodes one stripe after the other. */
  private final class EncodingProcess {
    private final Deque<Stripe> left;
    private int node = -1;

    /**
     * A process before its first stripe.
     *
     * @param left the stripes to encode; processes may share them
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
                after(work.overheads().compute(), () -> publish(stripe));
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
                    work.overheads().compute(),
                    () -> upload(stripe, encoder, () -> publish(stripe))));
      }
    }

    private int encoder(int core) {
      EligibleNodes fits = up.only(other -> core < 0 || topology.rackOf(other) == core);
      if (setting.encoding().encoder() == Encoder.EACH_STRIPE || !fits.contains(node)) {
        node = EncoderChoice.random(fits, encoders);
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
      Overheads overheads = setting.encoding().overheads();
      after(
          overheads.publish(),
          () -> {
            encodedUntil = Math.max(encodedUntil, simulation.now());
            encodedAt.add(Simulation.seconds(simulation.now()) - overheads.start());
            stripe.encoded();
            after(overheads.pause(), this::next);
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

  /** Moves blocks one after the other. */
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
      // A block that stays on its node is still read or written.
      network.disk(source, setting.blockBytes(), moved);
    } else {
      network.send(source, target, setting.blockBytes(), moved);
    }
  }
}
