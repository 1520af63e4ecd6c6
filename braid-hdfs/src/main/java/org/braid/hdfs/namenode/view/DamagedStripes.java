package org.braid.hdfs.namenode.view;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;

/**
 * The stripes that may be damaged, from what is wrong and not from all stripes: blocks without a
 * good copy, which HDFS queues; blocks on nodes that are silent or leave; and those that the guard
 * of replicas has found to have surplus copies or one that is not at home.
 */
public final class DamagedStripes {
  /** With more blocks than this every look at some stripes finds damaged ones. */
  private static final int MOST = 20_000;

  private final NameNodeHost host;
  private final StripeIndex index;
  private final Supplier<Set<Long>> displaced;

  /**
   * Knows nothing itself.
   *
   * @param displaced blocks with surplus copies, or one that is not at home
   */
  public DamagedStripes(NameNodeHost host, StripeIndex index, Supplier<Set<Long>> displaced) {
    this.host = host;
    this.index = index;
    this.displaced = displaced;
  }

  /**
   * The stripes behind an id, by id; empty when all stripes are to be looked at, as there are very
   * many of these or the NameNode does not count replicas yet.
   */
  Optional<List<Entry>> after(String id) throws IOException {
    if (!host.decides()) {
      return Optional.empty();
    }
    Set<Long> blocks = new HashSet<>(displaced.get());
    boolean few = add(() -> host.blocks().getCorruptReplicaBlockIterator(), blocks);
    for (DatanodeDescriptor node : host.nodes().getDatanodeListForReport(DatanodeReportType.ALL)) {
      boolean sound = node.isInService() && !host.isSuspect(node);
      if (few && !sound && !node.isDecommissioned()) {
        few = add(node, blocks);
      }
    }
    if (!few) {
      return Optional.empty();
    }
    TreeMap<String, Entry> stripes = new TreeMap<>();
    for (long block : blocks) {
      index.known(block).ifPresent(entry -> stripes.put(entry.stripe().id(), entry));
    }
    return Optional.of(new ArrayList<>(stripes.tailMap(id, false).values()));
  }

  private boolean add(DatanodeDescriptor node, Set<Long> blocks) throws IOException {
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      if (!add(() -> HadoopInternals.blocks(storage), blocks)) {
        return false;
      }
    }
    return true;
  }

  /** Adds blocks of stripes, in short holds of the lock; returns whether these were all. */
  private boolean add(Supplier<Iterator<BlockInfo>> list, Set<Long> blocks) throws IOException {
    ResumedWalk<BlockInfo> walk = new ResumedWalk<>(list, MOST);
    ResumedWalk.State state;
    do {
      state =
          host.reading(
              "braidDamaged",
              () ->
                  walk.step(
                      block -> {
                        if (index.concerns(block.getBlockId())) {
                          blocks.add(block.getBlockId());
                        }
                      }));
    } while (state == ResumedWalk.State.MORE && blocks.size() < MOST);
    return state == ResumedWalk.State.DONE && blocks.size() < MOST;
  }
}
