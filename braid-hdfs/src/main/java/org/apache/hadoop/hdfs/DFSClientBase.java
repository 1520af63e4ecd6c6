package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.MD5MD5CRC32FileChecksum;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's client for subclasses with their own input streams. It is in HDFS's package because it
 * uses package-private members; it adds no behaviour.
 */
@NullMarked
public abstract class DFSClientBase extends DFSClient {
  private final ThreadLocal<Boolean> uncounted = ThreadLocal.withInitial(() -> false);
  private final FileSystem.@Nullable Statistics counted;

  /** A read by a thread. */
  @FunctionalInterface
  protected interface Reading {
    /** Reads; returns how many bytes. */
    int run() throws IOException;
  }

  /**
   * Creates a client.
   *
   * @param statistics counts read and written bytes
   */
  protected DFSClientBase(URI uri, Configuration conf, FileSystem.@Nullable Statistics statistics)
      throws IOException {
    super(uri, conf, statistics);
    counted = statistics;
  }

  /** Replaces the client of a file system. */
  public static void install(DFSClient client, DistributedFileSystem fs) throws IOException {
    DFSClient replaced = fs.dfs;
    fs.dfs = client;
    replaced.close();
  }

  /**
   * Opens a file without HDFS's own erasure coding: its bytes as they are stored, encrypted or not.
   */
  protected abstract DFSInputStream openContiguous(
      String src, boolean verifyChecksum, LocatedBlocks blocks) throws IOException;

  /** Opens a file as HDFS's own client does. */
  protected final DFSInputStream openStock(String src, boolean verifyChecksum, LocatedBlocks blocks)
      throws IOException {
    return blocks.getErasureCodingPolicy() == null
        ? new DFSInputStream(this, src, verifyChecksum, blocks)
        : new DFSStripedInputStream(
            this, src, verifyChecksum, blocks.getErasureCodingPolicy(), blocks);
  }

  @Override
  public DFSInputStream open(String src, int bufferSize, boolean verifyChecksum)
      throws IOException {
    checkOpen();
    return open(src, verifyChecksum, getLocatedBlocks(src, 0));
  }

  @Override
  public DFSInputStream open(HdfsPathHandle handle, int bufferSize, boolean verifyChecksum)
      throws IOException {
    checkOpen();
    HdfsLocatedFileStatus status = getLocatedFileInfo(handle.getPath(), true);
    handle.verify(status);
    return open(handle.getPath(), verifyChecksum, status.getLocatedBlocks());
  }

  private DFSInputStream open(String src, boolean verifyChecksum, @Nullable LocatedBlocks blocks)
      throws IOException {
    if (blocks == null) {
      throw new IOException("Cannot open filename " + src);
    }
    return blocks.getErasureCodingPolicy() == null
        ? openContiguous(src, verifyChecksum, blocks)
        : openStock(src, verifyChecksum, blocks);
  }

  /**
   * The checksum of a block, as a DataNode returns it. This is not a record, because classes in
   * this package use no class newer than Java 8: their loader may know no other class of Braid.
   */
  public static final class BlockSum {
    private final byte[] sum;
    private final DataChecksum.Type type;
    private final int chunk;

    /**
     * A checksum.
     *
     * @param sum the MD5 of the CRCs of all chunks, or the CRC of the block
     * @param type of the CRCs
     * @param chunk bytes that one CRC covers
     */
    public BlockSum(byte[] sum, DataChecksum.Type type, int chunk) {
      this.sum = sum.clone();
      this.type = type;
      this.chunk = chunk;
    }

    /** The MD5 or the CRC. */
    public byte[] sum() {
      return sum.clone();
    }

    /** The type of the CRCs. */
    public DataChecksum.Type type() {
      return type;
    }

    /** Bytes that one CRC covers. */
    public int chunk() {
      return chunk;
    }
  }

  /**
   * The checksum of a block that no DataNode delivers.
   *
   * @param block the block, with as many bytes as belong to the checksum
   * @param alike the checksum of another block of the file, if there is one
   */
  protected abstract BlockSum sumOfLost(
      String src, LocatedBlock block, ChecksumCombineMode mode, @Nullable BlockSum alike)
      throws IOException;

  /** Whether lost blocks of a file can be rebuilt. */
  protected abstract boolean rebuilds(LocatedBlocks blocks);

  @Override
  public FileChecksum getFileChecksumWithCombineMode(String src, long length) throws IOException {
    return checksum(
        src,
        length,
        getConf().getChecksumCombineMode(),
        () -> super.getFileChecksumWithCombineMode(src, length));
  }

  @Override
  public MD5MD5CRC32FileChecksum getFileChecksum(String src, long length) throws IOException {
    return (MD5MD5CRC32FileChecksum)
        checksum(
            src, length, ChecksumCombineMode.MD5MD5CRC, () -> super.getFileChecksum(src, length));
  }

  /** HDFS's way to a checksum. */
  private interface Stock {
    FileChecksum compute() throws IOException;
  }

  private FileChecksum checksum(String src, long length, ChecksumCombineMode mode, Stock stock)
      throws IOException {
    checkOpen();
    LocatedBlocks blocks = length > 0 ? getLocatedBlocks(src, 0, length) : null;
    if (blocks == null || blocks.isUnderConstruction() || !rebuilds(blocks)) {
      return stock.compute();
    }
    boolean whole =
        blocks.getLocatedBlocks().stream().allMatch(block -> block.getLocations().length > 0);
    if (whole) {
      try {
        return stock.compute();
      } catch (PathIOException e) {
        // A DataNode does not answer that the NameNode has not missed yet.
        blocks = getLocatedBlocks(src, 0, length);
      }
    }
    try {
      return new BlockwiseChecksum(this, src, length, blocks, mode).checksum();
    } catch (BlockMissingException e) {
      return rebuilt(stock, e);
    }
  }

  /**
   * The checksum of a file with blocks that this client cannot rebuild, or not for this user.
   * HDFS's own question for locations waits until others have rebuilt them, as that of any other
   * client.
   *
   * @param why this client cannot; thrown when nobody does
   */
  private static FileChecksum rebuilt(Stock stock, BlockMissingException why) throws IOException {
    try {
      return stock.compute();
    } catch (PathIOException e) {
      why.addSuppressed(e);
      throw why;
    }
  }

  /**
   * Connects to a DataNode.
   *
   * @param timeoutMillis how long the DataNode may be silent, now and later
   */
  protected final Peer connect(
      InetSocketAddress address,
      Token<BlockTokenIdentifier> token,
      DatanodeID node,
      int timeoutMillis)
      throws IOException {
    Socket socket = socketFactory.createSocket();
    Peer peer = null;
    try {
      NetUtils.connect(socket, address, getRandomLocalInterfaceAddr(), timeoutMillis);
      peer =
          DFSUtilClient.peerFromSocketAndKey(saslClient, socket, this, token, node, timeoutMillis);
      return peer;
    } finally {
      if (peer == null) {
        socket.close();
      }
    }
  }

  /** Reads without counting the bytes in the file system's statistics. */
  protected final int uncounted(Reading reading) throws IOException {
    uncounted.set(true);
    try {
      return reading.run();
    } finally {
      uncounted.remove();
    }
  }

  @Override
  void updateFileSystemReadStats(int distance, int bytes, long millis) {
    if (!uncounted.get()) {
      super.updateFileSystemReadStats(distance, bytes, millis);
    }
  }

  /** Called by the streams of Hadoop 3.3. */
  @SuppressWarnings("unused")
  void updateFileSystemReadStats(int distance, int bytes) {
    countRead(distance, bytes);
  }

  /**
   * Counts bytes in the file system's statistics as read by the current thread, unless it reads
   * {@link #uncounted}.
   *
   * @param distance of the DataNode that they came from, in HDFS's network topology
   */
  protected final void countRead(int distance, int bytes) {
    if (counted != null && !uncounted.get()) {
      counted.incrementBytesRead(bytes);
      counted.incrementBytesReadByDistance(distance, bytes);
    }
  }
}
