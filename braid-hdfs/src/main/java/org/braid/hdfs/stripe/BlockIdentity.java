package org.braid.hdfs.stripe;

/**
 * The identity of an HDFS block at one moment. A block that was appended to or truncated has
 * another identity, whatever its path.
 *
 * @param id HDFS's block id
 * @param generation generation stamp
 * @param length bytes
 */
public record BlockIdentity(long id, long generation, long length) {
  /** The block's name as HDFS prints it. */
  public String name() {
    return "blk_" + id;
  }
}
