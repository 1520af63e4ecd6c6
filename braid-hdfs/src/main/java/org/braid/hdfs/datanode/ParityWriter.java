package org.braid.hdfs.datanode;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.util.DataChecksum;
import org.braid.engine.SliceSink;
import org.braid.hdfs.proto.BraidProtos.ParityProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a new file with one block whose only replica is on this node. */
final class ParityWriter implements StoringSink.Destination {
  private static final Logger LOG = LoggerFactory.getLogger(ParityWriter.class);
  private static final int CHUNK = 512;

  private final Replicas replicas;
  private final DistributedFileSystem files;
  private final Path path;
  private final OutputStream out;

  private ParityWriter(
      Replicas replicas, DistributedFileSystem files, Path path, OutputStream out) {
    this.replicas = replicas;
    this.files = files;
    this.path = path;
    this.out = out;
  }

  /**
   * Opens a staging file for writing; replaces a leftover file of the same name.
   *
   * @param parity its path, from {@link BraidPaths#stagingPath}, names this DataNode
   * @param length bytes of the value, at least 1
   */
  static SliceSink open(
      Replicas replicas, DistributedFileSystem files, ParityProto parity, long length)
      throws IOException {
    String path = parity.getPath();
    DatanodeRegistration self = replicas.registration();
    Optional<String> named = BraidPaths.stagedOn(path);
    if (!named.equals(Optional.of(self.getDatanodeUuid()))) {
      throw new IOException(
          "bad request: "
              + path
              + " is no staging path of DataNode "
              + self.getDatanodeUuid()
              + " ("
              + replicas.name()
              + ")");
    }
    if (length < 1) {
      throw new IOException("bad request: parity " + path + " would have " + length + " bytes");
    }
    Path file = new Path(path);
    // The placement policy places the block by the path.
    DistributedFileSystem.HdfsDataOutputStreamBuilder builder =
        files
            .createFile(file)
            .recursive()
            .overwrite(true)
            .replicate()
            .replication((short) 1)
            .blockSize(blockSize(files, length))
            .permission(new FsPermission((short) 0600))
            .checksumOpt(new ChecksumOpt(DataChecksum.Type.CRC32C, CHUNK));
    if (parity.hasStoragePolicy()) {
      builder.storagePolicyName(parity.getStoragePolicy());
    } else {
      // So does the favour where that is not installed. HDFS takes no favour of a node that has a
      // fallback of the storage policy only.
      InetSocketAddress here =
          InetSocketAddress.createUnresolved(self.getIpAddr(), self.getXferPort());
      builder.favoredNodes(new InetSocketAddress[] {here});
    }
    ParityWriter writer = new ParityWriter(replicas, files, file, builder.build());
    return new StoringSink(writer, replicas.name(), length, length, OptionalInt.empty());
  }

  private static long blockSize(DistributedFileSystem files, long length) {
    long least =
        files
            .getConf()
            .getLong(
                DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY,
                DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_DEFAULT);
    long size = Math.max(least, length);
    return (size + CHUNK - 1) / CHUNK * CHUNK;
  }

  @Override
  public String describe() {
    return "parity " + path;
  }

  @Override
  public void put(byte[] bytes, int count) throws IOException {
    out.write(bytes, 0, count);
  }

  @Override
  public void publish() throws IOException {
    out.close();
    LocatedBlocks blocks =
        files.getClient().getLocatedBlocks(path.toUri().getPath(), 0, Long.MAX_VALUE);
    if (blocks.locatedBlockCount() != 1) {
      throw new IOException(
          describe() + " has " + blocks.locatedBlockCount() + " blocks instead of 1");
    }
    LocatedBlock block = blocks.get(0);
    String self = replicas.node().getDatanodeUuid();
    if (block.getLocations().length != 1
        || !block.getLocations()[0].getDatanodeUuid().equals(self)) {
      throw new IOException(
          describe()
              + " is to be on "
              + replicas.name()
              + " but HDFS placed it on "
              + java.util.Arrays.toString(block.getLocations())
              + ": is that node full, or on its way out?");
    }
    new ReplicaPins(replicas).pinStored(block.getBlock());
  }

  @Override
  public void discard() throws IOException {
    discard(() -> files.delete(path, false), out);
  }

  /** Deletes a file. */
  interface Deletion {
    boolean run() throws IOException;
  }

  /**
   * Deletes a file that is being written.
   *
   * @param out is closed even if the NameNode is unreachable, because HDFS's client would otherwise
   *     keep its threads, its connection and its lease for ever. The sweeper deletes the file if it
   *     stays
   */
  static void discard(Deletion deletion, OutputStream out) throws IOException {
    try {
      // Deleted first: closing must not complete it.
      deletion.run();
    } finally {
      try {
        out.close();
      } catch (IOException e) {
        LOG.debug("closing what is discarded says {}", e.getMessage());
      }
    }
  }
}
