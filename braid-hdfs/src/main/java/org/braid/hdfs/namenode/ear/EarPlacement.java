package org.braid.hdfs.namenode.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
import org.apache.hadoop.util.Time;
import org.braid.code.LruCache;
import org.braid.hdfs.namenode.files.EarSetting;
import org.braid.hdfs.namenode.host.ClusterTopology;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.replication.BlockPlacement;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.replication.ReplicatedStripe;
import org.braid.placement.rule.StripeRule;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encoding-aware replication of new blocks (EAR section 3.3). Block i of a file belongs to stripe i
 * / k, unless its directory has stripes across files ({@link AcrossFiles}). What was given out for
 * a stripe is remembered; after a restart it is taken from where the stripe's earlier blocks are.
 */
public final class EarPlacement {
  private static final Logger LOG = LoggerFactory.getLogger(EarPlacement.class);
  private static final int REMEMBERED_STRIPES = 10_000;
  private static final int REMEMBERED_COMPLAINTS = 1000;
  private static final int REMEMBERED_PLACERS = 100;

  /** What a heartbeat may be late. */
  private static final long REPORT_MILLIS = 1000;

  private static final long CLUSTER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record StripeKey(long inode, int stripe) {}

  /** One request of HDFS's for the targets of a new block. */
  public record Request(
      String path,
      int replicas,
      @Nullable Node writer,
      Set<Node> excluded,
      long blockSize,
      BlockStoragePolicy storagePolicy) {}

  private final NameNodeHost host;
  private final Map<StripeKey, GivenOut> given = lru(REMEMBERED_STRIPES);
  private final Map<StripeKey, Boolean> refused = lru(REMEMBERED_STRIPES);
  private final Map<String, Boolean> complaints = lru(REMEMBERED_COMPLAINTS);
  private final LruCache<String, EarSetting> settings = new LruCache<>(REMEMBERED_PLACERS);
  private final AcrossFiles across;
  private final LateReports reports;
  private long transition = -1;
  private ClusterTopology cluster = ClusterTopology.of(List.of());
  private long clusterSince;

  /** For the present cluster. */
  private final Map<RuleKey, Prepared> prepared = lru(REMEMBERED_PLACERS);

  public EarPlacement(NameNodeHost host, StripeIndex index) {
    this.host = host;
    long patience = patience(host);
    this.across = new AcrossFiles(host, index, patience);
    this.reports =
        new LateReports(
            () -> host.nameNode().getLastHATransitionTime(), Time::monotonicNow, patience);
  }

  /** Nodes report what they are receiving with their next heartbeat. */
  private static long patience(NameNodeHost host) {
    return REPORT_MILLIS
        + host.conf()
            .getTimeDuration(
                DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
                DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT,
                TimeUnit.SECONDS,
                TimeUnit.MILLISECONDS);
  }

  private record RuleKey(String setting, long stripe) {}

  /** Where the blocks of a stripe may be, and who places them there. */
  private record Prepared(StripeRule rule, BlockPlacer placer) {}

  static <K, V> Map<K, V> lru(int capacity) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > capacity;
      }
    };
  }

  /**
   * What the path asks for.
   *
   * @param remembered whether the stripe's other blocks were all placed here
   */
  private record Foreseen(EarSetting setting, EarSetting.Found found, boolean remembered) {}

  /** Targets for a new block; null when HDFS is to choose, for a reason that was logged. */
  public DatanodeStorageInfo @Nullable [] place(Request request, NetworkTopology map) {
    Optional<Foreseen> foreseen = foreseen(request.path);
    if (foreseen.isEmpty()) {
      return null;
    }
    EarSetting setting = foreseen.get().setting;
    EarSetting.Found found = foreseen.get().found;
    try {
      if (!foreseen.get().remembered) {
        reports.await(
            () ->
                setting.across()
                    ? across.known(found, setting.code().k())
                    : host.reading("braidEar", () -> known(found.file(), setting.code().k())));
      }
    } catch (IOException e) {
      return null; // the NameNode stops
    }
    synchronized (this) {
      return setting.across()
          ? placeAcross(request, setting, found, map)
          : placeWithin(request, setting, found, map);
    }
  }

  private synchronized Optional<Foreseen> foreseen(String path) {
    long now = host.nameNode().getLastHATransitionTime();
    if (now != transition) {
      given.clear(); // another NameNode may have placed blocks meanwhile
      transition = now;
    }
    try {
      return EarSetting.of(host, path).map(this::foreseen);
    } catch (IOException e) {
      return Optional.empty(); // HDFS itself will say what is wrong with the path
    } catch (RuntimeException e) {
      complain("encoding-aware replication is off: " + e.getMessage());
      return Optional.empty();
    }
  }

  private Foreseen foreseen(EarSetting.Found found) {
    EarSetting setting = settings.get(found.text(), EarSetting::parse);
    int k = setting.code().k();
    int blocks = found.file().numBlocks();
    GivenOut stripe = given.get(new StripeKey(found.file().getId(), blocks / k));
    boolean remembered =
        !setting.across() && (blocks % k == 0 || (stripe != null && stripe.blocks() >= blocks % k));
    return new Foreseen(setting, found, remembered);
  }

  /** Whether all replicas are known of the blocks that the next one shares a stripe with. */
  private static boolean known(INodeFile file, int k) {
    BlockInfo[] blocks = file.getBlocks();
    return Arrays.stream(blocks, blocks.length - blocks.length % k, blocks.length)
        .allMatch(block -> found(block).size() >= file.getFileReplication());
  }

  private DatanodeStorageInfo @Nullable [] placeAcross(
      Request request, EarSetting setting, EarSetting.Found found, NetworkTopology map) {
    try {
      ClusterTopology present = present(map);
      Topology topology = present.topology();
      Storages storages = new Storages(request, present, map);
      EligibleNodes eligible = EligibleNodes.of(topology, storages::has);
      int first =
          PreEncodingStore.first(
              eligible,
              writer(request.writer, present),
              request.replicas,
              ThreadLocalRandom.current());
      // The target racks of stripes across files are those of their core rack.
      Function<String, Prepared> prepared =
          core ->
              prepared(setting, found.text(), present, 31 * found.directoryId() + core.hashCode());
      BlockPlacement placed =
          across.place(
              found,
              setting.code().k(),
              prepared.apply(topology.rackName(topology.rackOf(first))).placer(),
              eligible,
              first,
              request.replicas,
              core -> prepared.apply(core).rule());
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
    StripeKey key = new StripeKey(file.getId(), ordinal / setting.code().k());
    GivenOut stripe = given.computeIfAbsent(key, unused -> new GivenOut());
    stripe.forget(position);
    try {
      return place(request, setting, found, ordinal - position, position, stripe, map);
    } catch (PlacementException | IllegalArgumentException | IOException e) {
      if (refused.put(key, true) == null) {
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
      GivenOut stripe,
      NetworkTopology map)
      throws IOException {
    ClusterTopology present = present(map);
    Topology topology = present.topology();
    Storages storages = new Storages(request, present, map);
    Prepared prepared = prepared(setting, found.text(), present, 31 * found.file().getId() + first);
    stripe.in(topology);
    if (stripe.blocks() < position) {
      host.reading(
          "braidEar",
          () -> {
            complete(stripe, found.file().getBlocks(), first, position);
            return stripe;
          });
    }
    BlockPlacement placed =
        prepared
            .placer()
            .place(
                new ReplicatedStripe(stripe.core(), stripe.nodes()),
                EligibleNodes.of(topology, storages::has),
                writer(request.writer, present),
                request.replicas,
                ThreadLocalRandom.current());
    if (stripe.blocks() == position) {
      stripe.placed(placed.coreRack(), placed.nodes());
    }
    return storages.of(placed);
  }

  /** What was not given out here is where it is found. */
  private static void complete(GivenOut stripe, BlockInfo[] blocks, int first, int position) {
    for (int i = stripe.blocks(); i < position && first + i < blocks.length; i++) {
      stripe.found(found(blocks[first + i]));
    }
  }

  /**
   * What a stripe needs on the nodes in service.
   *
   * @param stripe draws its target racks, where it has some
   */
  private Prepared prepared(EarSetting setting, String text, ClusterTopology present, long stripe) {
    return prepared.computeIfAbsent(
        new RuleKey(text, setting.targetRacks().isEmpty() ? 0 : stripe),
        asked -> {
          EligibleNodes inService =
              EligibleNodes.of(present.topology(), node -> present.nodes().get(node).isInService());
          StripeRule rule = setting.rule(inService, stripe);
          return new Prepared(rule, setting.placer(rule));
        });
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
      prepared.clear();
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
    private final List<DatanodeStorageInfo> found = new ArrayList<>();

    Storages(Request request, ClusterTopology present, NetworkTopology map) throws IOException {
      List<StorageType> types = request.storagePolicy.chooseStorageTypes((short) request.replicas);
      if (types.isEmpty() || Collections.frequency(types, types.get(0)) < types.size()) {
        throw new IOException(
            "storage policy %s wants %d types of storage for one block: only policies of one type"
                    .formatted(request.storagePolicy.getName(), Set.copyOf(types).size())
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
      found.add(storage);
      return true;
    }

    DatanodeStorageInfo[] of(BlockPlacement placed) {
      DatanodeStorageInfo[] storages = new DatanodeStorageInfo[placed.nodes().length];
      for (int i = 0; i < storages.length; i++) {
        storages[i] = of(present.nodes().get(placed.nodes()[i]));
      }
      return storages;
    }

    private DatanodeStorageInfo of(DatanodeDescriptor node) {
      for (DatanodeStorageInfo storage : found) {
        if (storage.getDatanodeDescriptor().equals(node)) {
          return storage;
        }
      }
      throw new IllegalStateException(node + " was chosen without being asked");
    }
  }

  private long staleMillis() {
    return host.conf()
        .getLong(
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT);
  }

  public static List<String> found(BlockInfo block) {
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

  private void complain(String text) {
    if (complaints.put(text, true) == null) {
      LOG.warn("{}", text);
    }
  }
}
