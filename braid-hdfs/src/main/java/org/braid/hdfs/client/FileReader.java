package org.braid.hdfs.client;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads ranges of one open file. What a stock stream cannot read is tried once more with fresh
 * locations, then rebuilt; a block that had to be rebuilt is remembered for a while, so that not
 * every read finds out anew. A block that is in no stripe is left to a stock client with all its
 * patience. Thread-safe; {@link #readOn} needs the lock of the stream that owns it.
 */
final class FileReader implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FileReader.class);

  /** A failure that took longer was a silent node: asking it again takes as long again. */
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What it takes to read a file. */
  record Source(
      String path,
      PlainStream.Opener impatient,
      PlainStream.Opener patient,
      DegradedReader degraded,
      LostBlocks lostBlocks,
      ClientSettings settings,
      ReadCounters counters) {}

  /** How a stock stream is read. */
  private enum Way {
    /** On from the stream's position: what follows will be read, too. */
    ON,
    /** At a position, and perhaps nothing more there. */
    AT;

    /** Reads at most so many bytes. */
    int from(PlainStream plain, long position, ByteBuffer into, int count) throws IOException {
      return this == ON ? plain.readOn(position, into, count) : plain.readAt(position, into, count);
    }
  }

  private final Source source;
  private final ReadStatistics retired = new ReadStatistics();
  private final ConcurrentSkipListMap<Long, LocatedBlock> lost = new ConcurrentSkipListMap<>();
  private volatile PlainStream plain;
  private volatile boolean patient;
  private volatile boolean closed;
  private volatile @Nullable Chunk chunk;
  private volatile @Nullable Long readahead;
  private volatile @Nullable Boolean dropBehind;

  /**
   * A reader.
   *
   * @param first an impatient stock stream of the file, which this reader closes
   */
  FileReader(Source source, HdfsDataInputStream first) throws IOException {
    this.source = source;
    this.plain = new PlainStream(first);
    if (!source.lostBlocks.isEmpty()) {
      for (LocatedBlock block : plain.blocks()) {
        if (source.lostBlocks.contains(block.getBlock())) {
          lost.put(block.getStartOffset(), block);
        }
      }
    }
  }

  HdfsDataInputStream stock() {
    return plain.in();
  }

  /** All blocks of the file. */
  List<LocatedBlock> blocks() throws IOException {
    PlainStream current = use();
    try {
      return current.blocks();
    } finally {
      current.close();
    }
  }

  /** Another reader of the same file, with the same hints. */
  FileReader twin() throws IOException {
    FileReader twin = new FileReader(source, source.impatient.open());
    boolean same = false;
    try {
      if (!sameBlocks(blocks(), twin.blocks())) {
        throw new IOException("Blocklist for " + source.path + " has changed!");
      }
      Long ahead = readahead;
      if (ahead != null) {
        twin.setReadahead(ahead);
      }
      Boolean drop = dropBehind;
      if (drop != null) {
        twin.setDropBehind(drop);
      }
      same = true;
      return twin;
    } finally {
      if (!same) {
        twin.close();
      }
    }
  }

  /** Adds what stock streams have read. */
  void addTo(ReadStatistics sum) {
    add(retired, sum);
    add(stock().getReadStatistics(), sum);
  }

  void clearStatistics() {
    retired.clear();
    stock().clearReadStatistics();
  }

  /** Adds statistics to others. */
  static void add(ReadStatistics some, ReadStatistics sum) {
    long zeroCopy = some.getTotalZeroCopyBytesRead();
    long shortCircuit = some.getTotalShortCircuitBytesRead();
    sum.addRemoteBytes(some.getRemoteBytesRead());
    sum.addLocalBytes(some.getTotalLocalBytesRead() - shortCircuit);
    sum.addShortCircuitBytes(shortCircuit - zeroCopy);
    sum.addZeroCopyBytes(zeroCopy);
  }

  long length() {
    return plain.in().getVisibleLength();
  }

  void checkOpen() throws IOException {
    if (closed) {
      throw new IOException("Stream closed");
    }
  }

  /** Reads with the stock stream's own position; one thread at a time. */
  int readOn(long position, ByteBuffer into) throws IOException {
    return read(Way.ON, position, into);
  }

  /** Reads at a position. At least one byte, but at the end of the file: -1. */
  int readAt(long position, ByteBuffer into) throws IOException {
    return read(Way.AT, position, into);
  }

  private int read(Way how, long position, ByteBuffer into) throws IOException {
    LocatedBlock gone = lostAt(position);
    if (gone != null) {
      int rebuilt = rebuild(gone, how, position, into);
      if (rebuilt > 0) {
        return rebuilt;
      }
      forget(gone);
    }
    Long next = lost.higherKey(position);
    long room = next == null ? Long.MAX_VALUE : next - position;
    int count = (int) Math.min(into.remaining(), room);
    PlainStream used = use();
    long begun = System.nanoTime();
    try {
      return how.from(used, position, into, count);
    } catch (IOException e) {
      if (isFinal(e)) {
        throw e;
      }
      return patient
          ? lastResort(how, position, into, e)
          : recover(how, position, into, used, e, System.nanoTime() - begun > SLOW_NANOS);
    } finally {
      used.close();
    }
  }

  /** Takes the stock stream; the taker closes it. */
  private PlainStream use() throws IOException {
    while (true) {
      checkOpen();
      PlainStream current = plain;
      if (current.enter()) {
        return current;
      }
    }
  }

  /** Whether nothing can be gained by trying otherwise. */
  private boolean isFinal(IOException e) {
    boolean interrupted =
        e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
    return closed
        || interrupted
        || e instanceof ClosedByInterruptException
        || e instanceof AccessControlException
        || e instanceof FileNotFoundException
        || Thread.currentThread().isInterrupted();
  }

  private int recover(
      Way how, long position, ByteBuffer into, PlainStream failed, IOException e, boolean slow)
      throws IOException {
    Set<String> before = locations(failed.blockAt(position).orElse(null));
    replace(failed, source.impatient, e);
    PlainStream fresh = use();
    try {
      LocatedBlock block = fresh.blockAt(position).orElse(null);
      if (block == null) {
        throw e;
      }
      IOException last = e;
      if (!slow || !before.containsAll(locations(block))) {
        try {
          int count = (int) Math.min(into.remaining(), PlainStream.end(block) - position);
          return how.from(fresh, position, into, count);
        } catch (IOException again) {
          if (isFinal(again)) {
            throw again;
          }
          last = again;
        }
      }
      int rebuilt = rebuildFirst(block, how, position, into, last);
      if (rebuilt > 0) {
        return rebuilt;
      }
    } finally {
      fresh.close();
    }
    // In no stripe: what the stock client makes of it stands, waiting and asking again included.
    replace(fresh, source.patient, e);
    patient = true;
    PlainStream stock = use();
    try {
      return how.from(stock, position, into, into.remaining());
    } finally {
      stock.close();
    }
  }

  /** The stock client gave up; the block may have come into a stripe meanwhile. */
  private int lastResort(Way how, long position, ByteBuffer into, IOException e)
      throws IOException {
    LocatedBlock block = null;
    PlainStream current = use();
    try {
      block = current.blockAt(position).orElse(null);
    } finally {
      current.close();
    }
    int rebuilt = block == null ? 0 : rebuildFirst(block, how, position, into, e);
    if (rebuilt <= 0) {
      throw e;
    }
    return rebuilt;
  }

  private int rebuildFirst(
      LocatedBlock block, Way how, long position, ByteBuffer into, IOException why)
      throws IOException {
    int rebuilt;
    try {
      rebuilt = rebuild(block, how, position, into);
    } catch (IOException e) {
      e.addSuppressed(why);
      throw e;
    }
    if (rebuilt > 0) {
      if (source.lostBlocks.add(block.getBlock())) {
        LOG.info(
            "{} of {} is lost and read through its stripe: {}",
            block.getBlock(),
            source.path,
            why.getMessage());
      }
      lost.put(block.getStartOffset(), block);
    }
    return rebuilt;
  }

  /** Bytes of a lost block; 0 when it is in no stripe. */
  private int rebuild(LocatedBlock block, Way how, long position, ByteBuffer into)
      throws IOException {
    Chunk known = chunk;
    if (known == null || !known.covers(block.getBlock(), position)) {
      byte[] bytes = new byte[size(known, block, how, position, into.remaining())];
      long offset = position - block.getStartOffset();
      int rebuilt =
          source.degraded.read(source.path, block, offset, ByteBuffer.wrap(bytes), source.counters);
      if (rebuilt == 0) {
        return 0;
      }
      known = new Chunk(block.getBlock(), position, Arrays.copyOf(bytes, rebuilt));
      chunk = known;
    }
    return known.copy(position, into);
  }

  /** Who reads on gets ever more ahead; who reads at a position gets what was asked for. */
  private int size(@Nullable Chunk before, LocatedBlock block, Way how, long position, int asked) {
    int most = source.settings.readAhead();
    long size = Math.min(asked, most);
    if (how == Way.ON && before != null && before.end() == position) {
      size = Math.max(size, Math.min(2L * before.length(), most));
    } else if (how == Way.ON) {
      size = Math.max(size, source.settings.firstRead());
    }
    return (int) Math.min(size, PlainStream.end(block) - position);
  }

  private @Nullable LocatedBlock lostAt(long position) {
    Map.Entry<Long, LocatedBlock> entry = lost.floorEntry(position);
    if (entry == null || position >= PlainStream.end(entry.getValue())) {
      return null;
    }
    LocatedBlock block = entry.getValue();
    if (source.lostBlocks.contains(block.getBlock())) {
      return block;
    }
    // Perhaps it is repaired: elsewhere, so that the locations must be asked for again.
    if (lost.remove(entry.getKey(), block) && !patient) {
      try {
        replace(plain, source.impatient, new IOException("locations are old"));
      } catch (IOException e) {
        LOG.debug("{} is read with the locations known before: {}", source.path, e.getMessage());
      }
    }
    return null;
  }

  private void forget(LocatedBlock block) {
    lost.remove(block.getStartOffset());
    source.lostBlocks.remove(block.getBlock());
  }

  private static Set<String> locations(@Nullable LocatedBlock block) {
    Set<String> nodes = new HashSet<>();
    if (block != null) {
      for (DatanodeInfo node : block.getLocations()) {
        nodes.add(node.getDatanodeUuid());
      }
    }
    return nodes;
  }

  /** Opens the file anew in place of a failed stream, unless another thread did. */
  private synchronized void replace(PlainStream failed, PlainStream.Opener opener, IOException why)
      throws IOException {
    checkOpen();
    if (plain != failed) {
      return;
    }
    HdfsDataInputStream opened;
    try {
      opened = opener.open();
    } catch (IOException e) {
      why.addSuppressed(e);
      throw why;
    }
    PlainStream fresh = new PlainStream(opened);
    boolean taken = false;
    try {
      if (!sameBlocks(failed.blocks(), fresh.blocks())) {
        why.addSuppressed(new IOException("Blocklist for " + source.path + " has changed!"));
        throw why;
      }
      Long ahead = readahead;
      if (ahead != null) {
        opened.setReadahead(ahead);
      }
      Boolean drop = dropBehind;
      if (drop != null) {
        opened.setDropBehind(drop);
      }
      taken = true;
    } finally {
      if (!taken) {
        fresh.close();
      }
    }
    add(failed.in().getReadStatistics(), retired);
    plain = fresh;
    failed.close();
  }

  /** Whether a path still means the file that was opened, as the stock client checks it. */
  private static boolean sameBlocks(List<LocatedBlock> before, List<LocatedBlock> now) {
    int common = Math.min(before.size(), now.size());
    Object[] ids = before.stream().limit(common).map(LocatedBlock::getBlock).toArray();
    return Arrays.equals(ids, now.stream().limit(common).map(LocatedBlock::getBlock).toArray());
  }

  boolean seekToNewSource(long target) throws IOException {
    if (lostAt(target) != null) {
      return false;
    }
    PlainStream current = use();
    try {
      return current.in().seekToNewSource(target);
    } finally {
      current.close();
    }
  }

  void setReadahead(Long bytes) throws IOException {
    readahead = bytes;
    stock().setReadahead(bytes);
  }

  void setDropBehind(Boolean drop) throws IOException {
    dropBehind = drop;
    stock().setDropBehind(drop);
  }

  void unbuffer() {
    chunk = null;
    stock().unbuffer();
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      chunk = null;
      plain.close();
    }
  }

  @Override
  public String toString() {
    return source.path;
  }
}
