package org.braid.hdfs.client.readahead;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** An open file whose blocks can be read ahead. */
public interface ReadAheadFile {
  /** Bytes of the file. */
  long length();

  /** All blocks of the file. */
  List<LocatedBlock> blocks() throws IOException;

  /** Opens a reader of its own for a thread that reads ahead. */
  SequentialReader open() throws IOException;

  /** Closes the connection of the program's reader, which others read for from now on. */
  void disconnect();
}
