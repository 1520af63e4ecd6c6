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

/** Types of storage: what files want, and what DataNodes have. */
public final class StorageView {
  private StorageView() {}

  /** What a file's storage policy wants; a lock of the namesystem is held. */
  public static StoragePolicy of(NameNodeHost host, INodeFile file) {
    BlockStoragePolicy policy = policy(host, file);
    return isHot(policy) ? StoragePolicy.HOT : of(policy);
  }

  /** The type of storage that a file's policy wants for one replica; likewise. */
  public static StorageType typeFor(NameNodeHost host, INodeFile file) {
    return first(policy(host, file));
  }

  /**
   * The same with the name that parity needs, unless it has the policy by its directory; a lock of
   * the namesystem is held.
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
   * Whether a DataNode has reported all its blocks since it registered, by its storages: there are
   * none before its first heartbeat, and one that has failed is reported no more.
   */
  public static boolean isReported(DatanodeStorageInfo... storages) {
    return storages.length > 0
        && Arrays.stream(storages)
            .allMatch(
                storage -> storage.getBlockReportCount() > 0 || HadoopInternals.isFailed(storage));
  }

  /**
   * The most bytes left on one storage of a DataNode, by type, as a block lies on one; empty when
   * there is one ordinary storage, which has what the node has. Where all have failed there is
   * nothing left on any.
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
