package org.braid.hdfs.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.braid.code.ErasureCode;
import org.braid.code.SubBlock;
import org.braid.engine.CellLayout;
import org.braid.engine.EngineContract;
import org.braid.engine.EngineRun;
import org.braid.engine.Link;
import org.braid.engine.Outcome;
import org.braid.hdfs.embedded.EmbeddedCluster;
import org.braid.hdfs.embedded.EmbeddedSettings;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.BytesProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.testing.ExactFiles;
import org.braid.plan.Fragment;
import org.braid.plan.Plan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The fourth engine: blocks on DataNodes, fragments on their workers. */
final class HdfsEngineContractTest extends EngineContract {
  private static final int NODES = SPARE + 1;
  private static final int SLICE = 1000;
  private static final int BLOCK = 32 << 10;

  /** Neither a divisor nor a multiple of a slice. */
  private static final int CELL = 700;

  private final ExecutorService threads = Executors.newFixedThreadPool(NODES);
  private final List<BraidWorkerPB> workers = new ArrayList<>();
  private final List<PeerProto> peers = new ArrayList<>();
  private EmbeddedCluster cluster;
  private DistributedFileSystem fs;
  private ExactFiles exact;
  private int runs;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    cluster = EmbeddedCluster.start(new EmbeddedSettings(4, NODES, BLOCK, directory, Map.of()));
    fs = cluster.fileSystem();
    exact = new ExactFiles(cluster, fs);
    for (int i = 0; i < NODES; i++) {
      int port = cluster.dataNode(i).getIpcPort();
      BraidWorkerPB worker = Rpc.worker(cluster.configuration(), "127.0.0.1", port);
      workers.add(worker);
      int streams =
          Rpc.call(() -> worker.ping(null, PingRequestProto.getDefaultInstance())).getStreamPort();
      peers.add(PeerProto.newBuilder().setNode(i).setHost("127.0.0.1").setPort(streams).build());
    }
  }

  @AfterAll
  void stop() throws IOException {
    threads.shutdown();
    workers.forEach(Rpc::stop);
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

  @Override
  protected EngineRun run(
      Plan plan, ErasureCode code, Map<Integer, Map<SubBlock, byte[]>> blocks, int length)
      throws Exception {
    String id = String.format(Locale.ROOT, "%032x", ++runs);
    CellLayout layout = new CellLayout(code.alpha(), CELL, length);
    Map<Integer, BlockProto> written = write(id, blocks, layout);
    Map<Integer, CompletableFuture<ExecuteResponseProto>> answers = new LinkedHashMap<>();
    for (Fragment fragment : plan.fragments()) {
      ExecuteRequestProto request =
          FragmentCodec.layOut(
                  FragmentCodec.requestFor(
                      fragment,
                      id,
                      length,
                      SLICE,
                      source ->
                          new ReadSource(Objects.requireNonNull(written.get(source.block())), 0),
                      target -> StoreTarget.parity(path(id, target.block(), fragment.node())),
                      peers::get),
                  layout)
              .build();
      BraidWorkerPB worker = workers.get(fragment.node());
      answers.put(
          fragment.node(),
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return Rpc.call(() -> worker.execute(null, request));
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              },
              threads));
    }
    EngineRun run = collect(id, plan, layout, answers);
    fs.delete(new org.apache.hadoop.fs.Path(BraidPaths.stagingDirectory(id)), true);
    return run;
  }

  private Map<Integer, BlockProto> write(
      String id, Map<Integer, Map<SubBlock, byte[]>> blocks, CellLayout layout) throws Exception {
    Map<Integer, CompletableFuture<BlockProto>> writing = new HashMap<>();
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
    Map<Integer, BlockProto> written = new HashMap<>();
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

  private BlockProto write(String id, int node, int position, byte[] bytes) {
    var path = new org.apache.hadoop.fs.Path(path(id, position, node));
    try {
      exact.writeOn(path, bytes, BLOCK, node);
      ExtendedBlock block = exact.located(path).get(0).getBlock();
      return BlockProto.newBuilder()
          .setId(block.getBlockId())
          .setGeneration(block.getGenerationStamp())
          .setLength(block.getNumBytes())
          .build();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private String path(String id, int position, int node) {
    return BraidPaths.stagingPath(id, position, cluster.uuid(node));
  }

  private EngineRun collect(
      String id,
      Plan plan,
      CellLayout layout,
      Map<Integer, CompletableFuture<ExecuteResponseProto>> answers)
      throws Exception {
    Map<Link, Long> bytes = new HashMap<>();
    Map<Integer, ExecuteResponseProto> responses = new LinkedHashMap<>();
    for (var entry : answers.entrySet()) {
      ExecuteResponseProto response = entry.getValue().get();
      responses.put(entry.getKey(), response);
      for (BytesProto sent : response.getSentList()) {
        bytes.merge(new Link(entry.getKey(), sent.getNode()), sent.getBytes(), Long::sum);
      }
    }
    Map<Integer, Outcome> outcomes = new HashMap<>();
    responses.forEach((node, response) -> outcomes.put(node, outcome(node, response, bytes)));
    Map<Integer, Map<SubBlock, byte[]>> stored = new HashMap<>();
    for (var store : plan.stores()) {
      stored
          .computeIfAbsent(store.node(), node -> new HashMap<>())
          .put(
              store.target(),
              part(
                  read(path(id, store.target().block(), store.node()), store.node()),
                  store.target().index(),
                  layout));
    }
    return new EngineRun(stored, bytes, outcomes);
  }

  /** Workers answer what they sent; what a node received is what others sent to it. */
  private static Outcome outcome(int node, ExecuteResponseProto response, Map<Link, Long> bytes) {
    Map<Integer, Long> sent = new HashMap<>();
    response.getSentList().forEach(s -> sent.merge(s.getNode(), s.getBytes(), Long::sum));
    Map<Integer, Long> received = new HashMap<>();
    bytes.forEach(
        (link, count) -> {
          if (link.to() == node) {
            received.put(link.from(), count);
          }
        });
    return new Outcome(
        FragmentCodec.crcs(response.getReadsList()),
        FragmentCodec.crcs(response.getStoresList()),
        sent,
        received,
        response.getCpuNanos(),
        response.getReadNanos(),
        response.getWaitNanos());
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
