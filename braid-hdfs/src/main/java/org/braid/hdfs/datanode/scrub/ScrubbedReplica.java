package org.braid.hdfs.datanode.scrub;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A replica that a scrub reads, and what it tells HDFS of it. */
public interface ScrubbedReplica {
  /** What a DataNode knows of a replica. */
  enum State {
    /** It is finalised and has the identity asked for. */
    PRESENT,
    /** It has another generation or length, or is being written. */
    CHANGED,
    /** The DataNode has none, and has told its NameNode of all that it has. */
    ABSENT
  }

  /** Its content, checked against HDFS's checksums. */
  interface Content extends Closeable {
    /** Fills a buffer with bytes from an offset on. */
    void read(long offset, ByteBuffer into) throws IOException;
  }

  /** Its name in messages. */
  String name();

  /** Bytes that it is to have. */
  long length();

  /**
   * What the DataNode knows of it in memory.
   *
   * @throws IOException when the DataNode does not know yet
   */
  State state() throws IOException;

  /**
   * Opens its files, to be read past the page cache where that can be.
   *
   * @throws java.io.FileNotFoundException when the file of the block is missing
   * @throws java.nio.file.NoSuchFileException when one of its files is missing
   * @throws java.io.EOFException when a file is too short
   * @throws UnreadableException when the disk does not read one of them
   */
  Content open() throws IOException;

  /** Tells HDFS that it is bad. */
  void reportBad() throws IOException;

  /** Tells HDFS that it is not there. */
  void reportAbsent() throws IOException;
}
