package org.braid.hdfs.client;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.Rpc;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's questions to Braid in the NameNode: to the active one of several, and none for a while
 * when that NameNode does not know Braid. Thread-safe.
 */
final class NameNodeCalls implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeCalls.class);
  private static final long ABSENT_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long NODES_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final NameNodeLink link;
  private boolean warned;
  private volatile long absentSince;
  private volatile boolean absent;
  private volatile @Nullable Nodes nodes;

  /**
   * The cluster as it was a moment ago.
   *
   * @param byUuid the DataNodes by UUID
   * @param callerRack where this client is; empty when that is unknown
   * @param since when that was
   */
  record Nodes(Map<String, DatanodeProto> byUuid, Optional<String> callerRack, long since) {}

  NameNodeCalls(NameNodeLink link) {
    this.link = link;
  }

  /** Whether the NameNode does not know Braid, as far as the last minute tells. */
  boolean absent() {
    return absent && System.nanoTime() - absentSince < ABSENT_NANOS;
  }

  /**
   * The stripes that hold blocks of a file; none where the NameNode does not know Braid.
   *
   * @param path a file that the caller may read and that owns the blocks
   */
  StripesResponseProto stripes(String path, List<Long> blockIds) throws IOException {
    StripesRequestProto request =
        StripesRequestProto.newBuilder()
            .addAllBlockIds(blockIds)
            .setReadingPath(path)
            .setWithTokens(true)
            .build();
    return call(
        stub -> () -> stub.stripes(null, request),
        StripesResponseProto.newBuilder().setMore(false).build());
  }

  /** The DataNodes by UUID, a second old at most. */
  Map<String, DatanodeProto> nodes() throws IOException {
    return cluster().byUuid;
  }

  /** The cluster, a few seconds old at most. */
  Nodes cluster() throws IOException {
    Nodes known = nodes;
    if (known == null || System.nanoTime() - known.since > NODES_NANOS) {
      ClusterResponseProto cluster =
          call(
              stub -> () -> stub.cluster(null, ClusterRequestProto.getDefaultInstance()),
              ClusterResponseProto.newBuilder().setBlockPool("").setSafeMode(false).build());
      Map<String, DatanodeProto> byUuid = new HashMap<>();
      cluster.getDatanodesList().forEach(node -> byUuid.put(node.getUuid(), node));
      Optional<String> rack =
          cluster.hasCallerRack() ? Optional.of(cluster.getCallerRack()) : Optional.empty();
      known = new Nodes(Map.copyOf(byUuid), rack, System.nanoTime());
      nodes = known;
    }
    return known;
  }

  private <T> T call(Function<BraidNameNodePB, Rpc.Call<T>> question, T withoutBraid)
      throws IOException {
    if (absent()) {
      return withoutBraid;
    }
    try {
      T answer = link.ask(question);
      absent = false;
      return answer;
    } catch (RpcNoSuchProtocolException e) {
      noteAbsent();
      return withoutBraid;
    }
  }

  private synchronized void noteAbsent() {
    absentSince = System.nanoTime();
    absent = true;
    if (!warned) {
      warned = true;
      LOG.warn(
          "the NameNode at {} does not know Braid: files are read as plain HDFS files, lost blocks"
              + " are not rebuilt",
          link.address());
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
