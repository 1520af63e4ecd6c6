package org.braid.hdfs.client;

/** The same reads where each block is cut into sub-blocks. */
final class SubBlockReadTest extends DegradedReadTest {
  @Override
  String code() {
    return "rotated-rs-3-2-4";
  }
}
