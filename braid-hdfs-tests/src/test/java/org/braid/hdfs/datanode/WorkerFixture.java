package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.braid.code.SubBlock;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.plan.Fragment;
import org.braid.plan.Plan;
import org.braid.testing.Await;

/** A cluster whose workers are told what to run by hand; a plan's node i is DataNode i. */
final class WorkerFixture implements Closeable {
  static final int BLOCK_SIZE = 1 << 20;
  static final int SLICE = 16 << 10;

  final EmbeddedCluster cluster;
  final DistributedFileSystem fs;
  private final Path directory;
  private final Map<Integer, BraidWorkerPB> workers = new HashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private int runs;

  private WorkerFixture(EmbeddedCluster cluster, Path directory) throws IOException {
    this.cluster = cluster;
    this.directory = directory;
    fs = cluster.fileSystem();
  }

  static WorkerFixture start(Path directory, int nodes, Map<String, String> properties)
      throws IOException {
    EmbeddedCluster cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(nodes, nodes, BLOCK_SIZE, directory, properties));
    return new WorkerFixture(cluster, directory);
  }

  DataNode node(int index) {
    return cluster.dataNode(index);
  }

  Replicas replicas(int index) {
    return new Replicas(node(index), cluster.nameNode().getNamesystem().getBlockPoolId());
  }

  synchronized BraidWorkerPB worker(int index) throws IOException {
    BraidWorkerPB known = workers.get(index);
    if (known == null) {
      known = connect(index);
      workers.put(index, known);
    }
    return known;
  }

  /** Connects anew to a worker that was restarted. */
  synchronized void forget(int index) {
    BraidWorkerPB known = workers.remove(index);
    if (known != null) {
      Rpc.stop(known);
    }
  }

  BraidWorkerPB connect(int index) throws IOException {
    return Rpc.workers(cluster.configuration()).at("127.0.0.1", node(index).getIpcPort(), "");
  }

  PingResponseProto ping(int index) throws IOException {
    BraidWorkerPB worker = worker(index);
    return Rpc.call(() -> worker.ping(null, PingRequestProto.getDefaultInstance()));
  }

  int verify(int index, BlockProto block) throws IOException {
    BraidWorkerPB worker = worker(index);
    VerifyRequestProto request = VerifyRequestProto.newBuilder().setBlock(block).build();
    return Rpc.call(() -> worker.verify(null, request)).getCrc32C();
  }

  PeerProto peer(int index) {
    try {
      return PeerProto.newBuilder()
          .setNode(index)
          .setHost("127.0.0.1")
          .setPort(ping(index).getStreamPort())
          .setUuid(cluster.uuid(index))
          .build();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Writes a file of one block whose only replica is on a node. */
  BlockProto write(String path, int node, byte[] content) throws IOException {
    InetSocketAddress here =
        InetSocketAddress.createUnresolved("127.0.0.1", node(node).getXferPort());
    try (var out =
        fs.createFile(new org.apache.hadoop.fs.Path(path))
            .recursive()
            .overwrite(true)
            .replication((short) 1)
            .favoredNodes(new InetSocketAddress[] {here})
            .build()) {
      out.write(content);
    }
    LocatedBlock block = located(path);
    if (!block.getLocations()[0].getDatanodeUuid().equals(cluster.uuid(node))) {
      fail(
          path
              + " is not on node "
              + node
              + " but on "
              + java.util.Arrays.toString(block.getLocations())
              + " of "
              + cluster.uuid(0)
              + ", "
              + cluster.uuid(1));
    }
    return identity(block);
  }

  LocatedBlock located(String path) throws IOException {
    return fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).get(0);
  }

  static BlockProto identity(LocatedBlock located) {
    Block block = located.getBlock().getLocalBlock();
    return BlockProto.newBuilder()
        .setId(block.getBlockId())
        .setGeneration(block.getGenerationStamp())
        .setLength(block.getNumBytes())
        .build();
  }

  byte[] read(String path) throws IOException {
    try (var in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  /** Removes a replica from a node, as a lost disk would. */
  void lose(int node, BlockProto block) throws Exception {
    String pool = replicas(node).blockPool();
    node(node)
        .getFSDataset()
        .invalidate(
            pool, new Block[] {node(node).getFSDataset().getStoredBlock(pool, block.getId())});
    Await.until("the replica to go", () -> filesOf(node, block).isEmpty());
    // Else HDFS could take a copy that is rebuilt at once for a surplus one.
    Await.until("the NameNode to know that it went", () -> !isListed(node, block));
  }

  private boolean isListed(int node, BlockProto block) {
    for (DatanodeStorageInfo storage :
        cluster
            .nameNode()
            .getNamesystem()
            .getBlockManager()
            .getStorages(new Block(block.getId()))) {
      if (storage.getDatanodeDescriptor().getDatanodeUuid().equals(cluster.uuid(node))) {
        return true;
      }
    }
    return false;
  }

  /** All files of a node's disk, finalised or not, that belong to a block. */
  List<Path> filesOf(int node, BlockProto block) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("data" + node))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("blk_" + block.getId()))
          .toList();
    } catch (java.io.UncheckedIOException e) {
      return filesOf(node, block); // a file went away meanwhile
    }
  }

  /** The file with a block's content on a node. */
  Path file(int node, BlockProto block) throws IOException {
    return filesOf(node, block).stream()
        .filter(file -> !file.toString().endsWith(".meta"))
        .findFirst()
        .orElseThrow();
  }

  static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  synchronized String newRun() {
    return "%032x".formatted(++runs);
  }

  /** The request of a node's fragment. */
  ExecuteRequestProto.Builder request(
      Plan plan,
      int node,
      String run,
      long length,
      IntFunction<BlockProto> blocks,
      Function<SubBlock, StoreTarget> stores) {
    Fragment fragment = plan.fragment(node);
    return FragmentCodec.requestFor(
        fragment,
        run,
        length,
        SLICE,
        source -> new ReadSource(StripeCodec.of(blocks.apply(source.block())), 0),
        stores,
        this::peer);
  }

  Future<ExecuteResponseProto> execute(int node, ExecuteRequestProto request) throws IOException {
    BraidWorkerPB worker = worker(node);
    return threads.submit(() -> Rpc.call(() -> worker.execute(null, request)));
  }

  /** What becomes of the fragments of one run. */
  record Results(Map<Integer, Future<ExecuteResponseProto>> byNode) {
    Future<ExecuteResponseProto> of(int node) {
      return Objects.requireNonNull(byNode.get(node), "the plan has no such node");
    }

    ExecuteResponseProto response(int node) throws Exception {
      return of(node).get(30, TimeUnit.SECONDS);
    }

    /** The message with which a node's fragment fails, which it must do soon. */
    String failure(int node) {
      return WorkerFixture.failure(of(node));
    }

    /** What a node's fragment fails with. */
    Throwable cause(int node) {
      return WorkerFixture.cause(of(node));
    }
  }

  /** Has the workers run all fragments of a plan at the same time. */
  Results start(
      Plan plan,
      String run,
      long length,
      IntFunction<BlockProto> blocks,
      Function<SubBlock, StoreTarget> stores)
      throws IOException {
    Map<Integer, Future<ExecuteResponseProto>> results = new TreeMap<>();
    for (int node : plan.nodes()) {
      results.put(node, execute(node, request(plan, node, run, length, blocks, stores).build()));
    }
    return new Results(results);
  }

  /** The same, and waits until all have ended well. */
  Results run(
      Plan plan,
      long length,
      IntFunction<BlockProto> blocks,
      Function<SubBlock, StoreTarget> stores)
      throws Exception {
    Results results = start(plan, newRun(), length, blocks, stores);
    for (int node : plan.nodes()) {
      results.response(node);
    }
    return results;
  }

  /** The message with which a fragment fails, which it must do soon. */
  static String failure(Future<ExecuteResponseProto> result) {
    return String.valueOf(cause(result).getMessage());
  }

  private static Throwable cause(Future<ExecuteResponseProto> result) {
    ExecutionException e =
        assertThrows(ExecutionException.class, () -> result.get(20, TimeUnit.SECONDS));
    return Objects.requireNonNull(e.getCause());
  }

  Configuration configuration() {
    return cluster.configuration();
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    workers.values().forEach(Rpc::stop);
    fs.close();
    cluster.close();
  }
}
