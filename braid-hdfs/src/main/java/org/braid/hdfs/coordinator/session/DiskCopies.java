package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.SyncResponseProto;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the copies of blocks that are on disk, not only in the page cache of their nodes. Copies
 * on nodes that leave service do not count.
 */
public final class DiskCopies {
  private static final Logger LOG = LoggerFactory.getLogger(DiskCopies.class);

  /** Nodes that are asked at once. */
  private static final int CALLS = 16;

  /** Copies in one call, which bounds its time and the cost of its failure. */
  private static final int PAGE = 100;

  /** Copies of a replicated block that must be on disk before its parity goes. */
  private static final int LEAST = 2;

  private final Map<Long, Integer> copies = new HashMap<>();

  /** Copies on nodes that are not in service. */
  private final Map<Long, Integer> elsewhere = new HashMap<>();

  private DiskCopies() {}

  /**
   * Forces to disk all reachable copies of some blocks, at nodes in service.
   *
   * @param blocks the blocks; one in two stripes may be named twice
   */
  public static DiskCopies force(Workers workers, ClusterState state, List<BlockStatus> blocks)
      throws IOException {
    Map<Long, BlockStatus> each = new LinkedHashMap<>();
    blocks.forEach(block -> each.put(block.block().id(), block));
    Map<Integer, List<BlockIdentity>> byNode = state.readable(List.copyOf(each.values()));
    DiskCopies found = new DiskCopies();
    for (BlockStatus block : each.values()) {
      found.elsewhere.put(block.block().id(), state.outOfService(block));
    }
    List<Parallel.Task> tasks = new ArrayList<>();
    byNode.keySet().removeIf(node -> !state.isInService(node));
    byNode.forEach(
        (node, held) -> {
          for (int from = 0; from < held.size(); from += PAGE) {
            List<BlockIdentity> page = held.subList(from, Math.min(held.size(), from + PAGE));
            tasks.add(() -> found.force(workers, state, node, page));
          }
        });
    Parallel.run(CALLS, tasks);
    return found;
  }

  private void force(Workers workers, ClusterState state, int node, List<BlockIdentity> held) {
    try {
      SyncResponseProto answer = workers.sync(state.node(node), held);
      if (answer.hasReason()) {
        LOG.warn("{} of {} blocks: {}", answer.getFailedCount(), held.size(), answer.getReason());
      }
      Set<Long> failed = Set.copyOf(answer.getFailedList());
      held.stream().map(BlockIdentity::id).filter(id -> !failed.contains(id)).forEach(this::add);
    } catch (IOException e) {
      LOG.warn("{} blocks at {}: {}", held.size(), state.name(node), e.getMessage());
    }
  }

  private synchronized void add(long block) {
    copies.merge(block, 1, Integer::sum);
  }

  /** Number of copies of a block on disk at nodes in service. */
  public synchronized int of(BlockStatus block) {
    return copies.getOrDefault(block.block().id(), 0);
  }

  /**
   * Number of copies of a block at nodes that are in maintenance, decommissioned, or on the way
   * there.
   */
  public int elsewhere(BlockStatus block) {
    return elsewhere.getOrDefault(block.block().id(), 0);
  }

  /** Whether enough copies would be on disk if all nodes were in service. */
  public boolean wouldSuffice(BlockStatus block) {
    return of(block) + elsewhere(block) >= Math.min(LEAST, block.expected());
  }

  /** Whether enough copies of a replicated block are on disk for its parity to go. */
  public boolean suffice(BlockStatus block) {
    return of(block) >= Math.min(LEAST, block.expected());
  }
}
