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
 * Pins the only replicas of blocks where they are, so that HDFS's Balancer and Mover do not break
 * what their stripe promises. A pin that cannot be had is no failure: whatever is moved all the
 * same, fsck finds and repair moves back.
 */
public final class Pins {
  private static final Logger LOG = LoggerFactory.getLogger(Pins.class);

  /** Nodes that are told at once. */
  private static final int CALLS = 16;

  /** Nodes that were said to pin nothing: once is enough. */
  private static final Set<String> UNABLE = ConcurrentHashMap.newKeySet();

  private final Workers workers;

  public Pins(Workers workers) {
    this.workers = workers;
  }

  /** Pins every copy of some blocks that can be reached. */
  public void pin(ClusterState state, List<BlockStatus> blocks) throws IOException {
    set(state, blocks, Workers.Pin.SET);
  }

  /** Takes the pins of blocks back that are replicated again. */
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
