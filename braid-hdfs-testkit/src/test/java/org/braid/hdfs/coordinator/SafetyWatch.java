package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.stripe.Member;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all blocks below a directory all the time, under the NameNode's lock: one that had two
 * replicas never has fewer, not for a moment, unless its stripe is published, verified and whole.
 */
final class SafetyWatch implements AutoCloseable {
  private static final long PAUSE_MILLIS = 2;

  private final NameNodeHost host;
  private final StripeIndex index;
  private final String root;

  /** Blocks with their generation, which an append changes: its pipeline reports anew. */
  private final Set<String> safe = new HashSet<>();

  private final Thread thread = new Thread(this::run, "safety-watch");
  private volatile boolean closed;
  private volatile @Nullable String violation;
  private volatile boolean looked;

  /** Begins to look. */
  SafetyWatch(NameNode nameNode, String root) {
    BraidNameNodePlugin plugin =
        BraidNameNodePlugin.of(
                nameNode
                    .getNamesystem()
                    .getBlockManager()
                    .getDatanodeManager()
                    .getNetworkTopology())
            .orElseThrow();
    this.host = plugin.host();
    this.index = plugin.index();
    this.root = root;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!closed && violation == null) {
        violation = host.reading("safetyWatch", this::look);
        looked = true;
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (IOException | RuntimeException e) {
      violation = "the watch failed: " + e;
    } catch (InterruptedException e) {
      violation = "the watch was interrupted";
    }
  }

  private @Nullable String look() throws IOException {
    INode top = host.inode(root);
    return top == null ? null : look(top);
  }

  private @Nullable String look(INode inode) throws IOException {
    if (inode.isFile() && !inode.asFile().isUnderConstruction()) {
      return look(inode.asFile());
    }
    if (inode.isDirectory()) {
      for (INode child : inode.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
        String found = look(child);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private @Nullable String look(INodeFile file) throws IOException {
    for (BlockInfo block : file.getBlocks()) {
      int live = live(block);
      if (live >= 2) {
        safe.add(block.toString());
      } else if (safe.contains(block.toString()) && !isEncoded(block)) {
        return "%s of %s: %d live replicas, and no whole stripe: %s"
            .formatted(
                block.getBlockName(),
                file.getFullPathName(),
                live,
                index.known(block.getBlockId()).map(entry -> entry.stripe().id()));
      }
    }
    return null;
  }

  private int live(BlockInfo block) {
    return host.blocks().countNodes(block).liveReplicas();
  }

  private boolean isEncoded(BlockInfo block) throws IOException {
    Optional<Entry> entry = index.known(block.getBlockId());
    if (entry.isEmpty()
        || !entry.get().stripe().verified()
        || index.holding(block).isEmpty()
        || host.inode(entry.get().path()) == null) {
      return false;
    }
    for (Member member : entry.get().stripe().members()) {
      Optional<Held> held = StripeReader.held(host, member);
      if (!member.isVirtual() && (held.isEmpty() || live(held.get().block()) == 0)) {
        return false;
      }
    }
    return true;
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
