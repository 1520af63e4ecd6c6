package org.braid.hdfs.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DFSClientBase;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.RemotePeerFactory;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.apache.hadoop.hdfs.protocol.BatchedDirectoryListing;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.braid.hdfs.client.degraded.DegradedReader;
import org.braid.hdfs.client.degraded.LostBlockLocations;
import org.braid.hdfs.client.degraded.LostBlockReader;
import org.braid.hdfs.client.degraded.UnreadableBlocks;
import org.braid.hdfs.client.readahead.ReadAhead;
import org.braid.hdfs.client.statistics.ReadCounters;
import org.braid.hdfs.dispatch.BlockTokenCalls;
import org.braid.hdfs.dispatch.ClientAddresses;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.rpc.CallerContexts;
import org.braid.hdfs.rpc.StreamClient;
import org.braid.hdfs.rpc.StreamSecurity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's client with streams that read through lost blocks. The NameNode answers its requests for
 * locations at once, even if blocks are lost. The exceptions are streams that cannot rebuild their
 * blocks, and all streams while the NameNode seems not to know Braid: their requests wait until the
 * blocks are rebuilt, like those of other clients.
 */
final class BraidClient extends DFSClientBase {
  private static final Logger LOG = LoggerFactory.getLogger(BraidClient.class);

  /** A worker that is silent for so long is passed over. */
  private static final long PING_MILLIS = 4000;

  private static final LongSupplier CLOCK = System::nanoTime;

  /** Whether the read of the present thread waits until others have rebuilt its blocks. */
  private static final ThreadLocal<@Nullable BooleanSupplier> WAITING = new ThreadLocal<>();

  private final PoolStripes stripes;
  private final DegradedReader degraded;
  private final UnreadableBlocks unreadable;
  private final ReadAhead.Shared ahead;
  private final ExecutorService aheadThreads =
      Executors.newCachedThreadPool(DaemonThreads.named("braid-ahead"));
  private final ReadCounters counters = new ReadCounters(null);
  private final DfsClientConf readConf;

  private BraidClient(
      URI uri,
      Configuration conf,
      FileSystem.@Nullable Statistics statistics,
      ClientSettings settings)
      throws IOException {
    super(uri, conf, statistics);
    BlockTokenCalls calls = new BlockTokenCalls(conf);
    stripes =
        new PoolStripes(
            uri,
            new NameNodeStripes(new NameNodeLink(uri, conf), CLOCK, calls::take),
            new ConfiguredServices(uri, conf, CLOCK, calls::take),
            this::number,
            CLOCK,
            LOG::warn);
    Configuration streams = new Configuration(conf);
    streams.setInt(StreamClient.TIMEOUT_KEY, settings.socketMillis());
    Workers workers = new Workers(calls, PING_MILLIS);
    ClientAddresses addresses = new ClientAddresses(conf);
    degraded =
        new DegradedReader(
            stripes,
            workers,
            (worker, run, stream, length, token) ->
                StreamClient.open(
                    streams,
                    addresses.of(worker.node()),
                    worker.answer().getStreamPort(),
                    run,
                    stream,
                    length,
                    StreamSecurity.client(this, token, worker.node().transferPort())),
            settings.degraded(),
            CLOCK);
    unreadable = new UnreadableBlocks(settings.degraded().lostMillis(), CLOCK);
    ahead = new ReadAhead.Shared(settings.ahead(), aheadThreads);
    readConf = new DfsClientConf(settings.forReads(conf));
  }

  /**
   * Makes a file system use Braid's client. The method is in this class because a caller that
   * created the client itself would link this class before {@link HdfsPackage#join} has run.
   */
  static void install(
      DistributedFileSystem fs,
      Configuration conf,
      FileSystem.@Nullable Statistics statistics,
      ClientSettings settings)
      throws IOException {
    install(new BraidClient(fs.getUri(), conf, statistics, settings), fs);
  }

  @Override
  public LocatedBlocks getLocatedBlocks(String src, long start, long length) throws IOException {
    BooleanSupplier waits = WAITING.get();
    return stripes.absent() || (waits != null && waits.getAsBoolean())
        ? super.getLocatedBlocks(src, start, length)
        : CallerContexts.direct(() -> super.getLocatedBlocks(src, start, length));
  }

  @Override
  public DirectoryListing listPaths(String src, byte[] startAfter, boolean needLocation)
      throws IOException {
    return located(needLocation, () -> super.listPaths(src, startAfter, needLocation));
  }

  @Override
  public BatchedDirectoryListing batchedListPaths(
      String[] srcs, byte[] startAfter, boolean needLocation) throws IOException {
    return located(needLocation, () -> super.batchedListPaths(srcs, startAfter, needLocation));
  }

  /** Has a listing with locations name no node for blocks that can be rebuilt only. */
  private <T extends @Nullable Object> T located(
      boolean needLocation, CallerContexts.Calls<T> listing) throws IOException {
    return needLocation && !stripes.absent() ? CallerContexts.direct(listing) : listing.run();
  }

  /**
   * Runs a read.
   *
   * @param waits whether requests for locations wait for lost blocks, asked at each request
   */
  int read(BooleanSupplier waits, CallerContexts.Calls<Integer> read) throws IOException {
    BooleanSupplier before = WAITING.get();
    WAITING.set(waits);
    try {
      return read.run();
    } finally {
      if (before == null) {
        WAITING.remove();
      } else {
        WAITING.set(before);
      }
    }
  }

  @Override
  protected DFSInputStream openContiguous(String src, boolean verifyChecksum, LocatedBlocks blocks)
      throws IOException {
    return new BraidInputStream(this, src, verifyChecksum, blocks);
  }

  @Override
  protected boolean rebuilds(LocatedBlocks blocks) {
    return rebuilds() && blocks.getErasureCodingPolicy() == null;
  }

  @Override
  protected BlockSum sumOfLost(
      String src, LocatedBlock block, ChecksumCombineMode mode, @Nullable BlockSum alike)
      throws IOException {
    List<StripeStatus> holding =
        stripes.stripes(
            src, block.getBlock().getBlockPoolId(), List.of(block.getBlock().getBlockId()));
    Optional<Member> member = LostBlockSums.memberOf(block.getBlock(), holding);
    if (member.isPresent()) {
      return LostBlockSums.of(src, block, member.get(), mode, alike, () -> from(src, block));
    }
    throw new BlockMissingException(
        src,
        "no DataNode gives the checksum of " + block.getBlock() + ", which is in no stripe",
        block.getStartOffset());
  }

  private long number(String src) throws IOException {
    HdfsFileStatus found = getFileInfo(src);
    if (found == null) {
      throw new FileNotFoundException("File does not exist: " + src);
    }
    return found.getFileId();
  }

  /** The file that a path means now, from a block's place on. */
  private LostBlockSums.Found from(String src, LocatedBlock block) throws IOException {
    DFSInputStream in = open(src);
    try {
      return new LostBlockSums.Found(
          in instanceof DegradedInputStream contiguous
              ? contiguous.seekToBlock(block.getStartOffset())
              : null,
          in);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** Whether blocks can be rebuilt, by the NameNode's last answers. */
  boolean rebuilds() {
    return !stripes.absent();
  }

  /** Nanoseconds, from any origin. */
  LongSupplier clock() {
    return CLOCK;
  }

  /** A reader of a file's lost blocks, which is told the file's length whenever it asks. */
  LostBlockReader lostBlocks(String src, LongSupplier length, ReadCounters counted) {
    return new LostBlockReader(src, length, degraded, unreadable, counted);
  }

  /** Finds nodes at which reads of lost blocks are cheap. */
  LostBlockLocations locations() {
    return new LostBlockLocations(stripes, degraded.planner());
  }

  /** The state shared by all streams that read ahead. */
  ReadAhead.Shared ahead() {
    return ahead;
  }

  /** The counters of all streams. */
  ReadCounters counters() {
    return counters;
  }

  /**
   * The configuration for reads of blocks that can be rebuilt: reads from silent DataNodes fail
   * early.
   */
  DfsClientConf readConf() {
    return readConf;
  }

  /** Connects to DataNodes with the time-out of {@link #readConf}. */
  RemotePeerFactory readPeers() {
    return (address, token, node) -> connect(address, token, node, readConf.getSocketTimeout());
  }

  /** Reads ahead for a reader in another thread; its own read counts the bytes later. */
  int readAhead(DegradedInputStream stream, long position, ByteBuffer into) throws IOException {
    return uncounted(() -> stream.readOn(position, into));
  }

  /** Counts bytes of a healthy block that were read ahead. */
  void countReadAhead(LocatedBlock block, int bytes) throws IOException {
    boolean known = block.getLocations().length > 0;
    countRead(
        known ? getClientContext().getNetworkDistance(block.getLocations()[0]) : Integer.MAX_VALUE,
        bytes);
  }

  /** Counts rebuilt bytes, which helpers sent. */
  void countRebuilt(int bytes) {
    countRead(Integer.MAX_VALUE, bytes);
  }

  @Override
  public synchronized void close() throws IOException {
    try {
      super.close();
    } finally {
      if (ahead.settings().interruptible()) {
        aheadThreads.shutdownNow();
      } else {
        aheadThreads.shutdown(); // each ends when its stream is closed, or nobody reads any more
      }
      degraded.close();
      stripes.close();
    }
  }
}
