package org.braid.hdfs.datanode;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.CorruptMetaHeaderException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.InvalidChecksumSizeException;
import org.braid.engine.SliceSource;
import org.braid.hdfs.datanode.scrub.SystemErrors;
import org.braid.hdfs.datanode.scrub.UnreadableException;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.stripe.ReplicaChecksum;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of a finalised replica from this node's disk, and checks every byte against HDFS's
 * checksums. Bytes past the block's end are zero. Reports a mismatch to the NameNode.
 */
final class LocalReplicaReader implements SliceSource {
  private static final int SUMS_BYTES = 8 << 10;

  /**
   * Maximum chunk size. HDFS lets a file's writer choose the size, which must not determine the
   * size of buffers.
   */
  static final int MAX_CHUNK = 16 << 20;

  private final Replicas replicas;
  private final ExtendedBlock block;
  private final long base;
  private final FsVolumeReference volume;
  private final Path dataPath;
  private final Path metaPath;
  private final ReplicaFile data;
  private final ReplicaFile meta;
  private final DataChecksum checksum;
  private final int chunk;
  private final ByteBuffer sums = ByteBuffer.allocateDirect(SUMS_BYTES);
  private final Chunks chunks;

  private LocalReplicaReader(
      Replicas replicas,
      ExtendedBlock block,
      long base,
      FsVolumeReference volume,
      BlockLocalPathInfo paths,
      ReplicaFile data,
      ReplicaFile meta,
      DataChecksum checksum) {
    this.replicas = replicas;
    this.block = block;
    this.base = base;
    this.volume = volume;
    this.dataPath = Path.of(paths.getBlockPath());
    this.metaPath = Path.of(paths.getMetaPath());
    this.data = data;
    this.meta = meta;
    this.checksum = checksum;
    this.chunk = checksum.getBytesPerChecksum();
    this.chunks =
        new Chunks(
            chunk,
            SUMS_BYTES / checksum.getChecksumSize(),
            block.getNumBytes(),
            this::readVerified);
  }

  /** Opens a replica for reading through the page cache. */
  static LocalReplicaReader open(Replicas replicas, ExtendedBlock block, long base)
      throws IOException {
    return open(replicas, block, base, ReplicaFile.Source.CACHE);
  }

  /**
   * Opens a replica.
   *
   * @param block the identity that the replica must have
   * @param base where reading starts in the block, in bytes; may be past its end
   * @throws IOException when there is no such replica, or it has no checksums
   */
  static LocalReplicaReader open(
      Replicas replicas, ExtendedBlock block, long base, ReplicaFile.Source source)
      throws IOException {
    replicas.require(block);
    FsVolumeSpi home = replicas.node().getFSDataset().getVolume(block);
    if (home == null) {
      throw new IOException("no replica of " + Replicas.describe(block) + " on " + replicas.name());
    }
    FsVolumeReference volume = home.obtainReference();
    ReplicaFile data = null;
    ReplicaFile meta = null;
    try {
      BlockLocalPathInfo paths =
          replicas.node().getFSDataset().getBlockLocalPathInfo(new ExtendedBlock(block));
      data = ReplicaFile.open(Path.of(paths.getBlockPath()), source);
      meta = ReplicaFile.open(Path.of(paths.getMetaPath()), source);
      DataChecksum checksum = checksum(Path.of(paths.getMetaPath()));
      checkUsable(replicas, block, checksum);
      // The paths may have been those of a changed replica.
      replicas.require(block);
      LocalReplicaReader reader =
          new LocalReplicaReader(replicas, block, base, volume, paths, data, meta, checksum);
      data = null;
      meta = null;
      volume = null;
      return reader;
    } catch (FileSystemException e) {
      throw SystemErrors.HERE.ofOpening(e);
    } finally {
      closeAll(data, meta, volume);
    }
  }

  private static DataChecksum checksum(Path meta) throws IOException {
    try (FileChannel header = FileChannel.open(meta, StandardOpenOption.READ)) {
      return BlockMetadataHeader.preadHeader(header).getChecksum();
    } catch (CorruptMetaHeaderException
        | InvalidChecksumSizeException
        | EOFException
        | ClosedChannelException
        | FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw new UnreadableException(e);
    }
  }

  private static void checkUsable(Replicas replicas, ExtendedBlock block, DataChecksum checksum)
      throws IOException {
    String where = Replicas.describe(block) + " on " + replicas.name();
    if (checksum.getChecksumSize() == 0) {
      throw new IOException(
          where
              + " has checksum type "
              + checksum.getChecksumType()
              + ": without checksums good bytes cannot be told from bad ones; rewrite the file"
              + " with checksums");
    }
    if (checksum.getBytesPerChecksum() > MAX_CHUNK) {
      throw new IOException(
          where
              + " has checksum chunks of "
              + checksum.getBytesPerChecksum()
              + " bytes; at most "
              + MAX_CHUNK
              + " are supported");
    }
  }

  /** The checksums that HDFS keeps with the replica. */
  ReplicaChecksum checksum() {
    return new ReplicaChecksum(checksum.getChecksumType().name(), chunk);
  }

  /** The version of the replica's files on the disk now. */
  ReplicaCache.Version version() throws IOException {
    return new ReplicaCache.Version(
        block.getBlockId(),
        block.getGenerationStamp(),
        block.getNumBytes(),
        List.of(changed(dataPath), changed(metaPath)));
  }

  /** Reaches the fault step of reading a slice, from the disk or from the cache. */
  void reach() throws IOException {
    Faults.reach(FaultStep.WORKER_READ, Replicas.describe(block) + " on " + replicas.name());
  }

  private static FileTime changed(Path path) throws IOException {
    return Files.getLastModifiedTime(path);
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    reach();
    chunks.read(base + offset, into);
  }

  /** Reads a block in parts of any size from a source that reads whole chunks. */
  static final class Chunks {
    private final int chunk;
    private final int most;
    private final long length;
    private final Source source;

    /** A chunk of which parts are read: the next part is often of the same one. */
    private final ByteBuffer held;

    /** Where the held chunk starts in the block; negative: none is held. */
    private long heldAt = -1;

    /** Reads whole chunks. */
    @FunctionalInterface
    interface Source {
      /** Fills a buffer from the start of a chunk to the end of a chunk or of the block. */
      void read(long at, ByteBuffer bytes) throws IOException;
    }

    /**
     * Starts a block.
     *
     * @param chunk bytes of a chunk
     * @param most maximum number of chunks in a read
     * @param length bytes of the block; bytes behind it are zero
     */
    Chunks(int chunk, int most, long length, Source source) {
      this.chunk = chunk;
      this.most = most;
      this.length = length;
      this.source = source;
      this.held = ByteBuffer.allocateDirect(chunk);
    }

    /** Fills a buffer from a position in the block. */
    void read(long from, ByteBuffer into) throws IOException {
      long at = from;
      while (into.hasRemaining() && at < length) {
        at += readSome(at, into);
      }
      while (into.hasRemaining()) {
        into.put((byte) 0);
      }
    }

    /** Reads whole chunks straight into the buffer, or a part of the held one. */
    private int readSome(long at, ByteBuffer into) throws IOException {
      int into0 = (int) (at % chunk);
      long rest = Math.min(into.remaining(), length - at);
      if (into0 == 0 && (rest >= chunk || at + rest == length)) {
        int count = (int) Math.min(rest, (long) most * chunk);
        if (at + count < length) {
          count -= count % chunk;
        }
        source.read(at, into.slice(into.position(), count));
        into.position(into.position() + count);
        return count;
      }
      hold(at - into0);
      int count = (int) Math.min(rest, held.limit() - into0);
      into.put(held.slice(into0, count));
      return count;
    }

    private void hold(long start) throws IOException {
      if (heldAt != start) {
        heldAt = -1;
        held.clear().limit((int) Math.min(chunk, length - start));
        source.read(start, held);
        heldAt = start;
      }
    }
  }

  /** Fills a buffer from a chunk's start on, up to another chunk's start or the block's end. */
  private void readVerified(long at, ByteBuffer bytes) throws IOException {
    int count = (bytes.remaining() + chunk - 1) / chunk;
    sums.clear().limit(count * checksum.getChecksumSize());
    long sumsAt =
        BlockMetadataHeader.getHeaderSize() + at / chunk * (long) checksum.getChecksumSize();
    try {
      readFully(data, at, bytes);
      readFully(meta, sumsAt, sums);
      checksum.verifyChunkedSums(bytes, sums, Replicas.describe(block), at);
    } catch (EOFException e) {
      throw corrupt(at, "its files are too short: " + e.getMessage(), e);
    } catch (ChecksumException e) {
      throw corrupt(e.getPos(), "checksum error", e);
    }
  }

  private static void readFully(ReplicaFile file, long at, ByteBuffer bytes) throws IOException {
    int start = bytes.position();
    while (bytes.hasRemaining()) {
      if (file.read(bytes, at + bytes.position() - start) < 0) {
        throw new EOFException("ends before byte " + (at + bytes.limit() - start));
      }
    }
    bytes.position(start);
  }

  private IOException corrupt(long at, String what, IOException cause) throws IOException {
    try {
      replicas.require(block);
    } catch (IOException e) {
      // An append or a truncation changes the files under a reader: nothing is corrupt then.
      e.addSuppressed(cause);
      return e;
    }
    replicas.node().reportBadBlocks(block, volume.getVolume());
    ChecksumException failure =
        new ChecksumException(
            "block "
                + Replicas.describe(block)
                + " on "
                + replicas.name()
                + ": "
                + what
                + " at byte "
                + at
                + "; reported to the NameNode",
            at);
    failure.initCause(cause);
    return failure;
  }

  @Override
  public void finish(int crc32c) {}

  @Override
  public void close() throws IOException {
    closeAll(data, meta, volume);
  }

  /**
   * Closes all resources, even if closing one fails: HDFS cannot remove a volume with an open
   * reference.
   */
  static void closeAll(@Nullable AutoCloseable... resources) throws IOException {
    IOException failure = null;
    for (AutoCloseable resource : resources) {
      try {
        if (resource != null) {
          resource.close();
        }
      } catch (Exception e) {
        IOException own = e instanceof IOException io ? io : new IOException(e);
        if (failure == null) {
          failure = own;
        } else {
          failure.addSuppressed(own);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
