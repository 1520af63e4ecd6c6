package org.braid.hdfs.client.readahead;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** An open file whose blocks can be read ahead. */
public interface ReadAheadFile {
  /** Bytes of the file. */
  long length();

  /**
   * The block at a position of the file. The NameNode is asked as a reader who comes there asks it:
   * for some blocks from there on, never for all of a large file.
   */
  LocatedBlock blockAt(long position) throws IOException;

  /** Opens a reader of its own for a thread that reads ahead. */
  SequentialReader open() throws IOException;

  /** Closes the connection of the program's reader, which others read for from now on. */
  void disconnect();
}
