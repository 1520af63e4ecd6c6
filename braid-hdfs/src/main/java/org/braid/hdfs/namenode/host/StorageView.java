package org.braid.hdfs.namenode.host;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StoragePolicy;

/** Storage types: those that files want and those that DataNodes have. */
public final class StorageView {
  private StorageView() {}

  /** The storage policy of a file; a lock of the namesystem is held. */
  public static StoragePolicy of(NameNodeHost host, INodeFile file) {
    BlockStoragePolicy policy = policy(host, file);
    return isHot(policy) ? StoragePolicy.HOT : of(policy);
  }

  /**
   * The storage type that a file's policy wants for a single replica; a lock of the namesystem is
   * held.
   */
  public static StorageType typeFor(NameNodeHost host, INodeFile file) {
    return first(policy(host, file));
  }

  /**
   * The storage policy of a file, with the name that its parity needs unless parity gets the policy
   * from its directory; a lock of the namesystem is held.
   */
  public static StoragePolicy forParity(NameNodeHost host, INodeFile file) throws IOException {
    BlockStoragePolicy policy = policy(host, file);
    return isHot(policy) && isHot(policy(host, parityDirectory(host)))
        ? StoragePolicy.HOT
        : of(policy);
  }

  private static INode parityDirectory(NameNodeHost host) throws IOException {
    FSDirectory directory = host.namesystem().getFSDirectory();
    for (String path : List.of(BraidPaths.STRIPES, BraidPaths.ROOT)) {
      INode found = Namespace.at(directory, path);
      if (found != null) {
        return found;
      }
    }
    return directory.getRoot();
  }

  private static BlockStoragePolicy policy(NameNodeHost host, INode inode) {
    BlockStoragePolicySuite policies = host.blocks().getStoragePolicySuite();
    BlockStoragePolicy policy = policies.getPolicy(inode.getStoragePolicyID());
    return policy == null ? policies.getDefaultPolicy() : policy;
  }

  private static boolean isHot(BlockStoragePolicy policy) {
    return policy.getId() == HdfsConstants.StoragePolicy.HOT.value();
  }

  private static StoragePolicy of(BlockStoragePolicy policy) {
    return new StoragePolicy(
        policy.getName(),
        first(policy).name(),
        names(policy.getCreationFallbacks()),
        names(policy.getReplicationFallbacks()));
  }

  /** What HDFS chooses for one replica, but for storage that others provide. */
  private static StorageType first(BlockStoragePolicy policy) {
    for (StorageType type : policy.getStorageTypes()) {
      if (lasts(type)) {
        return type;
      }
    }
    return StorageType.DISK;
  }

  private static List<String> names(StorageType[] types) {
    return Arrays.stream(types).filter(StorageView::lasts).map(StorageType::name).toList();
  }

  private static boolean lasts(StorageType type) {
    return !type.isTransient() && type != StorageType.PROVIDED;
  }

  /**
   * Whether a DataNode has sent a full block report of each storage since it registered. Before its
   * first heartbeat a node has no storages; a failed storage sends no more reports and counts as
   * reported.
   */
  public static boolean isReported(DatanodeStorageInfo... storages) {
    return storages.length > 0
        && Arrays.stream(storages)
            .allMatch(
                storage -> storage.getBlockReportCount() > 0 || HadoopInternals.isFailed(storage));
  }

  /**
   * The most free bytes on a single storage of a DataNode, by type, because a block lies on one
   * storage. Empty when the node has one ordinary storage, whose room is the node's. 0 where all
   * storages have failed.
   */
  public static Map<String, Long> rooms(StorageReport... reports) {
    Map<String, Long> rooms = new HashMap<>();
    boolean ordinary = reports.length <= 1;
    for (StorageReport report : reports) {
      DatanodeStorage storage = report.getStorage();
      ordinary &= storage.getStorageType() == StorageType.DEFAULT;
      if (storage.getState() == DatanodeStorage.State.NORMAL && !report.isFailed()) {
        rooms.merge(storage.getStorageType().name(), report.getRemaining(), Long::max);
      }
    }
    if (reports.length > 0 && rooms.isEmpty()) {
      return Map.of(StorageType.DEFAULT.name(), 0L); // all have failed
    }
    return ordinary ? Map.of() : rooms;
  }
}
