package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.testing.BlockSafety;
import org.braid.hdfs.testing.BlockSafety.Protection;
import org.braid.hdfs.testing.Plugins;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all blocks below a directory all the time, under the NameNode's lock: one that had two
 * replicas never has fewer, not for a moment, unless its stripe is published, verified and whole.
 */
final class SafetyWatch implements AutoCloseable {
  private static final long PAUSE_MILLIS = 2;

  private final BlockSafety safety;
  private final Thread thread = new Thread(this::run, "safety-watch");
  private volatile boolean closed;
  private volatile @Nullable String violation;
  private volatile boolean looked;

  /** Begins to look. */
  SafetyWatch(NameNode nameNode, String root) {
    BraidNameNodePlugin plugin = Plugins.of(nameNode);
    safety = new BlockSafety(plugin, root);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!closed && violation == null) {
        violation = safety.look(Protection.WHOLE);
        looked = true;
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (IOException | RuntimeException e) {
      violation = "the watch failed: " + e;
    } catch (InterruptedException e) {
      violation = "the watch was interrupted";
    }
  }

  /** Ends; fails if a block was ever less safe than it had been. */
  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
    assertNull(violation);
    assertTrue(looked, "nothing was looked at");
  }
}
