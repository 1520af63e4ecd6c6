package org.braid.hdfs.client;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.braid.hdfs.client.degraded.LostBlockLocations;
import org.braid.hdfs.client.readahead.ReadHints;
import org.jspecify.annotations.Nullable;

/**
 * HDFS with reads through lost blocks; set it as {@code fs.hdfs.impl}. All other operations are
 * HDFS's own. If the NameNode does not know Braid, it works as plain HDFS.
 */
public class BraidFileSystem extends DistributedFileSystem implements IOStatisticsSource {
  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    initialize(uri, conf, null);
  }

  /**
   * Initializes the file system.
   *
   * @param counted counts read and written bytes, instead of the file system's own statistics
   */
  void initialize(URI uri, Configuration conf, FileSystem.@Nullable Statistics counted)
      throws IOException {
    HdfsPackage.join();
    ClientSettings settings = ClientSettings.of(conf);
    super.initialize(uri, conf);
    if (counted != null) {
      statistics = counted;
    }
    BraidClient.install(this, conf, statistics, settings);
  }

  /** The client of an initialized file system. */
  BraidClient client() {
    if (getClient() instanceof BraidClient client) {
      return client;
    }
    throw new IllegalStateException("the file system is not initialized");
  }

  /** Opens a file; the options on how it will be read decide on read-ahead. */
  @Override
  protected CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    return hinted(super.openFileWithOptions(path, parameters), parameters);
  }

  @Override
  protected CompletableFuture<FSDataInputStream> openFileWithOptions(
      PathHandle handle, OpenFileParameters parameters) throws IOException {
    return hinted(super.openFileWithOptions(handle, parameters), parameters);
  }

  /**
   * Passes the program's hints to a stream that is being opened. Preserves HDFS's exception, which
   * a dependent stage would wrap.
   */
  static CompletableFuture<FSDataInputStream> hinted(
      CompletableFuture<FSDataInputStream> opened, OpenFileParameters parameters) {
    ReadHints hints = ReadHints.of(parameters.getOptions());
    CompletableFuture<FSDataInputStream> told = new CompletableFuture<>();
    var unused =
        opened.whenComplete(
            (in, failure) -> {
              if (failure != null) {
                told.completeExceptionally(failure);
                return;
              }
              if (in.getWrappedStream() instanceof BraidInputStream stream) {
                stream.hint(hints);
              }
              told.complete(in);
            });
    return told;
  }

  /** The counters of this file system's streams: hedges, degraded reads, read-ahead. */
  @Override
  public IOStatistics getIOStatistics() {
    return client().counters().getIOStatistics();
  }

  /** Bytes of read-ahead buffers in use by the streams of this file system. */
  long readAheadBytes() {
    return client().ahead().buffers().used();
  }

  /**
   * The locations of a file's blocks. For a lost block, names live nodes as {@link
   * LostBlockLocations} chooses them, so that a job can schedule the read.
   */
  @Override
  public BlockLocation[] getFileBlockLocations(Path p, long start, long len) throws IOException {
    BlockLocation[] locations = super.getFileBlockLocations(p, start, len);
    client().locations().fill(fixRelativePart(p).toUri().getPath(), locations);
    return locations;
  }

  @Override
  protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path p, PathFilter filter)
      throws IOException {
    return filled(super.listLocatedStatus(p, filter));
  }

  /** Adds nodes for lost blocks to a listing. */
  RemoteIterator<LocatedFileStatus> filled(RemoteIterator<LocatedFileStatus> files) {
    LostBlockLocations locations = client().locations();
    return RemoteIterators.mappingRemoteIterator(
        files,
        status -> {
          locations.fill(status);
          return status;
        });
  }

  @Override
  public RemoteIterator<PartialListing<LocatedFileStatus>> batchedListLocatedStatusIterator(
      List<Path> paths) throws IOException {
    LostBlockLocations locations = client().locations();
    return RemoteIterators.mappingRemoteIterator(
        super.batchedListLocatedStatusIterator(paths), listing -> filled(listing, locations::fill));
  }

  /**
   * Adds nodes for lost blocks to a partial listing of several paths. As in HDFS, the failure of a
   * path is thrown only when its entries are requested.
   */
  static PartialListing<LocatedFileStatus> filled(
      PartialListing<LocatedFileStatus> listing, Consumer<LocatedFileStatus> fill) {
    List<LocatedFileStatus> entries;
    try {
      entries = listing.get();
    } catch (IOException e) {
      return listing; // which says so again
    }
    entries.forEach(fill);
    return listing;
  }
}
