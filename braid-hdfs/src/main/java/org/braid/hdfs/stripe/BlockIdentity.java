package org.braid.hdfs.stripe;

/**
 * A block of HDFS as it was when it was looked at. A block that is appended to or truncated is
 * another one, whatever its path.
 *
 * @param id HDFS's block id
 * @param generation its generation stamp
 * @param length bytes
 */
public record BlockIdentity(long id, long generation, long length) {
  /** The block's name as HDFS prints it. */
  public String name() {
    return "blk_" + id;
  }
}
