package org.braid.hdfs.client;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FilterFs;
import org.apache.hadoop.fs.Hdfs;
import org.apache.hadoop.fs.HdfsAccess;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.OpenFileParameters;

/**
 * {@link BraidFileSystem} for FileContext, which ignores {@code fs.hdfs.impl}; set it as {@code
 * fs.AbstractFileSystem.hdfs.impl}. It is HDFS's own class with Braid's client. It is no subclass
 * of HDFS's class, whose constructor is hidden from classes in the jars of a job.
 */
public final class BraidAbstractFileSystem extends FilterFs {

  private final BraidFileSystem braid = new BraidFileSystem();

  /** Called by Hadoop, by reflection. */
  public BraidAbstractFileSystem(URI uri, Configuration conf)
      throws IOException, URISyntaxException {
    super(hdfs(uri, conf));
    braid.initialize(uri, conf, getStatistics());
    HdfsAccess.install(braid.getClient(), (Hdfs) getMyFs());
  }

  private static Hdfs hdfs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    HdfsPackage.join();
    return HdfsAccess.open(uri, conf);
  }

  @Override
  public CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    return BraidFileSystem.hinted(super.openFileWithOptions(path, parameters), parameters);
  }

  @Override
  public BlockLocation[] getFileBlockLocations(Path f, long start, long len) throws IOException {
    BlockLocation[] locations = super.getFileBlockLocations(f, start, len);
    braid.client().locations().fill(getUriPath(f), locations);
    return locations;
  }

  @Override
  public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path f) throws IOException {
    return braid.filled(super.listLocatedStatus(f));
  }

  /** Lists a directory page by page, which Hadoop's filter does not. */
  @Override
  public RemoteIterator<FileStatus> listStatusIterator(Path f) throws IOException {
    return getMyFs().listStatusIterator(f);
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    return braid.hasPathCapability(path, capability);
  }

  @Override
  public Path getEnclosingRoot(Path path) throws IOException {
    return braid.getEnclosingRoot(path);
  }
}
