package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's client for subclasses that bring input streams of their own. It stands in HDFS's package
 * because the members that it needs are visible there only; it adds no behaviour.
 */
@NullMarked
public abstract class DFSClientBase extends DFSClient {
  private final ThreadLocal<Boolean> uncounted = ThreadLocal.withInitial(() -> false);

  /** What a thread reads. */
  @FunctionalInterface
  protected interface Reading {
    /** Reads; returns how many bytes. */
    int run() throws IOException;
  }

  /**
   * A client.
   *
   * @param statistics counts what is read and written
   */
  protected DFSClientBase(URI uri, Configuration conf, FileSystem.@Nullable Statistics statistics)
      throws IOException {
    super(uri, conf, statistics);
  }

  /** Makes a client the one that a file system uses, in place of its own. */
  public static void install(DFSClient client, DistributedFileSystem fs) throws IOException {
    DFSClient replaced = fs.dfs;
    fs.dfs = client;
    replaced.close();
  }

  /** Opens a file that is neither striped by HDFS nor encrypted. */
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
    return blocks.getErasureCodingPolicy() == null && blocks.getFileEncryptionInfo() == null
        ? openContiguous(src, verifyChecksum, blocks)
        : openStock(src, verifyChecksum, blocks);
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

  /** Reads without counting that in the file system's statistics. */
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

  /**
   * Counts bytes in the file system's statistics as read by the current thread, unless it reads
   * {@link #uncounted}.
   *
   * @param distance of the DataNode that they came from, in HDFS's network topology
   */
  protected final void countRead(int distance, int bytes) {
    updateFileSystemReadStats(distance, bytes, 0);
  }
}
