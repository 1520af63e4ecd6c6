package org.braid.hdfs.client.readahead;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.ReadStatistics;

/** Reads one file from front to back; for one thread, except its statistics. */
public interface SequentialReader extends Closeable {
  /**
   * Reads on.
   *
   * @param position where to read in the file
   * @return how many bytes were read, at least one; -1 at the end of the file
   */
  int read(long position, ByteBuffer into) throws IOException;

  /** What was read, and how. */
  ReadStatistics statistics();
}
