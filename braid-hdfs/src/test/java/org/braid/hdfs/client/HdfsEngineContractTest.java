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

  private final ExecutorService threads = Executors.newFixedThreadPool(NODES);
  private final List<BraidWorkerPB> workers = new ArrayList<>();
  private final List<PeerProto> peers = new ArrayList<>();
  private EmbeddedCluster cluster;
  private DistributedFileSystem fs;
  private ExactFiles exact;
  private int runs;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    cluster = EmbeddedCluster.start(new EmbeddedSettings(4, NODES, 4096, directory, Map.of()));
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

  /** All of the smallest code; of the wider ones the repairs of two blocks for two nodes. */
  @Override
  protected List<Scenario> scenarios() {
    return super.scenarios().stream()
        .filter(s -> s.code().name().equals("rs-3-2") || s.title().endsWith("two nodes"))
        .toList();
  }

  @Override
  protected EngineRun run(
      Plan plan, ErasureCode code, Map<Integer, Map<SubBlock, byte[]>> blocks, int length)
      throws Exception {
    String id = String.format(Locale.ROOT, "%032x", ++runs);
    Map<SubBlock, BlockProto> written = write(id, blocks);
    Map<Integer, CompletableFuture<ExecuteResponseProto>> answers = new LinkedHashMap<>();
    for (Fragment fragment : plan.fragments()) {
      ExecuteRequestProto request =
          FragmentCodec.requestFor(
                  fragment,
                  id,
                  length,
                  SLICE,
                  source -> new ReadSource(Objects.requireNonNull(written.get(source)), 0),
                  target -> StoreTarget.parity(path(id, target, fragment.node())),
                  peers::get)
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
    EngineRun run = collect(id, plan, answers);
    fs.delete(new org.apache.hadoop.fs.Path(BraidPaths.stagingDirectory(id)), true);
    return run;
  }

  private Map<SubBlock, BlockProto> write(String id, Map<Integer, Map<SubBlock, byte[]>> blocks)
      throws Exception {
    Map<SubBlock, CompletableFuture<BlockProto>> writing = new HashMap<>();
    blocks.forEach(
        (node, held) ->
            held.forEach(
                (subBlock, bytes) ->
                    writing.put(
                        subBlock,
                        CompletableFuture.supplyAsync(
                            () -> write(id, node, subBlock, bytes), threads))));
    Map<SubBlock, BlockProto> written = new HashMap<>();
    for (var entry : writing.entrySet()) {
      written.put(entry.getKey(), entry.getValue().get());
    }
    return written;
  }

  private BlockProto write(String id, int node, SubBlock subBlock, byte[] bytes) {
    var path = new org.apache.hadoop.fs.Path(path(id, subBlock, node));
    try {
      exact.writeOn(path, bytes, 4096, node);
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

  private String path(String id, SubBlock subBlock, int node) {
    return BraidPaths.stagingPath(id, subBlock.block(), cluster.uuid(node));
  }

  private EngineRun collect(
      String id, Plan plan, Map<Integer, CompletableFuture<ExecuteResponseProto>> answers)
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
          .put(store.target(), read(path(id, store.target(), store.node()), store.node()));
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
        response.getCpuNanos());
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
