package org.braid.hdfs.client;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemLinkResolver;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DFSOpsCountStatistics;
import org.apache.hadoop.hdfs.DFSOpsCountStatistics.OpType;
import org.apache.hadoop.hdfs.DFSStripedInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.braid.hdfs.rpc.DirectReads;
import org.braid.hdfs.rpc.StreamClient;
import org.braid.hdfs.rpc.StreamSecurity;
import org.jspecify.annotations.Nullable;

/**
 * HDFS whose files are read through lost blocks; set it as {@code fs.hdfs.impl}. All but reading is
 * the stock client's. Where the NameNode does not know Braid, it is plain HDFS.
 */
public class BraidFileSystem extends DistributedFileSystem {
  private @Nullable Reading reading;
  private boolean verifyChecksum = true;

  /** What reading needs besides the stock client. */
  private record Reading(
      DFSClient impatient,
      NameNodeCalls nameNode,
      DegradedReader degraded,
      LostBlocks lostBlocks,
      LostLocations locations,
      ClientSettings settings) {}

  /** Opens stock streams: of a path, or of a handle. */
  private interface StockOpener {
    DFSInputStream open(DFSClient client) throws IOException;
  }

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(uri, conf);
    ClientSettings settings = ClientSettings.of(conf);
    DFSClient impatient = new DirectClient(getUri(), settings.impatient(conf), statistics);
    NameNodeCalls nameNode = new NameNodeCalls(getUri(), conf);
    Configuration streams = new Configuration(conf);
    streams.setInt(StreamClient.TIMEOUT_KEY, settings.socketMillis());
    DegradedReader degraded =
        new DegradedReader(
            nameNode,
            new Workers(conf),
            (worker, run, stream, length, token) ->
                StreamClient.open(
                    streams,
                    worker.node().getIp(),
                    worker.streamPort(),
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
            settings);
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
    if (reading().nameNode.absent()) {
      return super.open(f, bufferSize);
    }
    countOpen();
    return new FileSystemLinkResolver<FSDataInputStream>() {
      @Override
      public FSDataInputStream doCall(Path p) throws IOException {
        checkPath(p);
        String path = p.toUri().getPath();
        return open(path, client -> client.open(path, bufferSize, verifyChecksum));
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
    return open(handle.getPath(), client -> client.open(handle, bufferSize, verifyChecksum));
  }

  private void countOpen() {
    statistics.incrementReadOps(1);
    if (GlobalStorageStatistics.INSTANCE.get(DFSOpsCountStatistics.NAME)
        instanceof DFSOpsCountStatistics counts) {
      counts.incrementOpCounter(OpType.OPEN);
    }
  }

  private FSDataInputStream open(String path, StockOpener opener) throws IOException {
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
        FileReader.Source source =
            new FileReader.Source(
                path,
                () -> new HdfsDataInputStream(opener.open(with.impatient)),
                () -> new HdfsDataInputStream(opener.open(getClient())),
                with.degraded,
                with.lostBlocks,
                with.settings);
        FileReader reader = new FileReader(source, new HdfsDataInputStream(first));
        opened = new BraidDataInputStream(new BraidInputStream(reader), first);
      }
      done = true;
      return opened;
    } finally {
      if (!done) {
        first.close();
      }
    }
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
    RemoteIterator<LocatedFileStatus> stock = super.listLocatedStatus(p, filter);
    LostLocations locations = reading().locations;
    return new RemoteIterator<>() {
      @Override
      public boolean hasNext() throws IOException {
        return stock.hasNext();
      }

      @Override
      public LocatedFileStatus next() throws IOException {
        LocatedFileStatus status = stock.next();
        locations.fill(status);
        return status;
      }
    };
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
