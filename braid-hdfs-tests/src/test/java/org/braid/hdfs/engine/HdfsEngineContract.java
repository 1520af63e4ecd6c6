package org.braid.hdfs.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.braid.code.ErasureCode;
import org.braid.code.SubBlock;
import org.braid.engine.EngineContract;
import org.braid.engine.PlanResult;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.testing.ExactFiles;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.plan.Plan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The product's engine: blocks on DataNodes, fragments on their workers. */
abstract class HdfsEngineContract extends EngineContract implements HdfsJob.Nodes {
  private static final int NODES = SPARE + 1;
  static final int SLICE = 1000;
  private static final int BLOCK = 32 << 10;

  /** Neither a divisor nor a multiple of a slice. */
  private static final int CELL = 700;

  private final ExecutorService threads = Executors.newFixedThreadPool(NODES);
  private final Map<Integer, Worker> workerOf = new HashMap<>();
  private Workers workers;
  private HdfsEngine engine;
  EmbeddedCluster cluster;
  DistributedFileSystem fs;
  private ExactFiles exact;
  private int runs;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    cluster = EmbeddedCluster.start(new EmbeddedSettings(4, NODES, BLOCK, directory, Map.of()));
    fs = cluster.fileSystem();
    exact = new ExactFiles(cluster, fs);
    workers = new Workers(cluster.configuration(), 5000);
    engine = new HdfsEngine(workers);
    try (NameNodeLink link = new NameNodeLink(fs.getUri(), cluster.configuration())) {
      List<Datanode> nodes =
          link
              .ask(stub -> () -> stub.cluster(null, ClusterRequestProto.getDefaultInstance()))
              .getDatanodesList()
              .stream()
              .map(StatusCodec::of)
              .toList();
      Map<String, Worker> answers = workers.ping(nodes).reached();
      for (int i = 0; i < NODES; i++) {
        workerOf.put(i, Objects.requireNonNull(answers.get(cluster.uuid(i))));
      }
    }
  }

  @AfterAll
  void stop() throws IOException {
    threads.shutdown();
    workers.close();
    fs.close();
    cluster.close();
  }

  @Override
  protected int sliceBytes() {
    return SLICE;
  }

  @Override
  protected List<Integer> lengths() {
    return List.of(2 * SLICE + 17);
  }

  /**
   * All of the smallest code; of the wider ones the repairs of two blocks for two nodes; of those
   * with sub-blocks encodings and one repair of each shape.
   */
  @Override
  protected List<Scenario> scenarios() {
    return super.scenarios().stream()
        .filter(
            s ->
                s.code().alpha() == 1
                    ? s.code().name().startsWith("rs-3-2") || s.title().endsWith("two nodes")
                    : s.title().matches("encoding at node 15|pipelined encoding|.* of 0 from .*"))
        .toList();
  }

  /** The node of a plan that is this process, if any is. */
  abstract Optional<LocalNode> local(Plan plan, CellLayout layout, Map<SubBlock, byte[]> stored);

  @Override
  protected PlanResult run(
      Plan plan, ErasureCode code, Map<Integer, Map<SubBlock, byte[]>> blocks, int length)
      throws Exception {
    String id = String.format(Locale.ROOT, "%032x", ++runs);
    CellLayout layout = new CellLayout(code.alpha(), CELL, length);
    Map<Integer, BlockIdentity> written = write(id, blocks, layout);
    Map<SubBlock, Integer> storedAt = new HashMap<>();
    plan.stores().forEach(store -> storedAt.put(store.target(), store.node()));
    Map<SubBlock, byte[]> here = new HashMap<>();
    HdfsJob job =
        new HdfsJob(
            plan,
            this,
            layout,
            length,
            SLICE,
            source -> new ReadSource(Objects.requireNonNull(written.get(source.block())), 0),
            target ->
                StoreTarget.parity(
                    path(id, target.block(), Objects.requireNonNull(storedAt.get(target)))),
            local(plan, layout, here));
    HdfsRun running = engine.prepare(job);
    running.run();
    HdfsResult result = running.settled();
    Map<Integer, Map<SubBlock, byte[]>> stored = new HashMap<>();
    for (var store : plan.stores()) {
      byte[] bytes =
          job.isLocal(store.node())
              ? here.get(store.target())
              : part(
                  read(path(id, store.target().block(), store.node()), store.node()),
                  store.target().index(),
                  layout);
      stored.computeIfAbsent(store.node(), node -> new HashMap<>()).put(store.target(), bytes);
    }
    fs.delete(new org.apache.hadoop.fs.Path(BraidPaths.stagingDirectory(id)), true);
    return new PlanResult(stored, result.links(), result.outcomes());
  }

  @Override
  public Optional<Worker> worker(int node) {
    return Optional.ofNullable(workerOf.get(node));
  }

  @Override
  public String name(int node) {
    return "node " + node;
  }

  private Map<Integer, BlockIdentity> write(
      String id, Map<Integer, Map<SubBlock, byte[]>> blocks, CellLayout layout) throws Exception {
    Map<Integer, CompletableFuture<BlockIdentity>> writing = new HashMap<>();
    blocks.forEach(
        (node, held) ->
            held.keySet().stream()
                .map(SubBlock::block)
                .distinct()
                .forEach(
                    block ->
                        writing.put(
                            block,
                            CompletableFuture.supplyAsync(
                                () -> write(id, node, block, joined(held, block, layout)),
                                threads))));
    Map<Integer, BlockIdentity> written = new HashMap<>();
    for (var entry : writing.entrySet()) {
      written.put(entry.getKey(), entry.getValue().get());
    }
    return written;
  }

  private static byte[] joined(Map<SubBlock, byte[]> held, int block, CellLayout layout) {
    byte[] bytes = new byte[(int) layout.blockLength()];
    for (int s = 0; s < layout.alpha(); s++) {
      byte[] part = Objects.requireNonNull(held.get(new SubBlock(block, s)));
      for (int i = 0; i < part.length; i++) {
        bytes[(int) layout.inBlock(s, i)] = part[i];
      }
    }
    return bytes;
  }

  private static byte[] part(byte[] block, int index, CellLayout layout) {
    byte[] part = new byte[(int) layout.unit()];
    for (int i = 0; i < part.length; i++) {
      part[i] = block[(int) layout.inBlock(index, i)];
    }
    return part;
  }

  private BlockIdentity write(String id, int node, int position, byte[] bytes) {
    var path = new org.apache.hadoop.fs.Path(path(id, position, node));
    try {
      exact.writeOn(path, bytes, BLOCK, node);
      ExtendedBlock block = exact.located(path).get(0).getBlock();
      return new BlockIdentity(block.getBlockId(), block.getGenerationStamp(), block.getNumBytes());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private String path(String id, int position, int node) {
    return BraidPaths.stagingPath(id, position, cluster.uuid(node));
  }

  /** Reads a stored block back, from the node that it must be on. */
  private byte[] read(String name, int node) throws IOException {
    var path = new org.apache.hadoop.fs.Path(name);
    Stream<String> homes =
        Stream.of(exact.located(path).get(0).getLocations()).map(l -> l.getDatanodeUuid());
    List<String> found = homes.toList();
    if (!found.equals(List.of(cluster.uuid(node)))) {
      throw new IOException(name + " is on " + found + ", not on node " + node);
    }
    try (FSDataInputStream in = fs.open(path)) {
      return in.readAllBytes();
    }
  }
}
