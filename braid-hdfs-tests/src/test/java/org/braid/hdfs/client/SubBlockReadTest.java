package org.braid.hdfs.client;

/** The same reads where each block is cut into sub-blocks. */
final class SubBlockReadTest extends DegradedReadTest {
  static final String CODE = "rotated-rs-3-2-4";

  @Override
  String code() {
    return CODE;
  }
}
