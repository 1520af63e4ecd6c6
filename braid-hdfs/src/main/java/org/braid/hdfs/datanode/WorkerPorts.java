package org.braid.hdfs.datanode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.braid.code.SubBlock;
import org.braid.engine.Ports;
import org.braid.engine.SliceSink;
import org.braid.engine.SliceSource;
import org.braid.engine.WatchedSource;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.datanode.peers.PerConfiguration;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.ReadOpProto;
import org.braid.hdfs.proto.BraidProtos.StoreOpProto;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.StreamClient;
import org.braid.hdfs.rpc.StreamSecurity;
import org.braid.hdfs.stripe.StripeCodec;
import org.jspecify.annotations.Nullable;

/** The reads, streams and stores of one request's fragment on this DataNode. */
final class WorkerPorts implements Ports {
  private final Replicas replicas;
  private final ReplicaCache cache;
  private final StreamServer streams;
  private final StagingFiles files;
  private final ExecuteRequestProto request;
  private final Map<Integer, PeerProto> peers;
  private final Map<SubBlock, ReadOpProto> reads = new HashMap<>();
  private final Map<SubBlock, StoreOpProto> stores = new HashMap<>();
  private final Map<Integer, StreamSink> sending = new HashMap<>();
  private volatile OptionalInt waitsFor = OptionalInt.empty();
  private final CellLayout layout;
  private final Iterator<ByteBuffer> windows;
  private final Map<Integer, CellReader> reading = new HashMap<>();
  private final Map<Integer, BlockAssembly> assembling = new HashMap<>();
  private PerConfiguration.@Nullable Held<DistributedFileSystem> held;

  /**
   * Creates the ports.
   *
   * @param layout layout of sub-blocks in the request's blocks
   * @param windows a buffer of {@link BlockAssembly#window} bytes for each stored sub-block of a
   *     block with several
   */
  WorkerPorts(
      Replicas replicas,
      ReplicaCache cache,
      StreamServer streams,
      StagingFiles files,
      ExecuteRequestProto request,
      CellLayout layout,
      List<ByteBuffer> windows) {
    this.replicas = replicas;
    this.cache = cache;
    this.streams = streams;
    this.files = files;
    this.request = request;
    this.layout = layout;
    this.windows = windows.iterator();
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
    if (layout.alpha() == 1) {
      return replica(read, read.getOffset());
    }
    CellReader reader = reading.get(source.block());
    if (reader == null) {
      reader =
          new CellReader(
              replica(read, 0),
              layout,
              readsAll(source.block(), read) ? CellReader.Whole.YES : CellReader.Whole.NO);
      reading.put(source.block(), reader);
    }
    return reader.part(source.index(), read.getOffset());
  }

  private SliceSource replica(ReadOpProto read, long base) throws IOException {
    ExtendedBlock block = replicas.block(StripeCodec.of(read.getBlock()));
    if (!cache.enabled()) {
      return LocalReplicaReader.open(replicas, block, base);
    }
    LocalReplicaReader disk = LocalReplicaReader.open(replicas, block, 0);
    try {
      return CachedReader.of(disk, cache, base);
    } catch (IOException e) {
      disk.close();
      throw e;
    }
  }

  private boolean readsAll(int block, ReadOpProto like) {
    return request.getLength() == layout.unit()
        && IntStream.range(0, layout.alpha())
            .allMatch(i -> isOf(like, reads.get(new SubBlock(block, i))));
  }

  private static boolean isOf(ReadOpProto like, @Nullable ReadOpProto read) {
    return read != null && read.getBlock().equals(like.getBlock());
  }

  @Override
  public SliceSource receive(int stream, int from) throws IOException {
    PeerProto peer = Objects.requireNonNull(peers.get(from));
    SliceSource source =
        StreamClient.open(
            replicas.node().getConf(),
            peer.getHost(),
            peer.getPort(),
            request.getRun(),
            stream,
            request.getLength(),
            security());
    return new WatchedSource(
        source,
        new WatchedSource.Watcher() {
          @Override
          public void waiting() {
            waitsFor = OptionalInt.of(from);
          }

          @Override
          public void arrived() {
            waitsFor = OptionalInt.empty();
          }

          @Override
          public void failed(IOException cause) {
            waitsFor = OptionalInt.empty();
          }
        });
  }

  /** The node whose stream the fragment waits for now. */
  OptionalInt waitsFor() {
    return waitsFor;
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
    if (layout.alpha() == 1) {
      if (target.index() != 0) {
        throw new IOException(
            "bad request: " + target + " cannot be stored: it does not say how blocks are cut");
      }
      return open(target);
    }
    BlockAssembly block = assembling.get(target.block());
    if (block == null) {
      List<ByteBuffer> own = new ArrayList<>();
      for (int i = 0; i < layout.alpha(); i++) {
        own.add(windows.next());
      }
      block = new BlockAssembly(open(target), layout, own);
      assembling.put(target.block(), block);
    }
    return block.part(target.index());
  }

  /** Opens the block that a sub-block is to be stored in. */
  private SliceSink open(SubBlock target) throws IOException {
    StoreOpProto store = Objects.requireNonNull(stores.get(target));
    return store.hasRebuild()
        ? ReplicaWriter.open(replicas, store.getRebuild(), layout.blockLength())
        : ParityWriter.open(replicas, files(), store.getParity(), layout.blockLength());
  }

  /** The client that writes parity, the same until the fragment ends. */
  private DistributedFileSystem files() throws IOException {
    PerConfiguration.Held<DistributedFileSystem> present = held;
    if (present == null) {
      present = files.hold();
      held = present;
    }
    return present.one();
  }

  /** The CRC-32C of each block with several sub-blocks that was read completely. */
  Map<Integer, Integer> readBlocks() {
    Map<Integer, Integer> crcs = new TreeMap<>();
    reading.forEach((block, reader) -> reader.crc().ifPresent(crc -> crcs.put(block, crc)));
    return crcs;
  }

  /** The CRC-32C of each block with several sub-blocks that was stored. */
  Map<Integer, Integer> storedBlocks() {
    Map<Integer, Integer> crcs = new TreeMap<>();
    assembling.forEach((block, parts) -> crcs.put(block, parts.crc()));
    return crcs;
  }

  /** Bytes sent so far, by the number of the receiving node. */
  Map<Integer, Long> sentBytes() {
    Map<Integer, Long> bytes = new TreeMap<>();
    sending.values().forEach(sink -> bytes.merge(sink.to(), sink.written(), Long::sum));
    return bytes;
  }

  /**
   * Ends all sent streams; incomplete ones fail at their receivers with this reason. Nothing more
   * is stored.
   */
  void end(String reason) {
    List<Integer> ids = new ArrayList<>(sending.keySet());
    for (int stream : ids) {
      streams.remove(request.getRun(), stream);
      Objects.requireNonNull(sending.get(stream)).end(reason);
    }
    if (held != null) {
      held.close();
    }
  }
}
