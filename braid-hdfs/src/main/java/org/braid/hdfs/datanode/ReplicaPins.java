package org.braid.hdfs.datanode;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.braid.hdfs.stripe.BlockIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pins replicas, so that HDFS's Balancer and Mover leave them where they are. HDFS keeps a pin as
 * the sticky bit of the block's file. It has a call to set it, which without Hadoop's native
 * library starts two programs for each block, and none to take it back; so the bit is changed here.
 */
final class ReplicaPins {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaPins.class);
  private static final String MODE = "unix:mode";
  private static final int PERMISSIONS = 07777;
  private static final int STICKY = 01000;

  private final Replicas replicas;

  ReplicaPins(Replicas replicas) {
    this.replicas = replicas;
  }

  /** Whether this DataNode pins at all: as it is configured, on a file system that has the bit. */
  boolean enabled() {
    return replicas
            .node()
            .getConf()
            .getBoolean(
                DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED,
                DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED_DEFAULT)
        && FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
  }

  /**
   * Pins blocks.
   *
   * @throws IOException when a replica is missing or another one; those before it are pinned
   */
  void pin(List<BlockIdentity> blocks) throws IOException {
    for (BlockIdentity block : blocks) {
      ExtendedBlock wanted = replicas.block(block);
      replicas.require(wanted);
      pin(wanted);
    }
  }

  /** Pins a replica that was just stored. It stays stored where it cannot be pinned. */
  void pinStored(ExtendedBlock block) {
    attempt(() -> pin(block), Replicas.describe(block));
  }

  /** Pins something. */
  @FunctionalInterface
  interface Pinning {
    void run() throws IOException;
  }

  /** Pins a block if it can be: what is moved all the same, repair moves back. */
  static void attempt(Pinning pinning, String block) {
    try {
      pinning.run();
    } catch (IOException | RuntimeException e) {
      LOG.info("{} is stored, but not pinned: {}", block, e.toString());
    }
  }

  private void pin(ExtendedBlock block) throws IOException {
    if (enabled()) {
      change(block, mode -> mode | STICKY);
    }
  }

  /** Takes pins back; blocks that have none, or are not here, are passed over. */
  void unpin(List<BlockIdentity> blocks) throws IOException {
    for (BlockIdentity block : blocks) {
      ExtendedBlock wanted = replicas.block(block);
      if (enabled() && replicas.holds(wanted)) {
        change(wanted, mode -> mode & ~STICKY);
      }
    }
  }

  private void change(ExtendedBlock block, IntUnaryOperator change) throws IOException {
    Path file = Path.of(replicas.node().getFSDataset().getBlockLocalPathInfo(block).getBlockPath());
    int before = (Integer) Files.getAttribute(file, MODE) & PERMISSIONS;
    int after = change.applyAsInt(before);
    if (after != before) {
      Files.setAttribute(file, MODE, after);
    }
  }
}
