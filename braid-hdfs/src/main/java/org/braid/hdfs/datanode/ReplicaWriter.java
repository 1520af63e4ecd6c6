package org.braid.hdfs.datanode;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSPacket;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockConstructionStage;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.braid.engine.SliceSink;
import org.braid.hdfs.datanode.volume.Volume;
import org.braid.hdfs.proto.BraidProtos.RebuildProto;
import org.braid.hdfs.stripe.StripeCodec;
import org.jspecify.annotations.Nullable;

/**
 * Writes a replica of an existing block on this node over HDFS's own data transfer protocol, like a
 * DataNode that re-replicates. The DataNode finalises the replica at the last, empty packet, which
 * this class sends only after it has checked the content.
 */
final class ReplicaWriter implements StoringSink.Destination {
  private static final int PACKET_BYTES = 64 << 10;

  /** A DataNode gives a writer up of whom it hears nothing for so many parts of its time-out. */
  private static final int SIGNS = 4;

  private final Replicas replicas;
  private final ExtendedBlock block;
  private final DataChecksum checksum;
  private final List<String> storageTypes;
  private final ByteBuffer packet;
  private final ByteBuffer sums;
  private @Nullable Transfer transfer;

  private ReplicaWriter(
      Replicas replicas, ExtendedBlock block, DataChecksum checksum, List<String> storageTypes) {
    this.replicas = replicas;
    this.block = block;
    this.checksum = checksum;
    this.storageTypes = storageTypes;
    int chunk = checksum.getBytesPerChecksum();
    int chunks = Math.max(1, PACKET_BYTES / chunk);
    packet = ByteBuffer.allocate(chunks * chunk);
    sums = ByteBuffer.allocate(chunks * checksum.getChecksumSize());
  }

  /**
   * Opens a replica for writing.
   *
   * @param length bytes of the value; past the block's length they must be zero
   * @throws IOException when this node has a replica of the block already, or the request is bad
   */
  static SliceSink open(Replicas replicas, RebuildProto rebuild, long length) throws IOException {
    ExtendedBlock block = replicas.block(StripeCodec.of(rebuild.getBlock()));
    DataChecksum checksum = checksum(rebuild);
    if (replicas.holds(block)) {
      throw new IOException(
          replicas.name()
              + " has a replica of "
              + Replicas.describe(block)
              + " already: rebuild it on another node, or delete that replica first");
    }
    ReplicaWriter writer =
        new ReplicaWriter(replicas, block, checksum, List.copyOf(rebuild.getStorageTypesList()));
    return new StoringSink(
        writer, replicas.name(), block.getNumBytes(), length, OptionalInt.of(rebuild.getCrc32C()));
  }

  /** The checksums of the replica: any type and chunk size that a readable replica may have. */
  static DataChecksum checksum(RebuildProto rebuild) throws IOException {
    String name = rebuild.hasChecksum() ? rebuild.getChecksum() : "CRC32C";
    int chunk = rebuild.getBytesPerChecksum();
    boolean known = name.equals("CRC32C") || name.equals("CRC32");
    if (!known || chunk < 1 || chunk > LocalReplicaReader.MAX_CHUNK) {
      throw new IOException(
          "bad request: checksum type "
              + name
              + " over "
              + chunk
              + " bytes; known are CRC32C and CRC32 over 1 to "
              + LocalReplicaReader.MAX_CHUNK
              + " bytes");
    }
    return DataChecksum.newDataChecksum(DataChecksum.Type.valueOf(name), chunk);
  }

  @Override
  public String describe() {
    return "rebuilt block " + Replicas.describe(block);
  }

  @Override
  public void put(byte[] bytes, int count) throws IOException {
    int done = 0;
    while (done < count) {
      int part = Math.min(packet.remaining(), count - done);
      packet.put(bytes, done, part);
      done += part;
      if (!packet.hasRemaining()) {
        sendPacket();
      }
    }
  }

  private void sendPacket() throws IOException {
    if (transfer == null) {
      transfer = new Transfer(replicas, block, checksum, storageTypes);
    }
    packet.flip();
    sums.clear();
    checksum.calculateChunkedSums(packet, sums);
    int chunks =
        (packet.remaining() + checksum.getBytesPerChecksum() - 1) / checksum.getBytesPerChecksum();
    transfer.packet(
        sums.array(), chunks * checksum.getChecksumSize(), packet.array(), packet.remaining());
    packet.clear();
  }

  /**
   * Keeps the connection alive. All bytes of a block that is shorter than others of its stripe
   * arrive long before the end, and a slow run fills no packet for long: the DataNode would close
   * the connection, and the block could never be rebuilt.
   */
  @Override
  public void idle() throws IOException {
    Transfer open = transfer;
    if (open != null) {
      open.sign();
    }
  }

  @Override
  public void publish() throws IOException {
    if (packet.position() > 0) {
      sendPacket();
    }
    Transfer open = transfer;
    if (open == null) {
      throw new IOException(describe() + " has no bytes");
    }
    open.last();
    // The DataNode closes the connection after it has finalised the replica, or refused it.
    open.awaitEnd();
    open.close();
    replicas.require(block);
    new ReplicaPins(replicas).pinStored(block);
  }

  @Override
  public void discard() throws IOException {
    Transfer open = transfer;
    if (open == null) {
      return;
    }
    try (open) {
      open.giveUp();
      open.awaitEnd();
    }
  }

  /** A connection on which one block goes to this DataNode's transfer port. */
  private static final class Transfer implements Closeable {
    private final Socket socket;
    private final DataOutputStream out;
    private final InputStream in;
    private final long signNanos;
    private long sent = System.nanoTime();
    private long offset;
    private long sequence;

    Transfer(
        Replicas replicas, ExtendedBlock block, DataChecksum checksum, List<String> storageTypes)
        throws IOException {
      DataNode node = replicas.node();
      Volume volume = volume(replicas, storageTypes, block.getNumBytes());
      socket = node.newSocket();
      boolean done = false;
      try {
        int timeout = node.getDnConf().getSocketTimeout();
        NetUtils.connect(socket, NetUtils.getConnectAddress(node.getXferAddress()), timeout);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(timeout);
        signNanos = TimeUnit.MILLISECONDS.toNanos(timeout) / SIGNS;
        StorageType[] types = {volume.type()};
        String[] ids = {volume.id()};
        Token<BlockTokenIdentifier> token =
            node.getBlockAccessToken(
                block, EnumSet.of(BlockTokenIdentifier.AccessMode.WRITE), types, ids);
        DatanodeInfo self =
            new DatanodeInfo.DatanodeInfoBuilder().setNodeID(replicas.registration()).build();
        IOStreamPair streams = secured(node, block, token, self);
        out = new DataOutputStream(new BufferedOutputStream(streams.out, PACKET_BYTES));
        in = streams.in;
        new Sender(out)
            .writeBlock(
                block,
                volume.type(),
                token,
                "",
                new DatanodeInfo[] {self},
                types,
                self,
                BlockConstructionStage.PIPELINE_SETUP_CREATE,
                0,
                0,
                0,
                0,
                checksum,
                CachingStrategy.newDefaultStrategy(),
                false,
                false,
                null,
                volume.id(),
                ids);
        done = true;
      } finally {
        if (!done) {
          socket.close();
        }
      }
    }

    private IOStreamPair secured(
        DataNode node, ExtendedBlock block, Token<BlockTokenIdentifier> token, DatanodeInfo self)
        throws IOException {
      OutputStream rawOut =
          NetUtils.getOutputStream(socket, node.getDnConf().getSocketWriteTimeout());
      InputStream rawIn = NetUtils.getInputStream(socket);
      return node.getSaslClient()
          .socketSend(
              socket, rawOut, rawIn, node.getDataEncryptionKeyFactoryForBlock(block), token, self);
    }

    private static Volume volume(Replicas replicas, List<String> types, long bytes)
        throws IOException {
      List<Volume> all = new ArrayList<>();
      try (FsDatasetSpi.FsVolumeReferences volumes =
          replicas.node().getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi volume : volumes) {
          all.add(
              new Volume(volume.getStorageType(), volume.getStorageID(), volume.getAvailable()));
        }
      }
      return Volume.choose(all, types, bytes)
          .orElseThrow(
              () ->
                  new IOException(
                      replicas.name()
                          + (types.isEmpty()
                              ? " has no healthy volume"
                              : " has no volume of %s with %d bytes left"
                                  .formatted(String.join(" or ", types), bytes))));
    }

    void packet(byte[] sums, int sumsCount, byte[] data, int count) throws IOException {
      new PacketHeader(Integer.BYTES + sumsCount + count, offset, sequence++, false, count, false)
          .write(out);
      out.write(sums, 0, sumsCount);
      out.write(data, 0, count);
      out.flush();
      sent = System.nanoTime();
      offset += count;
    }

    /** Sends an empty packet, as HDFS's clients do, when none was sent for a while. */
    void sign() throws IOException {
      if (signNanos > 0 && System.nanoTime() - sent >= signNanos) {
        new PacketHeader(Integer.BYTES, 0, DFSPacket.HEART_BEAT_SEQNO, false, 0, false).write(out);
        out.flush();
        sent = System.nanoTime();
      }
    }

    void last() throws IOException {
      new PacketHeader(Integer.BYTES, offset, sequence++, true, 0, false).write(out);
      out.flush();
    }

    /**
     * Ends the bytes without the last packet, so that the DataNode removes the unfinished replica.
     */
    void giveUp() throws IOException {
      socket.shutdownOutput();
    }

    void awaitEnd() throws IOException {
      in.transferTo(OutputStream.nullOutputStream());
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
