package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's checksum of a file with lost blocks: asks DataNodes for the blocks that they have, and a
 * subclass of {@link DFSClientBase} for the others. It is in HDFS's package because it uses
 * package-private members.
 */
@NullMarked
final class BlockwiseChecksum extends FileChecksumHelper.FileChecksumComputer {
  private static final Logger LOG = LoggerFactory.getLogger(BlockwiseChecksum.class);

  private final DFSClientBase client;

  BlockwiseChecksum(
      DFSClientBase client, String src, long length, LocatedBlocks blocks, ChecksumCombineMode mode)
      throws IOException {
    super(src, length, blocks, client.namenode, client, mode);
    this.client = client;
  }

  FileChecksum checksum() throws IOException {
    compute();
    return getFileChecksum();
  }

  @Override
  void checksumBlocks() throws IOException {
    List<LocatedBlock> blocks = getLocatedBlocks();
    List<DFSClientBase.@Nullable BlockSum> sums = new ArrayList<>();
    DFSClientBase.BlockSum known = null;
    for (LocatedBlock block : blocks) {
      block.getBlock().setNumBytes(Math.min(getRemaining(), block.getBlockSize()));
      setRemaining(getRemaining() - block.getBlockSize());
      DFSClientBase.BlockSum sum = atDataNodes(block);
      sums.add(sum);
      known = known == null ? sum : known;
    }
    for (int i = 0; i < blocks.size(); i++) {
      DFSClientBase.BlockSum sum = sums.get(i);
      if (sum == null) {
        sum = client.sumOfLost(getSrc(), blocks.get(i), getCombineMode(), known);
      }
      add(sum, i);
    }
  }

  private DFSClientBase.@Nullable BlockSum atDataNodes(LocatedBlock block) throws IOException {
    if (block.getLocations().length == 0) {
      return null;
    }
    OneBlock one = new OneBlock(block);
    try {
      one.checksumBlocks();
    } catch (IOException e) {
      LOG.info("no DataNode gives the checksum of {}: {}", block.getBlock(), e.getMessage());
      return null;
    }
    byte[] sum = new byte[one.getBlockChecksumBuf().getLength()];
    System.arraycopy(one.getBlockChecksumBuf().getData(), 0, sum, 0, sum.length);
    return new DFSClientBase.BlockSum(sum, one.getCrcType(), one.getBytesPerCRC());
  }

  private void add(DFSClientBase.BlockSum sum, int index) throws IOException {
    if (index == 0) {
      setBytesPerCRC(sum.chunk());
      setCrcType(sum.type());
      if (getLocatedBlocks().size() > 1) {
        setCrcPerBlock((getLocatedBlocks().get(0).getBlockSize() + sum.chunk() - 1) / sum.chunk());
      }
    }
    if (getCombineMode() == ChecksumCombineMode.MD5MD5CRC && sum.chunk() != getBytesPerCRC()) {
      throw new IOException(
          "Byte-per-checksum not matched: bpc="
              + sum.chunk()
              + " but bytesPerCRC="
              + getBytesPerCRC());
    }
    if (sum.type() != getCrcType()) {
      if (getCombineMode() == ChecksumCombineMode.COMPOSITE_CRC) {
        throw new IOException("DataChecksum.Type.MIXED is not supported for COMPOSITE_CRC");
      }
      setCrcType(DataChecksum.Type.MIXED);
    }
    getBlockChecksumBuf().write(sum.sum());
  }

  /** HDFS's own question for one block. */
  private final class OneBlock extends FileChecksumHelper.ReplicatedFileChecksumComputer {
    OneBlock(LocatedBlock block) throws IOException {
      super(
          BlockwiseChecksum.this.getSrc(),
          block.getBlockSize(),
          new LocatedBlocks(
              block.getBlockSize(),
              false,
              Collections.singletonList(block),
              block,
              true,
              null,
              null),
          client.namenode,
          client,
          BlockwiseChecksum.this.getCombineMode());
    }

    /** The answer would be all blocks of the file. */
    @Override
    void refetchBlocks() throws IOException {
      throw new IOException("its token has expired");
    }
  }
}
