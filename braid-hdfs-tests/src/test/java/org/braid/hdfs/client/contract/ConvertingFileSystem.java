package org.braid.hdfs.client.contract;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.braid.hdfs.client.BraidFileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Braid's file system, whose files are converted and lose blocks before they are opened or listed.
 */
final class ConvertingFileSystem extends BraidFileSystem {
  private @Nullable ConvertedFiles files;

  /** Has files converted from now on. */
  void convert(ConvertedFiles files) {
    this.files = files;
  }

  private void degrade(Path path) throws IOException {
    if (files != null) {
      files.degrade(fixRelativePart(path));
    }
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    degrade(path);
    return super.open(path, bufferSize);
  }

  @Override
  protected CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    degrade(path);
    return super.openFileWithOptions(path, parameters);
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    degrade(path);
    return super.listStatus(path);
  }

  @Override
  public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
    degrade(path);
    return super.listStatusIterator(path);
  }

  @Override
  protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path, PathFilter filter)
      throws IOException {
    degrade(path);
    return super.listLocatedStatus(path, filter);
  }

  @Override
  protected HdfsPathHandle createPathHandle(FileStatus status, Options.HandleOpt... options) {
    try {
      degrade(status.getPath());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return super.createPathHandle(status, options);
  }
}
