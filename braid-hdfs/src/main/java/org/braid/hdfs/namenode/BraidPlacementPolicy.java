package org.braid.hdfs.namenode;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.braid.hdfs.namenode.ear.EarPlacement;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.DeletionPlan;
import org.braid.hdfs.namenode.stripes.StripeNeighbours;
import org.braid.hdfs.rpc.BraidPaths;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends HDFS's default placement. Parity goes to the node that its path names. New blocks below
 * directories with an EAR setting are placed by encoding-aware replication. When HDFS copies or
 * moves a block of a stripe, the block stays apart from the others as the stripe's rule demands; a
 * copy ignores the rule when there are not enough other targets. If a file has blocks in stripes,
 * HDFS drops no replica down to one without knowing which replica must stay.
 *
 * <p>In a JVM without Braid's NameNode plugin, such as the Balancer's, it places like HDFS.
 */
public final class BraidPlacementPolicy extends BlockPlacementPolicyDefault
    implements Configurable, DeletionPlan.Follower {
  private static final Logger LOG = LoggerFactory.getLogger(BraidPlacementPolicy.class);

  /** What is looked up where Braid places blocks, and not in the Balancer. */
  private static final class Load {
    private static final MethodHandle EXCLUDES = HadoopInternals.excludesByLoad();

    private Load() {}
  }

  private Configuration conf = new Configuration(false);
  private EarPlacement.First first = EarPlacement.First.ON_WRITER;

  @Override
  public void setConf(Configuration newConf) {
    conf = newConf;
    first =
        newConf.getBoolean(
                DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_KEY,
                DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_DEFAULT)
            ? EarPlacement.First.ON_WRITER
            : EarPlacement.First.IN_ITS_RACK;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  private Optional<BraidNameNodePlugin> plugin() {
    return BraidNameNodePlugin.of(clusterMap);
  }

  /**
   * Chooses targets. HDFS passes flags for a client's new block and none when it replicates a block
   * that exists.
   */
  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String srcPath,
      int numOfReplicas,
      @Nullable Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnChosenNodes,
      @Nullable Set<Node> excludedNodes,
      long blocksize,
      BlockStoragePolicy storagePolicy,
      @Nullable EnumSet<AddBlockFlag> flags) {
    if (flags != null && chosen.isEmpty()) {
      Optional<String> uuid = BraidPaths.stagedOn(srcPath);
      if (uuid.isPresent()) {
        return exactly(srcPath, uuid.get(), excludedNodes, blocksize, storagePolicy);
      }
    }
    DatanodeStorageInfo[] targets = null;
    Set<Node> excluded = excludedNodes == null ? Set.of() : excludedNodes;
    if (flags != null && chosen.isEmpty() && !avoidsWriter(flags) && plugin().isPresent()) {
      var request =
          new EarPlacement.Request(
              srcPath,
              numOfReplicas,
              writer,
              first,
              excluded,
              this::isOverloaded,
              blocksize,
              storagePolicy);
      targets = plugin().get().ear().place(request, clusterMap);
    } else if (flags == null
        && writer instanceof DatanodeDescriptor source
        && plugin().isPresent()) {
      StripeNeighbours neighbours = plugin().get().neighbours();
      StripeNeighbours.AvoidedNodes avoided = neighbours.of(srcPath, source, clusterMap);
      if (!avoided.apart().isEmpty()) {
        targets =
            apart(
                srcPath,
                avoided,
                numOfReplicas + (returnChosenNodes ? chosen.size() : 0),
                without ->
                    super.chooseTarget(
                        srcPath,
                        numOfReplicas,
                        writer,
                        chosen,
                        returnChosenNodes,
                        union(excluded, without),
                        blocksize,
                        storagePolicy,
                        null));
        neighbours.chosen(avoided, targets);
      }
    }
    if (targets != null) {
      return targets;
    }
    return super.chooseTarget(
        srcPath,
        numOfReplicas,
        writer,
        chosen,
        returnChosenNodes,
        excludedNodes,
        blocksize,
        storagePolicy,
        flags);
  }

  /**
   * Targets apart from the other blocks of a stripe, where these are on their way to, too; from
   * where they are now, if there are not enough of those; at last any.
   *
   * @param choose as HDFS does, without some nodes
   */
  private static DatanodeStorageInfo[] apart(
      String path,
      StripeNeighbours.AvoidedNodes avoided,
      int wanted,
      Function<Set<Node>, DatanodeStorageInfo[]> choose) {
    DatanodeStorageInfo[] targets = choose.apply(avoided.alsoApart());
    if (targets.length < wanted && avoided.alsoApart().size() > avoided.apart().size()) {
      targets = choose.apply(avoided.apart());
    }
    if (targets.length < wanted) {
      LOG.warn(
          "a block of {} is copied next to another block of its stripe: only {} of {} targets"
              + " are apart from it",
          path,
          targets.length,
          wanted);
      targets = choose.apply(Set.of());
    }
    return targets;
  }

  /** Whether HDFS gives a node no new block, as it has much more to do than others. */
  private boolean isOverloaded(DatanodeDescriptor node) {
    if (!considerLoad) {
      return false;
    }
    try {
      return (boolean) Load.EXCLUDES.invoke(this, node);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the load of " + node + " cannot be looked at", e);
    }
  }

  /** The client wants no replica near itself, which encoding-aware replication does not know. */
  private static boolean avoidsWriter(EnumSet<AddBlockFlag> flags) {
    return flags.contains(AddBlockFlag.NO_LOCAL_WRITE)
        || flags.contains(AddBlockFlag.NO_LOCAL_RACK);
  }

  private static Set<Node> union(Set<Node> one, Set<Node> other) {
    Set<Node> all = new HashSet<>(one);
    all.addAll(other);
    return all;
  }

  /** The node of a staged parity block, or none: the writer is to fail, not to go elsewhere. */
  private DatanodeStorageInfo[] exactly(
      String path,
      String uuid,
      @Nullable Set<Node> excluded,
      long blocksize,
      BlockStoragePolicy storagePolicy) {
    DatanodeDescriptor node = live(uuid);
    String refusal = null;
    DatanodeStorageInfo storage = null;
    if (node == null) {
      refusal = "no such node is registered";
    } else if (!node.isInService()) {
      refusal = "it is in state " + node.getAdminState();
    } else if (excluded != null && excluded.contains(node)) {
      refusal = "the writer could not reach it";
    } else {
      List<StorageType> types = new ArrayList<>(storagePolicy.chooseStorageTypes((short) 1));
      types.addAll(List.of(storagePolicy.getCreationFallbacks()));
      for (StorageType type : types) {
        storage = node.chooseStorage4Block(type, blocksize, minBlocksForWrite());
        if (storage != null) {
          return new DatanodeStorageInfo[] {storage};
        }
      }
      refusal =
          "it has %d bytes left, not enough on %s for a block of %d"
              .formatted(node.getRemaining(), types, blocksize);
    }
    LOG.warn("{} cannot be placed on DataNode {}: {}", path, uuid, refusal);
    return DatanodeStorageInfo.EMPTY_ARRAY;
  }

  private @Nullable DatanodeDescriptor live(String uuid) {
    Optional<BraidNameNodePlugin> plugin = plugin();
    if (plugin.isPresent()) {
      DatanodeDescriptor node = plugin.get().host().nodes().getDatanode(uuid);
      return node != null && clusterMap.contains(node) ? node : null;
    }
    // Calls may come before the plugin is started.
    for (Node leaf : clusterMap.getLeaves(NodeBase.ROOT)) {
      if (leaf instanceof DatanodeDescriptor node && node.getDatanodeUuid().equals(uuid)) {
        return node;
      }
    }
    return null;
  }

  private int minBlocksForWrite() {
    return plugin()
        .map(plugin -> plugin.host().blocks().getMinBlocksForWrite(BlockType.CONTIGUOUS))
        .orElse(1);
  }

  /** Chooses which replicas to delete; called under the namesystem's write lock. */
  @Override
  public List<DatanodeStorageInfo> chooseReplicasToDelete(
      Collection<DatanodeStorageInfo> availableReplicas,
      Collection<DatanodeStorageInfo> delCandidates,
      int expectedNumOfReplicas,
      List<StorageType> excessTypes,
      @Nullable DatanodeDescriptor addedNode,
      @Nullable DatanodeDescriptor delNodeHint) {
    DeletionPlan.Decision decision = DeletionPlan.present();
    Optional<BraidNameNodePlugin> plugin = plugin();
    if (decision != null && !decision.stock()) {
      return decision.surplus(delCandidates);
    }
    boolean undecided = decision == null && plugin.isPresent();
    boolean foreign = undecided && plugin.get().hasForeignFileInHand();
    if (foreign && expectedNumOfReplicas == 1 && plugin.get().isMoreWantedOfFileInHand()) {
      plugin.get().guard().vetoed(plugin.get().inodeInHand());
      return List.of();
    }
    if (undecided && !foreign) {
      if (expectedNumOfReplicas == 1) {
        return downToOne(plugin.get(), delCandidates, delNodeHint);
      }
      Collection<DatanodeStorageInfo> others =
          delNodeHint == null ? notAwaited(plugin.get(), delCandidates) : delCandidates;
      int staying = delCandidates.size() - others.size();
      if (staying > 0) {
        return super.chooseReplicasToDelete(
            availableReplicas,
            others,
            Math.max(0, expectedNumOfReplicas - staying),
            excessTypes,
            addedNode,
            null);
      }
    }
    return super.chooseReplicasToDelete(
        availableReplicas,
        delCandidates,
        expectedNumOfReplicas,
        excessTypes,
        addedNode,
        delNodeHint);
  }

  /**
   * Restricts HDFS's choice to the replicas that may be dropped. If the replicas are on two racks,
   * HDFS chooses among all replicas on a rack with several, including those that must stay.
   */
  @Override
  protected Collection<DatanodeStorageInfo> pickupReplicaSet(
      Collection<DatanodeStorageInfo> moreThanOne,
      Collection<DatanodeStorageInfo> exactlyOne,
      Map<String, List<DatanodeStorageInfo>> rackMap) {
    List<DatanodeStorageInfo> candidates = new ArrayList<>(moreThanOne);
    candidates.addAll(exactlyOne);
    List<DatanodeStorageInfo> chosen =
        super.pickupReplicaSet(moreThanOne, exactlyOne, rackMap).stream()
            .filter(storage -> ReplicaView.isAmong(candidates, storage))
            .toList();
    return chosen.isEmpty() ? candidates : chosen;
  }

  /**
   * HDFS would delete by free space, perhaps the only copy that is really there: only the source of
   * a move that keeps a stripe's rule may go, the rest is for the guard.
   */
  private static List<DatanodeStorageInfo> downToOne(
      BraidNameNodePlugin plugin,
      Collection<DatanodeStorageInfo> candidates,
      @Nullable DatanodeDescriptor hint) {
    DatanodeStorageInfo source = null;
    for (DatanodeStorageInfo candidate : candidates) {
      if (hint != null && candidate.getDatanodeDescriptor().equals(hint)) {
        source = candidate;
      }
    }
    long inode = plugin.inodeInHand();
    if (source != null && !plugin.moves().allows(inode, source, candidates)) {
      source = null;
    }
    if (source == null || candidates.size() > 2) {
      plugin.guard().vetoed(inode);
    }
    return source == null || candidates.size() < 2 ? List.of() : List.of(source);
  }

  /**
   * The candidates without those that are the home of the block in hand in a stripe that is being
   * converted. It is one of the blocks of the file in hand that have replicas on all candidates:
   * where there are several, the homes of all of them stay.
   */
  private static List<DatanodeStorageInfo> notAwaited(
      BraidNameNodePlugin plugin, Collection<DatanodeStorageInfo> candidates) {
    Map<String, List<Long>> atHome =
        plugin.fileInHand().map(plugin.index()::awaitedOf).orElse(Map.of());
    BlockManager blocks = plugin.host().blocks();
    return candidates.stream()
        .filter(
            candidate -> {
              String uuid = candidate.getDatanodeDescriptor().getDatanodeUuid();
              return atHome.getOrDefault(uuid, List.of()).stream()
                  .flatMap(id -> ReplicaView.stored(blocks, id).stream())
                  .noneMatch(block -> ReplicaView.staysOnAll(blocks, block, candidates));
            })
        .toList();
  }
}
