package org.braid.hdfs.client;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
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

  private final Configuration conf;
  private final UserGroupInformation user;
  private final List<InetSocketAddress> addresses;
  private final Map<InetSocketAddress, BraidNameNodePB> stubs = new HashMap<>();
  private int active;
  private boolean warned;
  private volatile long absentSince;
  private volatile boolean absent;
  private volatile @Nullable Nodes nodes;

  private record Nodes(Map<String, DatanodeProto> byUuid, long since) {}

  NameNodeCalls(URI uri, Configuration conf) throws IOException {
    this.user = UserGroupInformation.getCurrentUser();
    this.addresses = addresses(uri, conf);
    this.conf = new Configuration(conf);
    if (addresses.size() > 1) {
      // The other one is asked at once.
      this.conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    }
  }

  private static List<InetSocketAddress> addresses(URI uri, Configuration conf) {
    if (!HAUtilClient.isLogicalUri(conf, uri)) {
      return List.of(Rpc.nameNodeAddress(conf, uri));
    }
    Map<String, InetSocketAddress> byName =
        DFSUtilClient.getHaNnRpcAddresses(conf).get(uri.getHost());
    if (byName == null || byName.isEmpty()) {
      throw new IllegalArgumentException("no NameNode address is configured for " + uri);
    }
    return List.copyOf(byName.values());
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
    Nodes known = nodes;
    if (known == null || System.nanoTime() - known.since > NODES_NANOS) {
      ClusterResponseProto cluster =
          call(
              stub -> () -> stub.cluster(null, ClusterRequestProto.getDefaultInstance()),
              ClusterResponseProto.newBuilder().setBlockPool("").setSafeMode(false).build());
      Map<String, DatanodeProto> byUuid = new HashMap<>();
      cluster.getDatanodesList().forEach(node -> byUuid.put(node.getUuid(), node));
      known = new Nodes(Map.copyOf(byUuid), System.nanoTime());
      nodes = known;
    }
    return known.byUuid;
  }

  private <T> T call(Function<BraidNameNodePB, Rpc.Call<T>> question, T withoutBraid)
      throws IOException {
    if (absent()) {
      return withoutBraid;
    }
    List<IOException> failures = new ArrayList<>();
    for (int tries = 0; tries < addresses.size(); tries++) {
      int index = active();
      try {
        BraidNameNodePB stub = stub(addresses.get(index));
        T answer = Rpc.call(question.apply(stub));
        absent = false;
        return answer;
      } catch (RpcNoSuchProtocolException e) {
        noteAbsent(addresses.get(index));
        return withoutBraid;
      } catch (StandbyException | java.net.SocketException | java.net.SocketTimeoutException e) {
        failures.add(e);
        passOn(index);
      }
    }
    IOException last = failures.remove(failures.size() - 1);
    failures.forEach(last::addSuppressed);
    throw last;
  }

  private synchronized int active() {
    return active;
  }

  private synchronized void passOn(int failed) {
    if (active == failed) {
      active = (failed + 1) % addresses.size();
    }
  }

  private synchronized void noteAbsent(InetSocketAddress address) {
    absentSince = System.nanoTime();
    absent = true;
    if (!warned) {
      warned = true;
      LOG.warn(
          "the NameNode at {} does not know Braid: files are read as plain HDFS files, lost blocks"
              + " are not rebuilt",
          address);
    }
  }

  private synchronized BraidNameNodePB stub(InetSocketAddress address) throws IOException {
    BraidNameNodePB stub = stubs.get(address);
    if (stub == null) {
      stub = As.user(user, () -> Rpc.nameNode(conf, address));
      stubs.put(address, stub);
    }
    return stub;
  }

  @Override
  public synchronized void close() {
    stubs.values().forEach(Rpc::stop);
    stubs.clear();
  }
}
