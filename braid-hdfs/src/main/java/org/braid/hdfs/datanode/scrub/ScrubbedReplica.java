package org.braid.hdfs.datanode.scrub;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A replica that a scrub reads, and the reports on it to HDFS. */
public interface ScrubbedReplica {
  /** The DataNode's knowledge of a replica. */
  enum State {
    /** The replica is finalised and has the requested identity. */
    PRESENT,
    /** The replica has another generation or length, or is being written. */
    CHANGED,
    /** The DataNode has no such replica, and has reported all its blocks to its NameNode. */
    ABSENT
  }

  /** Its content, checked against HDFS's checksums. */
  interface Content extends Closeable {
    /** Fills a buffer with bytes from an offset on. */
    void read(long offset, ByteBuffer into) throws IOException;
  }

  /** The replica's name in messages. */
  String name();

  /** The replica's expected bytes. */
  long length();

  /**
   * The state in the DataNode's memory.
   *
   * @throws IOException when the DataNode does not know it yet
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

  /** Reports the replica to HDFS as bad. */
  void reportBad() throws IOException;

  /** Reports the replica to HDFS as missing. */
  void reportAbsent() throws IOException;
}
