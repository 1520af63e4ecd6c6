package org.braid.hdfs.client.readahead;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.ReadStatistics;

/** Reads one file sequentially; for one thread, except its statistics. */
public interface SequentialReader extends Closeable {
  /**
   * Reads the next bytes.
   *
   * @param position position in the file
   * @return number of bytes, at least one; -1 at the end of the file
   */
  int read(long position, ByteBuffer into) throws IOException;

  /** Statistics of the read bytes. */
  ReadStatistics statistics();
}
