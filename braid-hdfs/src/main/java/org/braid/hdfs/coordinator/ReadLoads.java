package org.braid.hdfs.coordinator;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.hdfs.api.ConvertReport.ReadShare;
import org.braid.hdfs.coordinator.Grouper.Group;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.ReplicaProto;

/**
 * What readers of files ask of each node: data blocks, of each file and in all, at the one node
 * that is to keep them. Thread-safe.
 */
final class ReadLoads {
  private final Map<Long, Map<String, Integer>> ofFile = new HashMap<>();
  private final Map<String, Integer> ofNode = new HashMap<>();

  /** Loads by the blocks of some files that have their one replica. */
  static ReadLoads of(Collection<FileProto> files) {
    ReadLoads loads = new ReadLoads();
    for (FileProto file : files) {
      for (BlockStatusProto block : file.getBlocksList()) {
        if (block.getReplicasCount() == 1) {
          loads.add(file.getInode(), block.getReplicas(0).getNode(), 1);
        }
      }
    }
    return loads;
  }

  private synchronized void add(long file, String node, int blocks) {
    ofFile.computeIfAbsent(file, f -> new HashMap<>()).merge(node, blocks, Integer::sum);
    ofNode.merge(node, blocks, Integer::sum);
  }

  /** Blocks of a file at a node first, then blocks of all files there. */
  synchronized long load(long file, String node) {
    long own = ofFile.getOrDefault(file, Map.of()).getOrDefault(node, 0);
    return (own << Integer.SIZE) + ofNode.getOrDefault(node, 0);
  }

  /** Blocks at a node, parity among them. */
  synchronized long load(String node) {
    return ofNode.getOrDefault(node, 0);
  }

  /**
   * Counts the blocks of a stripe at their homes.
   *
   * @param homes of the data blocks, then of the parities
   * @param blocks 1 to count, -1 to take it back
   */
  void add(Group group, List<String> homes, int blocks) {
    for (int i = 0; i < homes.size(); i++) {
      // Parity is not read, but a node that stores more of it has less to spare.
      long file = i < group.blocks().size() ? group.blocks().get(i).file().getInode() : -1;
      add(file, homes.get(i), blocks);
    }
  }

  /** The blocks that each node serves when each block is read once, from any of its replicas. */
  static Map<String, Double> byNode(Collection<FileProto> files) {
    Map<String, Double> loads = new HashMap<>();
    for (FileProto file : files) {
      for (BlockStatusProto block : file.getBlocksList()) {
        double part = 1.0 / block.getReplicasCount();
        for (ReplicaProto replica : block.getReplicasList()) {
          loads.merge(replica.getNode(), part, Double::sum);
        }
      }
    }
    return loads;
  }

  /** The share of the most loaded node for readers of some files, where blocks are now. */
  private record Share(double file, double all) {
    static Share of(Collection<FileProto> files) {
      double blocks = files.stream().mapToInt(FileProto::getBlocksCount).sum();
      // The mean of shares, weighed by blocks: the sum of the highest loads.
      double each = files.stream().mapToDouble(file -> most(byNode(List.of(file)))).sum();
      return blocks == 0 ? new Share(0, 0) : new Share(each / blocks, most(byNode(files)) / blocks);
    }

    private static double most(Map<String, Double> loads) {
      return loads.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
  }

  /** The shares before and after conversion, of files that are converted. */
  static ReadShare shares(
      Collection<FileProto> before, Collection<FileProto> after, Set<String> converted, int nodes) {
    Set<String> paths = new HashSet<>(converted);
    Share then = Share.of(before.stream().filter(f -> paths.contains(f.getPath())).toList());
    Share now = Share.of(after.stream().filter(f -> paths.contains(f.getPath())).toList());
    return new ReadShare(
        then.file(), now.file(), then.all(), now.all(), nodes == 0 ? 0 : 1.0 / nodes);
  }
}
