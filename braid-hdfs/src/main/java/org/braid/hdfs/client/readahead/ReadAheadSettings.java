package org.braid.hdfs.client.readahead;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * Settings of read-ahead for sequential readers.
 *
 * @param blocks number of blocks to read at the same time; 1 turns read-ahead off
 * @param memory maximum bytes read ahead, for all streams of a file system together
 * @param piece bytes of a buffer
 * @param after bytes that a reader must read in sequence before read-ahead begins
 * @param interruptible whether reading threads may be interrupted, which closes the files that
 *     short-circuit reads share
 */
public record ReadAheadSettings(
    int blocks, long memory, int piece, long after, boolean interruptible) {
  public static final String BLOCKS = "braid.client.read-ahead.blocks";
  public static final String MEMORY = "braid.client.read-ahead.memory";
  public static final String PIECE = "braid.client.read-ahead.piece";
  public static final String AFTER = "braid.client.read-ahead.after";

  private static final int MOST_BLOCKS = 64;

  /**
   * Reads the settings off a configuration.
   *
   * @throws IllegalArgumentException when a value is out of its range
   */
  public static ReadAheadSettings of(Configuration conf) {
    int blocks = conf.getInt(BLOCKS, 6);
    if (blocks < 1 || blocks > MOST_BLOCKS) {
      throw new IllegalArgumentException(
          BLOCKS + " = " + blocks + " is not within 1 (off) and " + MOST_BLOCKS);
    }
    long quarter = Runtime.getRuntime().maxMemory() / 4;
    long memory = conf.getLongBytes(MEMORY, Math.min(256 << 20, quarter));
    int piece = bytes(conf, PIECE, 1 << 20);
    if (memory < piece) {
      throw new IllegalArgumentException(
          MEMORY
              + " = "
              + memory
              + " bytes does not hold one piece of "
              + piece
              + " ("
              + PIECE
              + "); to read nothing ahead set "
              + BLOCKS
              + " = 1");
    }
    long after = conf.getLongBytes(AFTER, 4 << 20);
    if (after < 0) {
      throw new IllegalArgumentException(AFTER + " = " + after + " is negative");
    }
    boolean shared =
        conf.getBoolean(
            HdfsClientConfigKeys.Read.ShortCircuit.KEY,
            HdfsClientConfigKeys.Read.ShortCircuit.DEFAULT);
    return new ReadAheadSettings(blocks, memory, piece, after, !shared);
  }

  private static int bytes(Configuration conf, String key, int normal) {
    long bytes = conf.getLongBytes(key, normal);
    if (bytes < 1 || bytes > 1 << 30) {
      throw new IllegalArgumentException(key + " = " + bytes + " is not within 1 byte and 1 GiB");
    }
    return (int) bytes;
  }
}
