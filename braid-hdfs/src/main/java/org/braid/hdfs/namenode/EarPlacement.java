package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockUnderConstructionFeature;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.braid.placement.BlockPlacer;
import org.braid.placement.EncodingAwareReplication.BlockPlacement;
import org.braid.placement.EncodingAwareReplication.StripeState;
import org.braid.placement.PlacementException;
import org.braid.placement.PreEncodingStore;
import org.braid.placement.StripeLimits;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encoding-aware replication of new blocks (EAR section 3.3). Block i of a file belongs to stripe i
 * / k, unless its directory has stripes across files ({@link AcrossFiles}). What was given out for
 * a stripe is remembered; after a restart it is taken from where the stripe's earlier blocks are.
 */
final class EarPlacement {
  private static final Logger LOG = LoggerFactory.getLogger(EarPlacement.class);
  private static final int REMEMBERED_STRIPES = 10_000;
  private static final int REMEMBERED_COMPLAINTS = 1000;
  private static final int REMEMBERED_PLACERS = 100;

  private static final long CLUSTER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record StripeKey(long inode, int stripe) {}

  /** What was given out for a stripe, by names that outlive changes of the cluster. */
  private static final class Given {
    private @Nullable String coreRack;
    private final Map<Integer, List<String>> replicas = new TreeMap<>();
    private boolean refused;
  }

  /** One request of HDFS's for the targets of a new block. */
  record Request(
      String path,
      int replicas,
      @Nullable Node writer,
      Set<Node> excluded,
      long blockSize,
      BlockStoragePolicy storagePolicy) {}

  private final NameNodeHost host;
  private final Map<StripeKey, Given> given = lru(REMEMBERED_STRIPES);
  private final Map<String, Boolean> complaints = lru(REMEMBERED_COMPLAINTS);
  private final Map<PlacerKey, BlockPlacer> placers = lru(REMEMBERED_PLACERS);
  private final AcrossFiles across;
  private ClusterTopology cluster = ClusterTopology.of(List.of());
  private long clusterSince;

  /** For the present cluster. */
  private final Map<RuleKey, StripeRule> rules = lru(REMEMBERED_PLACERS);

  EarPlacement(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.across = new AcrossFiles(host, index);
  }

  /** A policy on a cluster is made once: some look at many patterns of losses. */
  private record PlacerKey(Topology topology, String setting, StripeLimits limits) {}

  private record RuleKey(String setting, long stripe) {}

  static <K, V> Map<K, V> lru(int capacity) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > capacity;
      }
    };
  }

  /** Targets for a new block; null when HDFS is to choose, for a reason that was logged. */
  synchronized DatanodeStorageInfo @Nullable [] place(Request request, NetworkTopology map) {
    Optional<EarSetting.Found> found;
    try {
      found = EarSetting.of(host, request.path);
    } catch (IOException e) {
      return null; // HDFS itself will say what is wrong with the path
    }
    if (found.isEmpty()) {
      return null;
    }
    EarSetting setting;
    try {
      setting = EarSetting.parse(found.get().text());
    } catch (RuntimeException e) {
      complain("encoding-aware replication is off: " + e.getMessage());
      return null;
    }
    return setting.across()
        ? placeAcross(request, setting, found.get(), map)
        : placeWithin(request, setting, found.get(), map);
  }

  private DatanodeStorageInfo @Nullable [] placeAcross(
      Request request, EarSetting setting, EarSetting.Found found, NetworkTopology map) {
    try {
      ClusterTopology present = present(map);
      Topology topology = present.topology();
      Storages storages = new Storages(request, present, map);
      int first =
          PreEncodingStore.first(
              topology,
              storages::has,
              writer(request.writer, present),
              request.replicas,
              ThreadLocalRandom.current());
      // The racks of stripes across files are those of their core rack.
      String core = topology.rackName(topology.rackOf(first));
      long stripes = 31 * found.directoryId() + core.hashCode();
      StripeLimits limits = limits(rule(setting, found.text(), present, stripes));
      BlockPlacer placer = placer(setting, found.text(), topology, limits);
      BlockPlacement placed =
          across.place(
              found,
              setting.code().k(),
              new PreEncodingStore.Cluster(topology, placer, storages::has),
              first,
              request.replicas,
              limits);
      return storages.of(placed);
    } catch (PlacementException | IllegalArgumentException | IOException e) {
      complain(
          "blocks below %s are not placed for %s: %s"
              .formatted(found.directory(), setting.code().name(), e.getMessage()));
      return null;
    }
  }

  private DatanodeStorageInfo @Nullable [] placeWithin(
      Request request, EarSetting setting, EarSetting.Found found, NetworkTopology map) {
    INodeFile file = found.file();
    int ordinal = file.numBlocks();
    int position = ordinal % setting.code().k();
    Given stripe =
        given.computeIfAbsent(
            new StripeKey(file.getId(), ordinal / setting.code().k()), key -> new Given());
    stripe.replicas.keySet().removeIf(earlier -> earlier >= position);
    if (stripe.replicas.isEmpty() && position == 0) {
      stripe.coreRack = null;
    }
    try {
      return place(request, setting, found, ordinal - position, position, stripe, map);
    } catch (PlacementException | IllegalArgumentException | IOException e) {
      if (!stripe.refused) {
        stripe.refused = true;
        LOG.warn(
            "block {} of {} is not placed for {}: {}",
            ordinal,
            request.path,
            setting.code().name(),
            e.getMessage());
      }
      return null;
    }
  }

  private DatanodeStorageInfo[] place(
      Request request,
      EarSetting setting,
      EarSetting.Found found,
      int first,
      int position,
      Given stripe,
      NetworkTopology map)
      throws IOException {
    ClusterTopology present = present(map);
    Topology topology = present.topology();
    Storages storages = new Storages(request, present, map);
    StripeRule rule = rule(setting, found.text(), present, 31 * found.file().getId() + first);
    List<int[]> earlier =
        host.reading("braidEar", () -> earlier(found.file(), first, position, stripe, present));
    int core = stripe.coreRack == null ? -1 : rack(present, stripe.coreRack);
    BlockPlacement placed =
        placer(setting, found.text(), topology, limits(rule))
            .place(
                new StripeState(core, earlier),
                storages::has,
                writer(request.writer, present),
                request.replicas,
                ThreadLocalRandom.current());
    stripe.coreRack = placed.coreRack() < 0 ? null : topology.rackName(placed.coreRack());
    stripe.replicas.put(
        position, Arrays.stream(placed.nodes()).mapToObj(topology::nodeName).toList());
    return storages.of(placed);
  }

  private BlockPlacer placer(
      EarSetting setting, String text, Topology topology, StripeLimits limits) {
    return placers.computeIfAbsent(
        new PlacerKey(topology, text, limits),
        key -> setting.policy().on(topology, setting.code(), limits, setting.layout()));
  }

  private static StripeLimits limits(StripeRule rule) {
    return new StripeLimits(rule.perRack(), rule.targetRacks());
  }

  /**
   * The rule of a stripe on the nodes in service.
   *
   * @param stripe draws its target racks, where it has some
   */
  private StripeRule rule(EarSetting setting, String text, ClusterTopology present, long stripe) {
    RuleKey key = new RuleKey(text, setting.targetRacks().isEmpty() ? 0 : stripe);
    return rules.computeIfAbsent(
        key,
        asked ->
            setting.rule(
                present.topology(), node -> present.nodes().get(node).isInService(), stripe));
  }

  /**
   * The nodes, as they were a second ago at most: to look at all of them takes longer than to place
   * a block. Whether a node is still there is asked again before it is chosen.
   */
  private ClusterTopology present(NetworkTopology map) {
    long now = System.nanoTime();
    if (map.getNumOfLeaves() != cluster.nodes().size() || now - clusterSince > CLUSTER_NANOS) {
      cluster = ClusterTopology.of(map, cluster);
      clusterSince = now;
      rules.clear();
    }
    return cluster;
  }

  /** The storages that take a block, each node asked when it is first thought of. */
  private final class Storages {
    private final Request request;
    private final ClusterTopology present;
    private final NetworkTopology map;
    private final StorageType type;
    private final int minBlocks = host.blocks().getMinBlocksForWrite(BlockType.CONTIGUOUS);
    private final boolean avoidStale = host.nodes().shouldAvoidStaleDataNodesForWrite();
    private final Map<Integer, DatanodeStorageInfo> found = new HashMap<>();

    Storages(Request request, ClusterTopology present, NetworkTopology map) throws IOException {
      List<StorageType> types =
          request.storagePolicy.chooseStorageTypes((short) request.replicas).stream()
              .distinct()
              .toList();
      if (types.size() != 1) {
        throw new IOException(
            "storage policy %s wants %d types of storage for one block: only policies of one type"
                    .formatted(request.storagePolicy.getName(), types.size())
                + " go together with encoding-aware replication");
      }
      this.request = request;
      this.present = present;
      this.map = map;
      this.type = types.get(0);
    }

    boolean has(int index) {
      DatanodeDescriptor node = present.nodes().get(index);
      if (!node.isInService()
          || !map.contains(node)
          || !present.isInItsRack(index)
          || request.excluded.contains(node)
          || (avoidStale && ReplicaView.silence(node) > staleMillis())) {
        return false;
      }
      DatanodeStorageInfo storage = node.chooseStorage4Block(type, request.blockSize, minBlocks);
      if (storage == null) {
        return false;
      }
      found.put(index, storage);
      return true;
    }

    DatanodeStorageInfo[] of(BlockPlacement placed) {
      return Arrays.stream(placed.nodes())
          .mapToObj(node -> Objects.requireNonNull(found.get(node)))
          .toArray(DatanodeStorageInfo[]::new);
    }
  }

  private long staleMillis() {
    return host.conf()
        .getLong(
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT);
  }

  /** Where the earlier blocks of a stripe are: as given out, else as found. */
  private static List<int[]> earlier(
      INodeFile file, int first, int position, Given stripe, ClusterTopology present) {
    BlockInfo[] blocks = file.getBlocks();
    List<int[]> earlier = new ArrayList<>();
    for (int i = 0; i < position && first + i < blocks.length; i++) {
      List<String> uuids = stripe.replicas.get(i);
      if (uuids == null) {
        uuids = found(blocks[first + i]);
        stripe.replicas.put(i, uuids);
      }
      earlier.add(uuids.stream().mapToInt(present::indexOf).filter(node -> node >= 0).toArray());
    }
    return earlier;
  }

  static List<String> found(BlockInfo block) {
    List<String> uuids = new ArrayList<>();
    block
        .getStorageInfos()
        .forEachRemaining(s -> uuids.add(s.getDatanodeDescriptor().getDatanodeUuid()));
    BlockUnderConstructionFeature open = block.getUnderConstructionFeature();
    if (open != null) {
      for (DatanodeStorageInfo storage : open.getExpectedStorageLocations()) {
        String uuid = storage.getDatanodeDescriptor().getDatanodeUuid();
        if (!uuids.contains(uuid)) {
          uuids.add(uuid);
        }
      }
    }
    return uuids;
  }

  private static int writer(@Nullable Node writer, ClusterTopology present) {
    return writer instanceof DatanodeDescriptor node ? present.indexOf(node.getDatanodeUuid()) : -1;
  }

  private static int rack(ClusterTopology present, String name) {
    for (int rack = 0; rack < present.topology().racks(); rack++) {
      if (present.topology().rackName(rack).equals(name)) {
        return rack;
      }
    }
    return -1;
  }

  private void complain(String text) {
    if (complaints.put(text, true) == null) {
      LOG.warn("{}", text);
    }
  }
}
