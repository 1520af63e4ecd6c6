package org.braid.hdfs.client;

/** The same damage where each block is cut into sub-blocks. */
final class SubBlockBadHelperTest extends BadHelperTest {
  @Override
  String code() {
    return SubBlockReadTest.CODE;
  }
}
