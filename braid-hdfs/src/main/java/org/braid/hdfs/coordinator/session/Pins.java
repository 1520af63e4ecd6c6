package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pins the only replicas of blocks to their nodes, so that HDFS's Balancer and Mover do not break
 * the promise of their stripe. A failed pin is no error: fsck finds blocks that were moved, and
 * repair moves them back.
 */
public final class Pins {
  private static final Logger LOG = LoggerFactory.getLogger(Pins.class);

  /** Number of concurrent calls. */
  private static final int CALLS = 16;

  /** Nodes that cannot pin, each of which is logged once. */
  private static final Set<String> UNABLE = ConcurrentHashMap.newKeySet();

  private final Workers workers;

  public Pins(Workers workers) {
    this.workers = workers;
  }

  /** Pins every reachable copy of some blocks. */
  public void pin(ClusterState state, List<BlockStatus> blocks) throws IOException {
    set(state, blocks, Workers.Pin.SET);
  }

  /** Unpins blocks that are replicated again. */
  public void unpin(ClusterState state, List<BlockStatus> blocks) throws IOException {
    set(state, blocks, Workers.Pin.CLEARED);
  }

  private void set(ClusterState state, List<BlockStatus> blocks, Workers.Pin pin)
      throws IOException {
    Map<Integer, List<BlockIdentity>> byNode = state.readable(blocks);
    List<Parallel.Task> tasks = new ArrayList<>();
    byNode.forEach((node, held) -> tasks.add(() -> set(state, node, held, pin)));
    Parallel.run(CALLS, tasks);
  }

  private void set(ClusterState state, int node, List<BlockIdentity> held, Workers.Pin pin) {
    try {
      if (!workers.pin(state.node(node), held, pin)
          && pin == Workers.Pin.SET
          && UNABLE.add(state.node(node).uuid())) {
        LOG.info(
            "{} pins no blocks, the Balancer may move them: set"
                + " dfs.datanode.block-pinning.enabled there to prevent it",
            state.name(node));
      }
    } catch (IOException e) {
      LOG.info("{} blocks at {}: {}", held.size(), state.name(node), e.getMessage());
    }
  }
}
