package org.braid.hdfs.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSInputStreamBase;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.client.degraded.LostBlockReader;
import org.braid.hdfs.client.degraded.LostBlockReader.Access;
import org.braid.hdfs.client.statistics.ReadCounters;
import org.braid.hdfs.rpc.Rpc;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's input stream that rebuilds lost blocks from their stripes.
 *
 * <p>If DataNodes do not deliver a block, the stream tries once more with fresh locations, then
 * rebuilds the block. Only if it cannot rebuild the block does it wait for a DataNode to return, as
 * HDFS does. Positioned reads may run concurrently with each other and with the one sequential
 * reader, as in HDFS.
 */
class DegradedInputStream extends DFSInputStreamBase {
  private static final Logger LOG = LoggerFactory.getLogger(DegradedInputStream.class);

  /** A failure that took longer was a silent node: asking it again takes as long again. */
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final BraidClient client;
  private final ReadCounters counters;
  private final LostBlockReader lost;
  private final Object refetching = new Object();
  private volatile int refetches;

  /**
   * HDFS's own patience is called for while the NameNode does not know Braid, and for a while after
   * a block was in no stripe, or in one that this reader may not decode, or nobody could say.
   */
  private final Patience patience;

  /** The thread in which a program asks for another DataNode. */
  private volatile @Nullable Thread switching;

  /** Whether a sequential read of HDFS's stream is under way; guarded by this stream. */
  private boolean reading;

  /** Whether the last sequential read was served by this stream's own DataNode; likewise. */
  private boolean direct = true;

  /** A stream of a file whose first blocks are known. */
  DegradedInputStream(
      BraidClient client,
      String src,
      boolean verifyChecksum,
      LocatedBlocks blocks,
      ReadCounters counters)
      throws IOException {
    super(client, src, verifyChecksum, blocks);
    this.client = client;
    this.counters = counters;
    this.lost = client.lostBlocks(src, this::getFileLength, counters);
    this.patience = new Patience(client.clock());
  }

  /** A second stream of the same file, which counts for the first one. */
  DegradedInputStream(DegradedInputStream other) throws IOException {
    super(other);
    this.client = other.client;
    this.counters = other.counters;
    this.lost = client.lostBlocks(src, this::getFileLength, counters);
    this.patience = new Patience(other.patience);
  }

  /** The client whose stream this is. */
  final BraidClient client() {
    return client;
  }

  @Override
  public final synchronized int read(byte[] buffer, int offset, int length) throws IOException {
    validatePositionedReadArgs(pos, buffer, offset, length);
    return length == 0 ? 0 : read(ByteBuffer.wrap(buffer, offset, length));
  }

  @Override
  public synchronized int read(ByteBuffer into) throws IOException {
    checkOpen();
    if (pos >= getFileLength()) {
      return -1;
    }
    return into.hasRemaining() ? read(Access.SEQUENTIAL, pos, into) : 0;
  }

  /** Moves to a position; returns the block to read there, or null beyond the file's end. */
  final @Nullable ExtendedBlock seekToBlock(long position) throws IOException {
    if (position >= getFileLength()) {
      return null;
    }
    seek(position);
    return getBlockAt(position).getBlock();
  }

  /** Moves to a position and reads. */
  final synchronized int readOn(long position, ByteBuffer into) throws IOException {
    if (pos != position) {
      seek(position);
    }
    return read(into);
  }

  @Override
  public final int read(long position, byte[] buffer, int offset, int length) throws IOException {
    validatePositionedReadArgs(position, buffer, offset, length);
    return length == 0 ? 0 : read(position, ByteBuffer.wrap(buffer, offset, length));
  }

  @Override
  public final int read(long position, ByteBuffer into) throws IOException {
    if (!into.hasRemaining()) {
      return 0;
    }
    checkOpen();
    long end = getFileLength();
    if (position < 0 || position >= end) {
      return -1;
    }
    int wanted = (int) Math.min(into.remaining(), end - position);
    int done = 0;
    while (done < wanted) {
      int read = read(Access.RANDOM, position + done, into);
      if (read < 0) {
        break;
      }
      done += read;
    }
    return done;
  }

  /** Reads bytes of one block: at least one, but at the end of the file: -1. */
  private int read(Access access, long position, ByteBuffer into) throws IOException {
    return client.read(this::isPatient, () -> readOrRebuild(access, position, into));
  }

  private int readOrRebuild(Access access, long position, ByteBuffer into) throws IOException {
    LocatedBlock block = getBlockAt(position);
    if (lost.isLost(block)) {
      int rebuilt;
      try {
        rebuilt = lost.read(block, access, position, into);
      } catch (AccessControlException | FileNotFoundException e) {
        return readUnnamed(block, access, position, into, e);
      } catch (IOException e) {
        return readOnceMore(access, position, into, e);
      }
      if (rebuilt > 0) {
        return rebuilt(block, access, position, rebuilt);
      }
      lost.forget(block);
    } else if (lost.mayBeRepaired(block) && !isPatient()) {
      try {
        refetch(refetches);
      } catch (IOException e) {
        LOG.debug("{} is read with the locations known before: {}", src, e.getMessage());
      }
    }
    int known = refetches;
    if (!isPatient() && hasNoReplica(block)) {
      return recover(access, position, into, known, missing(block), false);
    }
    long begun = client.clock().getAsLong();
    try {
      return readReplica(access, position, into);
    } catch (IOException e) {
      if (isFinal(e)) {
        throw e;
      }
      boolean slow = client.clock().getAsLong() - begun > SLOW_NANOS;
      return isPatient()
          ? lastResort(access, position, into, e)
          : recover(access, position, into, known, e, slow);
    }
  }

  /** Reads bytes of one block as HDFS does. */
  private int readReplica(Access access, long position, ByteBuffer into) throws IOException {
    LocatedBlock block = getBlockAt(position);
    long end = Math.min(block.getStartOffset() + block.getBlockSize(), getFileLength());
    int count = (int) Math.min(into.remaining(), end - position);
    int read;
    if (access == Access.RANDOM) {
      read =
          into.hasArray()
              ? super.read(position, into.array(), into.arrayOffset() + into.position(), count)
              : super.read(position, into.slice(into.position(), count));
    } else {
      reading = true;
      try {
        read =
            into.hasArray()
                ? super.read(into.array(), into.arrayOffset() + into.position(), count)
                : super.read(into.slice(into.position(), count));
      } finally {
        reading = false;
      }
      direct = true;
    }
    into.position(into.position() + Math.max(0, read));
    return read;
  }

  private int rebuilt(LocatedBlock block, Access access, long position, int bytes) {
    if (access == Access.SEQUENTIAL) {
      moveOn(block, position + bytes);
    }
    readStatistics.addRemoteBytes(bytes);
    client.countRebuilt(bytes);
    return bytes;
  }

  /** Notes that bytes of a block up to a position were not read through HDFS's stream. */
  final synchronized void moveOn(LocatedBlock block, long position) {
    moveTo(position);
    currentLocatedBlock = block;
    direct = false;
  }

  /** Moves to a position; HDFS's next read opens a new connection to a DataNode there. */
  final synchronized void moveTo(long position) {
    pos = position;
    blockEnd = -1;
  }

  /** Whether the block at the current position is known to be lost. */
  final synchronized boolean isLostHere() throws IOException {
    return lost.isLost(getBlockAt(pos));
  }

  /** Whether another attempt cannot succeed. */
  final boolean isFinal(IOException e) {
    boolean interrupted = Rpc.isInterrupt(e);
    return closed.get()
        || interrupted
        || e instanceof ClosedByInterruptException
        || e instanceof AccessControlException
        || e instanceof FileNotFoundException
        || Thread.currentThread().isInterrupted();
  }

  private int recover(
      Access access, long position, ByteBuffer into, int known, IOException e, boolean slow)
      throws IOException {
    Set<String> before = locations(getBlockAt(position));
    try {
      refetch(known);
    } catch (IOException f) {
      throw isFinal(f) ? with(f, e) : with(e, f);
    }
    LocatedBlock block = getBlockAt(position);
    IOException last = e;
    boolean others = !before.containsAll(locations(block));
    if (others || !(slow || hasNoReplica(block))) {
      try {
        return readReplica(access, position, into);
      } catch (IOException again) {
        if (isFinal(again)) {
          throw again;
        }
        last = again;
      }
    }
    int rebuilt;
    try {
      rebuilt = lost.readFirst(block, access, position, into, last);
    } catch (IOException f) {
      if (last != e) {
        throw f; // the DataNodes were asked just now
      }
      // Where nobody can say, or not this reader, whoever repairs it is waited for.
      if (!(f instanceof BlockMissingException)) {
        patience.begin();
      }
      return readOnceMore(access, position, into, f);
    }
    if (rebuilt > 0) {
      return rebuilt(block, access, position, rebuilt);
    }
    // In no stripe of ours: what HDFS makes of it stands, waiting and asking again included.
    patience.begin();
    refetch(refetches);
    return readReplica(access, position, into);
  }

  /**
   * A block cannot be rebuilt that could not be read before: its DataNode may be back, or the block
   * repaired, while its stripe lost others. And whoever repairs it is waited for, as every other
   * client does: this one alone may reach too few of the others.
   *
   * @param why it cannot be rebuilt; thrown when it cannot be read either
   */
  private int readOnceMore(Access access, long position, ByteBuffer into, IOException why)
      throws IOException {
    if (isFinal(why)) {
      throw why;
    }
    lost.forget(getBlockAt(position));
    try {
      return client.read(
          () -> true,
          () -> {
            refetch(refetches);
            return readReplica(access, position, into);
          });
    } catch (IOException e) {
      throw isFinal(e) ? with(e, why) : with(why, e);
    }
  }

  /**
   * The NameNode tells nothing of a block by this path any more: the file was renamed or replaced
   * while it is read. DataNodes that are known may serve it, as they serve HDFS's own readers then.
   *
   * @param why what the NameNode says; thrown when they do not
   */
  private int readUnnamed(
      LocatedBlock block, Access access, long position, ByteBuffer into, IOException why)
      throws IOException {
    if (closed.get() || hasNoReplica(block)) {
      throw why;
    }
    lost.forget(block);
    try {
      return readReplica(access, position, into);
    } catch (IOException e) {
      throw isFinal(e) ? with(e, why) : with(why, e);
    }
  }

  /** A failure that tells of another one, too. */
  private static IOException with(IOException failure, IOException other) {
    if (failure != other) {
      failure.addSuppressed(other);
    }
    return failure;
  }

  /** HDFS gave up; the block may have come into a stripe meanwhile. */
  private int lastResort(Access access, long position, ByteBuffer into, IOException e)
      throws IOException {
    LocatedBlock block = getBlockAt(position);
    int rebuilt = lost.readFirst(block, access, position, into, e);
    if (rebuilt <= 0) {
      throw e;
    }
    return rebuilt(block, access, position, rebuilt);
  }

  /** Whether the NameNode knows of none: HDFS would say so in its log, with a stack trace. */
  private static boolean hasNoReplica(LocatedBlock block) {
    return block.getLocations().length == 0;
  }

  private IOException missing(LocatedBlock block) {
    return new BlockMissingException(
        src, "no DataNode has " + block.getBlock() + " of " + src, block.getStartOffset());
  }

  private static Set<String> locations(LocatedBlock block) {
    Set<String> nodes = new HashSet<>();
    for (DatanodeInfo node : block.getLocations()) {
      nodes.add(node.getDatanodeUuid());
    }
    return nodes;
  }

  /**
   * Asks for locations anew, unless another thread did.
   *
   * @param known how often that had been done when the locations failed
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // guarded by refetching
  private void refetch(int known) throws IOException {
    synchronized (refetching) {
      if (refetches == known) {
        refetchLocations();
        refetches++;
      }
    }
  }

  /**
   * Called when HDFS has no DataNode left for a block and would wait and ask again. It may do so
   * only for a block that is not known to be in a stripe, or while this stream is patient.
   */
  @Override
  protected final void reportLostBlock(LocatedBlock block, Collection<DatanodeInfo> ignored) {
    super.reportLostBlock(block, ignored);
    if (switching == Thread.currentThread()) {
      return;
    }
    if (isPatient() || !mayBeRebuilt(block)) {
      patience.begin(); // it lasts while it is called for
    } else {
      // No more than ends it: others who read this stream may be about to sleep as long as this is.
      failures = mostFailures();
      if (Thread.holdsLock(this) && !reading) {
        // HDFS's refresher of locations, unlike its reads, leaves a position without a connection.
        // A read may find a node yet: another one of this stream begins to count failures anew.
        blockEnd = -1;
      }
    }
  }

  private boolean mayBeRebuilt(LocatedBlock block) {
    try {
      return lost.mayBeRebuilt(block);
    } catch (IOException e) {
      LOG.debug("whether {} of {} is in a stripe: {}", block.getBlock(), src, e.getMessage());
      return false;
    }
  }

  private boolean isPatient() {
    return !client.rebuilds() || patience.lasts();
  }

  @Override
  protected final BlockReader getBlockReader(
      LocatedBlock block,
      long offset,
      long length,
      InetSocketAddress address,
      StorageType storage,
      DatanodeInfo node)
      throws IOException {
    return isPatient()
        ? super.getBlockReader(block, offset, length, address, storage, node)
        : openBlock(
            block, offset, length, address, storage, node, client.readConf(), client.readPeers());
  }

  @Override
  public synchronized boolean seekToNewSource(long target) throws IOException {
    if (reading) {
      return super.seekToNewSource(target);
    }
    if (target < getFileLength() && lost.isLost(getBlockAt(target))) {
      seek(target);
      return false;
    }
    failures = 0;
    switching = Thread.currentThread();
    try {
      return super.seekToNewSource(target);
    } catch (BlockMissingException e) {
      // There is none, but a read may rebuild the block.
      moveTo(target);
      return false;
    } finally {
      switching = null;
    }
  }

  /** The DataNode that served the last sequential read; null if the block was rebuilt. */
  @Override
  public final synchronized @Nullable DatanodeInfo getCurrentDatanode() {
    if (direct) {
      return super.getCurrentDatanode();
    }
    DatanodeInfo[] nodes = currentLocatedBlock.getLocations();
    return nodes.length == 0 || lost.isLost(currentLocatedBlock) ? null : nodes[0];
  }

  @Override
  public synchronized void unbuffer() {
    lost.clear();
    super.unbuffer();
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // HDFS's own takes the lock
  public void close() throws IOException {
    lost.clear();
    super.close();
  }
}
