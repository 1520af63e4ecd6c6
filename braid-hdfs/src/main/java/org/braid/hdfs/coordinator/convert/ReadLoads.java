package org.braid.hdfs.coordinator.convert;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.hdfs.api.ConvertReport.ReadShare;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;

/**
 * Load of each node: the number of data blocks of each file, and of all blocks, parity included,
 * whose home is that node. Thread-safe.
 */
public final class ReadLoads {
  private final Map<Long, Map<String, Integer>> ofFile = new HashMap<>();
  private final Map<String, Integer> ofNode = new HashMap<>();

  /** Begins a batch of files; counts their blocks with one replica at the node of that replica. */
  synchronized void begin(Collection<StoredFile> files) {
    ofFile.clear();
    for (StoredFile file : files) {
      for (BlockStatus block : file.blocks()) {
        if (block.replicas().size() == 1) {
          add(file.inode(), block.replicas().get(0).node(), 1);
        }
      }
    }
  }

  private synchronized void add(long file, String node, int blocks) {
    ofFile.computeIfAbsent(file, f -> new HashMap<>()).merge(node, blocks, Integer::sum);
    ofNode.merge(node, blocks, Integer::sum);
  }

  /** Blocks of a file at a node first, then blocks of all files there. */
  public synchronized long load(long file, String node) {
    long own = ofFile.getOrDefault(file, Map.of()).getOrDefault(node, 0);
    return (own << Integer.SIZE) + ofNode.getOrDefault(node, 0);
  }

  /** Blocks at a node, parity included. */
  public synchronized long load(String node) {
    return ofNode.getOrDefault(node, 0);
  }

  /**
   * Counts the blocks of a stripe at their homes.
   *
   * @param homes of the data blocks, then of the parities
   * @param blocks 1 to count, -1 to take it back
   */
  public void add(Group group, List<String> homes, int blocks) {
    for (int i = 0; i < homes.size(); i++) {
      // Parity is not read, but a node that stores more of it has less to spare.
      long file = i < group.blocks().size() ? group.blocks().get(i).file().inode() : -1;
      add(file, homes.get(i), blocks);
    }
  }

  /**
   * Mean number of blocks that each node serves when each block is read once, from a random
   * replica.
   */
  public static Map<String, Double> byNode(Collection<StoredFile> files) {
    Map<String, Double> loads = new HashMap<>();
    for (StoredFile file : files) {
      for (BlockStatus block : file.blocks()) {
        double part = 1.0 / block.replicas().size();
        for (Replica replica : block.replicas()) {
          loads.merge(replica.node(), part, Double::sum);
        }
      }
    }
    return loads;
  }

  /** The share of the most loaded node for readers of files that are added batch by batch. */
  private static final class Share {
    private final Map<String, Double> all = new HashMap<>();
    private double blocks;
    private double each;

    void add(Collection<StoredFile> files) {
      blocks += files.stream().mapToDouble(file -> file.blocks().size()).sum();
      // The mean of shares, weighed by blocks: the sum of the highest loads.
      each += files.stream().mapToDouble(file -> most(byNode(List.of(file)))).sum();
      byNode(files).forEach((node, load) -> all.merge(node, load, Double::sum));
    }

    double ofFile() {
      return blocks == 0 ? 0 : each / blocks;
    }

    double ofAll() {
      return blocks == 0 ? 0 : most(all) / blocks;
    }

    private static double most(Map<String, Double> loads) {
      return loads.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
  }

  /** The shares before and after conversion, of files that are converted. */
  static final class Shares {
    private final Share before = new Share();
    private final Share after = new Share();

    /**
     * Adds a batch of files as they were and as they are.
     *
     * @param converted numbers of those that count, wherever users have renamed them to
     */
    void add(Collection<StoredFile> were, Collection<StoredFile> are, Set<Long> converted) {
      before.add(were.stream().filter(file -> converted.contains(file.inode())).toList());
      after.add(are.stream().filter(file -> converted.contains(file.inode())).toList());
    }

    /** The shares on a cluster of some nodes. */
    ReadShare now(int nodes) {
      return new ReadShare(
          before.ofFile(),
          after.ofFile(),
          before.ofAll(),
          after.ofAll(),
          nodes == 0 ? 0 : 1.0 / nodes);
    }
  }
}
