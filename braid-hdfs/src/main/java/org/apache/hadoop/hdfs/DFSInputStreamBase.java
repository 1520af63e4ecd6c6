package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.client.impl.BlockReaderFactory;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.NullMarked;

/**
 * HDFS's input stream for subclasses in other packages. It is in HDFS's package because it uses
 * package-private members.
 */
@NullMarked
public abstract class DFSInputStreamBase extends DFSInputStream {
  /**
   * A stream.
   *
   * @param blocks the file's blocks as far as they are known
   */
  protected DFSInputStreamBase(
      DFSClient client, String src, boolean verifyChecksum, LocatedBlocks blocks)
      throws IOException {
    super(client, src, verifyChecksum, blocks);
  }

  /** A stream of the same file, with the same hints on caching. */
  protected DFSInputStreamBase(DFSInputStreamBase other) throws IOException {
    this(other.dfsClient, other.src, other.verifyChecksum, other.copyOfBlocks());
    synchronized (other.infoLock) {
      cachingStrategy = other.cachingStrategy;
    }
  }

  private LocatedBlocks copyOfBlocks() {
    synchronized (infoLock) {
      return new LocatedBlocks(
          locatedBlocks.getFileLength(),
          locatedBlocks.isUnderConstruction(),
          new ArrayList<>(locatedBlocks.getLocatedBlocks()),
          locatedBlocks.getLastLocatedBlock(),
          locatedBlocks.isLastBlockComplete(),
          locatedBlocks.getFileEncryptionInfo(),
          locatedBlocks.getErasureCodingPolicy());
    }
  }

  /** Number of failures after which a read gives up. */
  protected final int mostFailures() {
    return dfsClient.getConf().getMaxBlockAcquireFailures();
  }

  /**
   * Copies the locations of the block at a position from another stream of the same file, if that
   * has them.
   */
  public final void learn(DFSInputStreamBase other, long position) {
    synchronized (infoLock) {
      if (locatedBlocks.findBlock(position) >= 0) {
        return;
      }
    }
    LocatedBlock known;
    synchronized (other.infoLock) { // never both at a time
      int at = other.locatedBlocks.findBlock(position);
      if (at < 0) {
        return;
      }
      known = other.locatedBlocks.get(at);
    }
    synchronized (infoLock) {
      int at = locatedBlocks.findBlock(position);
      if (at < 0) {
        locatedBlocks.insertRange(
            LocatedBlocks.getInsertIndex(at), Collections.singletonList(known));
      }
    }
  }

  /**
   * Fails when the stream or its client is closed.
   *
   * @throws IOException as HDFS's own reads do
   */
  protected final void checkOpen() throws IOException {
    dfsClient.checkOpen();
    if (closed.get()) {
      throw new IOException("Stream closed");
    }
  }

  /**
   * Requests the locations of blocks from the NameNode again, and gives DataNodes that failed
   * before another chance.
   *
   * @throws IOException when the path leads to another file now
   */
  protected final void refetchLocations() throws IOException {
    openInfo(true);
    getLocalDeadNodes().clear();
  }

  /**
   * Opens a block for reading.
   *
   * @param conf the client's, perhaps with shorter time-outs
   * @param peers connects to DataNodes
   */
  protected final BlockReader openBlock(
      LocatedBlock block,
      long offset,
      long length,
      InetSocketAddress address,
      StorageType storage,
      DatanodeInfo node,
      DfsClientConf conf,
      RemotePeerFactory peers)
      throws IOException {
    BlockReaderFactory factory = new BlockReaderFactory(conf);
    synchronized (infoLock) {
      factory.setCachingStrategy(cachingStrategy);
      factory.setAllowShortCircuitLocalReads(!shortCircuitForbidden());
    }
    return factory
        .setConfiguration(dfsClient.getConfiguration())
        .setClientName(dfsClient.clientName)
        .setClientCacheContext(dfsClient.getClientContext())
        .setUserGroupInformation(dfsClient.ugi)
        .setRemotePeerFactory(peers)
        .setInetSocketAddress(address)
        .setDatanodeInfo(node)
        .setStorageType(storage)
        .setFileName(src)
        .setBlock(block.getBlock())
        .setBlockToken(block.getBlockToken())
        .setStartOffset(offset)
        .setLength(length)
        .setVerifyChecksum(verifyChecksum)
        .build();
  }
}
