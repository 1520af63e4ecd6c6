package org.braid.hdfs.datanode.peers;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.Failover;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.datanode.limits.KnownPeers;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StatusCodec;
import org.jspecify.annotations.Nullable;

/** Looks up other DataNodes of a block pool as this DataNode's user, starting at the first use. */
public final class PeerLookup implements Closeable {
  private static final int FAILOVERS = 4;
  private static final long PING_MILLIS = 3000;

  private final Supplier<Configuration> conf;
  private final PerConfiguration<NameNodeLink> nameNode;
  private final KnownPeers known =
      new KnownPeers(this::registered, this::streamPort, Time::monotonicNow);
  private @Nullable Workers workers;

  /**
   * Creates a look-up at a NameNode.
   *
   * @param conf returns the configuration of the DataNode
   * @param nameNode finds the NameNode in the configuration, or several of which one is active
   */
  public PeerLookup(Supplier<Configuration> conf, PoolNameNodes.Lookup nameNode) {
    this.conf = conf;
    this.nameNode =
        new PerConfiguration<>(
            conf, present -> new NameNodeLink(nameNode.uri(present), impatient(present)));
  }

  private static Configuration impatient(Configuration present) {
    Configuration conf = new Configuration(present);
    conf.setInt(Failover.MAX_ATTEMPTS_KEY, FAILOVERS);
    return conf;
  }

  /** The DataNodes that callers may name. */
  public KnownPeers known() {
    return known;
  }

  private Optional<Datanode> registered(String uuid) throws IOException {
    ClusterRequestProto request = ClusterRequestProto.newBuilder().addUuids(uuid).build();
    try (PerConfiguration.Held<NameNodeLink> link = nameNode.hold()) {
      ClusterResponseProto answer = link.one().ask(stub -> () -> stub.cluster(null, request));
      return named(answer, uuid);
    }
  }

  /**
   * Finds a node in an answer; a NameNode of an earlier version returns all nodes, even if one is
   * named.
   */
  static Optional<Datanode> named(ClusterResponseProto answer, String uuid) {
    return answer.getDatanodesList().stream()
        .filter(node -> node.getUuid().equals(uuid))
        .findFirst()
        .map(StatusCodec::of);
  }

  private int streamPort(Datanode node) throws IOException {
    Workers all = workers();
    all.doubt(node);
    Workers.Answers answers = all.reach(List.of(node));
    Worker worker = answers.reached().get(node.uuid());
    if (worker == null) {
      throw new IOException(
          "the worker of %s does not answer: %s"
              .formatted(node.host(), answers.unreached().get(node.uuid())));
    }
    return worker.answer().getStreamPort();
  }

  private synchronized Workers workers() throws IOException {
    Workers present = workers;
    if (present == null) {
      present = new Workers(impatient(conf.get()), PING_MILLIS);
      workers = present;
    }
    return present;
  }

  @Override
  public void close() throws IOException {
    try {
      nameNode.close();
    } finally {
      closeWorkers();
    }
  }

  private synchronized void closeWorkers() {
    if (workers != null) {
      workers.close();
    }
  }
}
