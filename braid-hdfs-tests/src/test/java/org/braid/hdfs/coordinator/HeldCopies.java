package org.braid.hdfs.coordinator;

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A NameNode that copies and deletes replicas only while a test lets it: a call that waits for
 * copies waits until the test has done what is to happen meanwhile, however slow the machine is.
 */
final class HeldCopies implements AutoCloseable {
  /** A NameNode with these settings orders copies and deletions only for this class. */
  static final Map<String, String> CONFIGURATION =
      Map.of(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, "1d");

  private static final Logger LOG = LoggerFactory.getLogger(HeldCopies.class);
  private static final long PERIOD_MILLIS = 200;

  private final ScheduledExecutorService orders = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> ticks;
  private volatile boolean held;

  /** Copies are made from now on. */
  HeldCopies(NameNode nameNode) {
    ticks =
        orders.scheduleWithFixedDelay(
            () -> order(nameNode), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private synchronized void order(NameNode nameNode) {
    if (!held) {
      try {
        BlockManagerTestUtil.computeAllPendingWork(nameNode.getNamesystem().getBlockManager());
      } catch (RuntimeException e) {
        LOG.warn("copies are ordered again later", e);
      }
    }
  }

  /** No copies are ordered from now on. */
  synchronized void hold() {
    held = true;
  }

  /** Copies are ordered again. */
  synchronized void release() {
    held = false;
  }

  @Override
  public void close() {
    ticks.cancel(false);
    orders.shutdownNow();
  }
}
