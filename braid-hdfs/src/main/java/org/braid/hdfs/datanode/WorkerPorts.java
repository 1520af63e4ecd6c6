package org.braid.hdfs.datanode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.braid.code.SubBlock;
import org.braid.engine.Ports;
import org.braid.engine.SliceSink;
import org.braid.engine.SliceSource;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.ReadOpProto;
import org.braid.hdfs.proto.BraidProtos.StoreOpProto;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.StreamClient;
import org.braid.hdfs.rpc.StreamSecurity;

/** What the fragment of one request reads, sends, receives and stores on this DataNode. */
final class WorkerPorts implements Ports {
  private final Replicas replicas;
  private final StreamServer streams;
  private final StagingFiles files;
  private final ExecuteRequestProto request;
  private final Map<Integer, PeerProto> peers;
  private final Map<SubBlock, ReadOpProto> reads = new HashMap<>();
  private final Map<SubBlock, StoreOpProto> stores = new HashMap<>();
  private final Map<Integer, StreamSink> sending = new HashMap<>();

  WorkerPorts(
      Replicas replicas, StreamServer streams, StagingFiles files, ExecuteRequestProto request) {
    this.replicas = replicas;
    this.streams = streams;
    this.files = files;
    this.request = request;
    peers = FragmentCodec.peers(request);
    for (OpProto op : request.getOpsList()) {
      if (op.hasRead()) {
        reads.put(FragmentCodec.subBlock(op.getRead().getSource()), op.getRead());
      } else if (op.hasStore()) {
        stores.put(FragmentCodec.subBlock(op.getStore().getTarget()), op.getStore());
      }
    }
  }

  @Override
  public SliceSource read(SubBlock source) throws IOException {
    ReadOpProto read = Objects.requireNonNull(reads.get(source));
    return LocalReplicaReader.open(replicas, replicas.block(read.getBlock()), read.getOffset());
  }

  @Override
  public SliceSource receive(int stream, int from) throws IOException {
    PeerProto peer = Objects.requireNonNull(peers.get(from));
    return StreamClient.open(
        replicas.node().getConf(),
        peer.getHost(),
        peer.getPort(),
        request.getRun(),
        stream,
        request.getLength(),
        security());
  }

  /** Any token that this block pool's DataNodes accept proves that we are one of them. */
  private StreamSecurity security() throws IOException {
    DataNode node = replicas.node();
    ExtendedBlock none = new ExtendedBlock(replicas.blockPool(), 0);
    return StreamSecurity.sasl(
        node.getSaslClient(),
        node.getDataEncryptionKeyFactoryForBlock(none),
        node.getBlockAccessToken(
            none,
            EnumSet.of(AccessMode.READ),
            new StorageType[] {StorageType.DEFAULT},
            new String[] {""}),
        node.getXferAddress().getPort());
  }

  @Override
  public SliceSink send(int stream, int to) throws IOException {
    StreamSink sink = streams.open(request.getRun(), stream, to, request.getLength());
    sending.put(stream, sink);
    return sink;
  }

  @Override
  public SliceSink store(SubBlock target) throws IOException {
    if (target.index() != 0) {
      throw new IOException(
          "bad request: "
              + target
              + " cannot be stored: HDFS writes blocks from front to back, so codes of more than 1"
              + " sub-block a block can be read and repaired for readers, not stored");
    }
    StoreOpProto store = Objects.requireNonNull(stores.get(target));
    return store.hasRebuild()
        ? ReplicaWriter.open(replicas, store.getRebuild(), request.getLength())
        : ParityWriter.open(
            replicas, files.get(), store.getParity().getPath(), request.getLength());
  }

  /** Ends all streams sent; those that are not complete fail at their receivers for this reason. */
  void end(String reason) {
    List<Integer> ids = new ArrayList<>(sending.keySet());
    for (int stream : ids) {
      streams.remove(request.getRun(), stream);
      Objects.requireNonNull(sending.get(stream)).end(reason);
    }
  }
}
