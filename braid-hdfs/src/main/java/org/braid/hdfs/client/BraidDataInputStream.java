package org.braid.hdfs.client;

import java.io.InputStream;
import java.util.List;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * What {@link BraidFileSystem} hands out: it reads through lost blocks, and still is of the class
 * that programs expect an HDFS file system to hand out.
 */
final class BraidDataInputStream extends HdfsDataInputStream {
  private final BraidInputStream stream;

  /**
   * Puts a stream in the place of the stock one.
   *
   * @param first the stock stream that the other begins with
   */
  BraidDataInputStream(BraidInputStream stream, DFSInputStream first) {
    super(first);
    this.stream = stream;
    this.in = stream;
  }

  @Override
  public InputStream getWrappedStream() {
    return stream;
  }

  @Override
  public DatanodeInfo getCurrentDatanode() {
    return stream.stock().getCurrentDatanode();
  }

  @Override
  public ExtendedBlock getCurrentBlock() {
    return stream.stock().getCurrentBlock();
  }

  @Override
  public List<LocatedBlock> getAllBlocks() throws java.io.IOException {
    return stream.stock().getAllBlocks();
  }

  @Override
  public long getVisibleLength() {
    return stream.stock().getVisibleLength();
  }

  @Override
  public ReadStatistics getReadStatistics() {
    return stream.statistics();
  }

  @Override
  public void clearReadStatistics() {
    stream.clearStatistics();
  }
}
