package org.braid.hdfs.client.readahead;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** An open file whose blocks can be read ahead. */
public interface ReadAheadFile {
  /** Length of the file in bytes. */
  long length();

  /**
   * The block at a position of the file. Asks the NameNode like a reader at that position: for some
   * blocks from there, never for all blocks of a large file.
   */
  LocatedBlock blockAt(long position) throws IOException;

  /** Opens a separate reader for a thread that reads ahead. */
  SequentialReader open() throws IOException;

  /** Closes the connection of the program's reader, for which other readers read from now on. */
  void disconnect();
}
