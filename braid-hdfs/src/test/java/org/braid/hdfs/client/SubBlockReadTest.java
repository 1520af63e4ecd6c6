package org.braid.hdfs.client;

/** The same reads where each block is cut into sub-blocks. */
final class SubBlockReadTest extends DegradedReadTest {
  SubBlockReadTest() {
    super("rotated-rs-3-2-4");
  }
}
