package org.braid.hdfs.datanode;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.UnexpectedReplicaStateException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.braid.hdfs.datanode.scrub.ScrubbedReplica;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.BlockIdentity;
import org.jspecify.annotations.Nullable;

/** The replicas of one DataNode in one block pool, by identity. */
final class Replicas {
  private final DataNode node;
  private final String blockPool;

  Replicas(DataNode node, String blockPool) {
    this.node = node;
    this.blockPool = blockPool;
  }

  /** The block pools that a DataNode serves now; none before it has registered. */
  static Set<String> poolsOf(DataNode node) throws IOException {
    if (node.getFSDataset() == null) {
      return Set.of();
    }
    try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        return Set.of(volume.getBlockPoolList());
      }
    }
    throw new IOException(node.getDisplayName() + " has no healthy volume");
  }

  DataNode node() {
    return node;
  }

  /** The DataNode's name in messages. */
  String name() {
    return node.getDisplayName();
  }

  /** The block pool. */
  String blockPool() {
    return blockPool;
  }

  /** This DataNode's registration at the NameNode. */
  DatanodeRegistration registration() throws IOException {
    return node.getDNRegistrationForBP(blockPool);
  }

  /** Whether HDFS requires block tokens. */
  boolean usesTokens() throws IOException {
    return registration().getExportedKeys().isBlockTokenEnabled();
  }

  /** The HDFS block of an identity. */
  ExtendedBlock block(BlockIdentity proto) {
    return new ExtendedBlock(blockPool, proto.id(), proto.length(), proto.generation());
  }

  /**
   * Checks that a finalised replica of exactly this identity is here.
   *
   * @throws IOException when it is missing, another generation or length, or being written
   */
  void require(ExtendedBlock block) throws IOException {
    FsDatasetSpi<?> data = node.getFSDataset();
    Block stored = settled(() -> stored(block), this::registration);
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

  /** A value that is available once a DataNode has registered. */
  @FunctionalInterface
  interface Registered {
    /** Asks. */
    Object get() throws IOException;
  }

  /**
   * Looks up a stored replica. A DataNode that starts serves its block pool before it has found all
   * replicas, and registers afterwards: until then a missing replica is unknown, not absent.
   *
   * @param stored looks up the replica
   * @throws Rpc.NotServingException when it was not found, and the DataNode has not registered
   */
  static <T> @Nullable T settled(Supplier<@Nullable T> stored, Registered registered)
      throws IOException {
    T found = stored.get();
    if (found != null) {
      return found;
    }
    try {
      var unused = registered.get();
    } catch (IOException e) {
      throw new Rpc.NotServingException("the DataNode is starting: " + e.getMessage());
    }
    return stored.get();
  }

  /** A replica in the form that a scrub reads. */
  ScrubbedReplica scrubbed(ExtendedBlock block) {
    return new Scrubbed(block);
  }

  private final class Scrubbed implements ScrubbedReplica {
    private final ExtendedBlock block;

    Scrubbed(ExtendedBlock block) {
      this.block = block;
    }

    @Override
    public String name() {
      return describe(block) + " on " + Replicas.this.name();
    }

    @Override
    public long length() {
      return block.getNumBytes();
    }

    @Override
    public State state() throws IOException {
      Block stored = settled(() -> stored(block), Replicas.this::registration);
      if (stored == null) {
        return State.ABSENT;
      }
      if (stored.getGenerationStamp() != block.getGenerationStamp()
          || stored.getNumBytes() != block.getNumBytes()) {
        return State.CHANGED;
      }
      try {
        node.getFSDataset().checkBlock(block, 0, HdfsServerConstants.ReplicaState.FINALIZED);
      } catch (UnexpectedReplicaStateException | ReplicaNotFoundException e) {
        return State.CHANGED;
      } catch (FileNotFoundException e) {
        return State.PRESENT; // for all that is in memory
      }
      return State.PRESENT;
    }

    @Override
    public Content open() throws IOException {
      node.getFSDataset()
          .checkBlock(block, block.getNumBytes(), HdfsServerConstants.ReplicaState.FINALIZED);
      LocalReplicaReader reader =
          LocalReplicaReader.open(Replicas.this, block, 0, ReplicaFile.Source.DISK);
      return new Content() {
        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
          reader.read(offset, into);
        }

        @Override
        public void close() throws IOException {
          reader.close();
        }
      };
    }

    @Override
    public void reportBad() throws IOException {
      FsVolumeSpi volume = node.getFSDataset().getVolume(block);
      if (volume == null) {
        reportAbsent();
      } else {
        node.reportBadBlocks(block, volume);
      }
    }

    @Override
    public void reportAbsent() throws IOException {
      try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
        // The NameNode takes the replica from the node, whichever of its storages is named.
        node.notifyNamenodeDeletedBlock(block, volumes.get(0).getStorageID());
      }
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
