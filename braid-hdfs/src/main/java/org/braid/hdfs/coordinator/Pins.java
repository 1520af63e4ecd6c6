package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pins the only replicas of blocks where they are, so that HDFS's Balancer and Mover do not break
 * what their stripe promises. A pin that cannot be had is no failure: whatever is moved all the
 * same, fsck finds and repair moves back.
 */
final class Pins {
  private static final Logger LOG = LoggerFactory.getLogger(Pins.class);

  /** Nodes that are told at once. */
  private static final int CALLS = 16;

  /** Nodes that were said to pin nothing: once is enough. */
  private static final Set<String> UNABLE = ConcurrentHashMap.newKeySet();

  private final Workers workers;

  Pins(Workers workers) {
    this.workers = workers;
  }

  /** Pins every copy of some blocks that can be reached. */
  void pin(ClusterState state, List<BlockStatusProto> blocks) throws IOException {
    set(state, blocks, Workers.Pin.SET);
  }

  /** Takes the pins of blocks back that are replicated again. */
  void unpin(ClusterState state, List<BlockStatusProto> blocks) throws IOException {
    set(state, blocks, Workers.Pin.CLEARED);
  }

  private void set(ClusterState state, List<BlockStatusProto> blocks, Workers.Pin pin)
      throws IOException {
    Map<Integer, List<BlockProto>> byNode = new TreeMap<>();
    for (BlockStatusProto block : blocks) {
      Arrays.stream(state.readable(block))
          .forEach(
              node -> byNode.computeIfAbsent(node, n -> new ArrayList<>()).add(block.getBlock()));
    }
    List<Parallel.Task> tasks = new ArrayList<>();
    byNode.forEach((node, held) -> tasks.add(() -> set(state, node, held, pin)));
    Parallel.run(CALLS, tasks);
  }

  private void set(ClusterState state, int node, List<BlockProto> held, Workers.Pin pin) {
    try {
      if (!workers.pin(state.node(node), held, pin)
          && pin == Workers.Pin.SET
          && UNABLE.add(state.node(node).getUuid())) {
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
