package org.braid.hdfs.datanode;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.braid.hdfs.stripe.BlockIdentity;
import org.jspecify.annotations.Nullable;

/** The replicas of one DataNode, by identity. */
final class Replicas {
  private final DataNode node;

  Replicas(DataNode node) {
    this.node = node;
  }

  DataNode node() {
    return node;
  }

  /** The DataNode's name in messages. */
  String name() {
    return node.getDisplayName();
  }

  /** The only block pool served. */
  String blockPool() throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        String[] pools = volume.getBlockPoolList();
        if (pools.length == 1) {
          return pools[0];
        }
        throw new IOException(
            name() + " serves " + pools.length + " block pools; Braid works with exactly 1");
      }
    }
    throw new IOException(name() + " has no healthy volume");
  }

  /** How the NameNode knows this DataNode. */
  DatanodeRegistration registration() throws IOException {
    return node.getDNRegistrationForBP(blockPool());
  }

  /** Whether HDFS guards its blocks with tokens. */
  boolean usesTokens() throws IOException {
    return registration().getExportedKeys().isBlockTokenEnabled();
  }

  /** A block as HDFS knows it. */
  ExtendedBlock block(BlockIdentity proto) throws IOException {
    return new ExtendedBlock(blockPool(), proto.id(), proto.length(), proto.generation());
  }

  /**
   * Checks that a finalised replica of exactly this identity is here.
   *
   * @throws IOException when it is missing, another generation or length, or being written
   */
  void require(ExtendedBlock block) throws IOException {
    FsDatasetSpi<?> data = node.getFSDataset();
    Block stored = stored(block);
    if (stored == null) {
      throw new IOException("no replica of " + describe(block) + " on " + name());
    }
    if (stored.getGenerationStamp() != block.getGenerationStamp()
        || stored.getNumBytes() != block.getNumBytes()) {
      throw new IOException(
          "the replica of "
              + describe(block)
              + " on "
              + name()
              + " has generation "
              + stored.getGenerationStamp()
              + " and "
              + stored.getNumBytes()
              + " bytes, asked for were generation "
              + block.getGenerationStamp()
              + " and "
              + block.getNumBytes()
              + " bytes: the block was changed");
    }
    if (!data.isValidBlock(block)) {
      throw new IOException(
          "the replica of " + describe(block) + " on " + name() + " is not finalised");
    }
  }

  /** Whether a replica of the block's id, whatever its generation and state, is here. */
  boolean holds(ExtendedBlock block) {
    return stored(block) != null;
  }

  private @Nullable Block stored(ExtendedBlock block) {
    try {
      return node.getFSDataset().getStoredBlock(block.getBlockPoolId(), block.getBlockId());
    } catch (IOException e) {
      return null; // HDFS says so when it has none
    }
  }

  /** A block's name in messages, {@code blk_ID_GENERATION}. */
  static String describe(ExtendedBlock block) {
    return block.getLocalBlock().toString();
  }
}
