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
 * Pins replicas, so that HDFS's Balancer and Mover do not move them. HDFS stores a pin as the
 * sticky bit of the block's file. Its call to set a pin starts two programs for each block without
 * Hadoop's native library, and it has no call to remove a pin. So this class changes the bit
 * itself.
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

  /**
   * Whether this DataNode pins replicas: it is configured to, and its file system has the sticky
   * bit.
   */
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
   * Pins the replicas of blocks.
   *
   * @throws IOException when a replica is missing or has another identity; those before it are
   *     pinned
   */
  void pin(List<BlockIdentity> blocks) throws IOException {
    for (BlockIdentity block : blocks) {
      ExtendedBlock wanted = replicas.block(block);
      replicas.require(wanted);
      pin(wanted);
    }
  }

  /** Pins a replica that was just stored. A failure does not affect the stored replica. */
  void pinStored(ExtendedBlock block) {
    attempt(() -> pin(block), Replicas.describe(block));
  }

  /** A pin operation. */
  @FunctionalInterface
  interface Pinning {
    void run() throws IOException;
  }

  /**
   * Tries to pin a block. A failure is harmless: if the replica is moved, a repair moves it back.
   */
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

  /** Removes the pins of blocks; skips blocks without a pin or without a replica here. */
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
