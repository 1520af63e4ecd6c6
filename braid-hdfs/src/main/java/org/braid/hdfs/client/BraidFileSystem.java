package org.braid.hdfs.client;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemLinkResolver;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.AbstractFSBuilderImpl;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DFSOpsCountStatistics;
import org.apache.hadoop.hdfs.DFSOpsCountStatistics.OpType;
import org.apache.hadoop.hdfs.DFSStripedInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.util.LambdaUtils;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.rpc.DirectReads;
import org.braid.hdfs.rpc.StreamClient;
import org.braid.hdfs.rpc.StreamSecurity;
import org.jspecify.annotations.Nullable;

/**
 * HDFS whose files are read through lost blocks; set it as {@code fs.hdfs.impl}. All but reading is
 * the stock client's. Where the NameNode does not know Braid, it is plain HDFS.
 */
public class BraidFileSystem extends DistributedFileSystem implements IOStatisticsSource {
  /** A worker that is silent for so long is passed over. */
  private static final long PING_MILLIS = 4000;

  private @Nullable Reading reading;
  private boolean verifyChecksum = true;

  /** What reading needs besides the stock client. */
  private record Reading(
      DFSClient impatient,
      NameNodeCalls nameNode,
      DegradedReader degraded,
      LostBlocks lostBlocks,
      LostLocations locations,
      ClientSettings settings,
      ReadAhead.Shared ahead,
      ReadCounters counters) {}

  /** Opens stock streams: of a path, or of a handle. */
  private interface StockOpener {
    DFSInputStream open(DFSClient client) throws IOException;
  }

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(uri, conf);
    ClientSettings settings = ClientSettings.of(conf);
    DFSClient impatient = new DirectClient(getUri(), settings.impatient(conf), statistics);
    NameNodeCalls nameNode = new NameNodeCalls(new NameNodeLink(getUri(), conf));
    Configuration streams = new Configuration(conf);
    streams.setInt(StreamClient.TIMEOUT_KEY, settings.socketMillis());
    Workers workers = new Workers(conf, PING_MILLIS);
    DegradedReader degraded =
        new DegradedReader(
            nameNode,
            workers,
            (worker, run, stream, length, token) ->
                StreamClient.open(
                    streams,
                    worker.node().getIp(),
                    worker.answer().getStreamPort(),
                    run,
                    stream,
                    length,
                    StreamSecurity.client(impatient, token, worker.node().getTransferPort())),
            settings);
    reading =
        new Reading(
            impatient,
            nameNode,
            degraded,
            new LostBlocks(settings.lostMillis()),
            new LostLocations(nameNode),
            settings,
            new ReadAhead.Shared(settings.ahead(), workers.threads()),
            new ReadCounters(null));
  }

  private Reading reading() {
    Reading set = reading;
    if (set == null) {
      throw new IllegalStateException("the file system is not initialized");
    }
    return set;
  }

  @Override
  public FSDataInputStream open(Path f, int bufferSize) throws IOException {
    return open(f, bufferSize, ReadHints.NONE);
  }

  /** Opens a file; the options on how it will be read decide whether its blocks are read ahead. */
  @Override
  protected CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    AbstractFSBuilderImpl.rejectUnknownMandatoryKeys(
        parameters.getMandatoryKeys(),
        Options.OpenFileOptions.FS_OPTION_OPENFILE_STANDARD_OPTIONS,
        "for " + path);
    ReadHints hints = ReadHints.of(parameters.getOptions());
    return LambdaUtils.eval(
        new CompletableFuture<>(), () -> open(path, parameters.getBufferSize(), hints));
  }

  private FSDataInputStream open(Path f, int bufferSize, ReadHints hints) throws IOException {
    if (reading().nameNode.absent()) {
      return super.open(f, bufferSize);
    }
    countOpen();
    return new FileSystemLinkResolver<FSDataInputStream>() {
      @Override
      public FSDataInputStream doCall(Path p) throws IOException {
        checkPath(p);
        String path = p.toUri().getPath();
        return open(path, client -> client.open(path, bufferSize, verifyChecksum), hints);
      }

      @Override
      public FSDataInputStream next(FileSystem fs, Path p) throws IOException {
        return fs.open(p, bufferSize);
      }
    }.resolve(this, fixRelativePart(f));
  }

  @Override
  public FSDataInputStream open(PathHandle fd, int bufferSize) throws IOException {
    if (reading().nameNode.absent()) {
      return super.open(fd, bufferSize);
    }
    countOpen();
    HdfsPathHandle handle = fd instanceof HdfsPathHandle id ? id : new HdfsPathHandle(fd.bytes());
    return open(
        handle.getPath(),
        client -> client.open(handle, bufferSize, verifyChecksum),
        ReadHints.NONE);
  }

  private void countOpen() {
    statistics.incrementReadOps(1);
    if (GlobalStorageStatistics.INSTANCE.get(DFSOpsCountStatistics.NAME)
        instanceof DFSOpsCountStatistics counts) {
      counts.incrementOpCounter(OpType.OPEN);
    }
  }

  private FSDataInputStream open(String path, StockOpener opener, ReadHints hints)
      throws IOException {
    Reading with = reading();
    DFSInputStream first = opener.open(with.impatient);
    boolean done = false;
    try {
      FSDataInputStream opened;
      if (first instanceof DFSStripedInputStream || first.getFileEncryptionInfo() != null) {
        // Braid refuses to convert these; HDFS's own striping has its own degraded reads.
        first.close();
        opened = getClient().createWrappedInputStream(opener.open(getClient()));
      } else {
        ReadCounters counters = new ReadCounters(with.counters);
        FileReader.Source source =
            new FileReader.Source(
                path,
                () -> new HdfsDataInputStream(opener.open(with.impatient)),
                () -> new HdfsDataInputStream(opener.open(getClient())),
                with.degraded,
                with.lostBlocks,
                with.settings,
                counters);
        FileReader reader = new FileReader(source, new HdfsDataInputStream(first));
        ReadAhead ahead = new ReadAhead(reader, hints, with.ahead, counters);
        opened = new BraidDataInputStream(new BraidInputStream(reader, ahead, counters), first);
      }
      done = true;
      return opened;
    } finally {
      if (!done) {
        first.close();
      }
    }
  }

  /** What the streams of this file system counted: hedges, degraded reads, reading ahead. */
  @Override
  public IOStatistics getIOStatistics() {
    return reading().counters.getIOStatistics();
  }

  /** Bytes that the streams of this file system have read ahead, or have memory for. */
  long readAheadBytes() {
    return reading().ahead.buffers().used();
  }

  @Override
  public void setVerifyChecksum(boolean verify) {
    super.setVerifyChecksum(verify);
    verifyChecksum = verify;
  }

  /**
   * Where the blocks of a file are. A lost block names live nodes of the rack it was in, or else of
   * its stripe, so that a job has somewhere to read it.
   */
  @Override
  public BlockLocation[] getFileBlockLocations(Path p, long start, long len) throws IOException {
    BlockLocation[] locations = DirectReads.run(() -> super.getFileBlockLocations(p, start, len));
    reading().locations.fill(fixRelativePart(p).toUri().getPath(), locations);
    return locations;
  }

  @Override
  protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path p, PathFilter filter)
      throws IOException {
    LostLocations locations = reading().locations;
    return RemoteIterators.mappingRemoteIterator(
        super.listLocatedStatus(p, filter),
        status -> {
          locations.fill(status);
          return status;
        });
  }

  @Override
  public RemoteIterator<PartialListing<LocatedFileStatus>> batchedListLocatedStatusIterator(
      List<Path> paths) throws IOException {
    LostLocations locations = reading().locations;
    return RemoteIterators.mappingRemoteIterator(
        super.batchedListLocatedStatusIterator(paths),
        listing -> {
          for (LocatedFileStatus status : listing.get()) {
            locations.fill(status);
          }
          return listing;
        });
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      Reading open = reading;
      if (open != null) {
        open.degraded.close();
        open.nameNode.close();
        open.impatient.close();
      }
    }
  }
}
