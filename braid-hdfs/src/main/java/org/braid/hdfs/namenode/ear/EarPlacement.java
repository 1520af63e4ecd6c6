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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockUnderConstructionFeature;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.Time;
import org.braid.code.LruCache;
import org.braid.hdfs.namenode.ear.PresentCluster.Prepared;
import org.braid.hdfs.namenode.files.EarLookup;
import org.braid.hdfs.namenode.files.EnabledCodes;
import org.braid.hdfs.namenode.host.ClusterTopology;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeHost.Work;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.setting.EarSetting;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.replication.BlockPlacement;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.replication.ReplicatedStripe;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encoding-aware replication of new blocks (EAR section 3.3). Block i of a file belongs to stripe i
 * / k, unless its directory has stripes across files ({@link AcrossFiles}). The placement of each
 * open stripe is kept in memory; after a restart it is derived from the locations of the stripe's
 * earlier blocks.
 */
public final class EarPlacement {
  private static final Logger LOG = LoggerFactory.getLogger(EarPlacement.class);
  private static final int REMEMBERED_STRIPES = 10_000;
  private static final int REMEMBERED_COMPLAINTS = 1000;
  private static final int REMEMBERED_SETTINGS = 1000;

  /** Of so many handlers one may wait for reports. */
  private static final int WAITING_PART = 4;

  /** What a heartbeat may be late. */
  private static final long REPORT_MILLIS = 1000;

  private record StripeKey(long inode, int stripe) {}

  /** Where HDFS's configuration puts the first replica of a block that a DataNode's host writes. */
  public enum First {
    ON_WRITER,
    IN_ITS_RACK
  }

  /**
   * HDFS's request for the targets of a new block.
   *
   * @param overloaded whether HDFS would skip a node because of its load
   */
  public record Request(
      String path,
      int replicas,
      @Nullable Node writer,
      First first,
      Set<Node> excluded,
      Predicate<DatanodeDescriptor> overloaded,
      long blockSize,
      BlockStoragePolicy storagePolicy) {}

  /** A setting as a directory has it, or why it is none. */
  private record Read(@Nullable EarSetting setting, String refusal) {}

  private final NameNodeHost host;
  private final EnabledCodes enabled;
  private final Locked<StripeKey, PlacedBlocks> stripes =
      new Locked<>(REMEMBERED_STRIPES, PlacedBlocks::new);
  private final Map<String, Boolean> complaints =
      Collections.synchronizedMap(lru(REMEMBERED_COMPLAINTS));
  private final LruCache<String, Read> settings = new LruCache<>(REMEMBERED_SETTINGS);
  private final AcrossFiles across;
  private final LateReports reports;
  private final PresentCluster cluster = new PresentCluster();
  private final AtomicLong transition = new AtomicLong(-1);

  public EarPlacement(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.enabled = EnabledCodes.of(host.conf());
    long patience = patience(host);
    this.across = new AcrossFiles(host, index, patience);
    this.reports =
        new LateReports(
            host::term, Time::monotonicNow, patience, Math.max(1, handlers(host) / WAITING_PART));
  }

  private static int handlers(NameNodeHost host) {
    return host.conf()
        .getInt(
            DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_KEY,
            DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_DEFAULT);
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
  private record Foreseen(EarSetting setting, EarLookup.Found found, boolean remembered) {}

  /**
   * Chooses targets for a new block; returns null to leave the choice to HDFS, with the reason in
   * the log.
   */
  public DatanodeStorageInfo @Nullable [] place(Request request, NetworkTopology map) {
    Optional<Foreseen> foreseen = foreseen(request.path);
    if (foreseen.isEmpty()) {
      return null;
    }
    EarSetting setting = foreseen.get().setting;
    EarLookup.Found found = foreseen.get().found;
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
    return setting.across()
        ? placeAcross(request, setting, found, map)
        : placeWithin(request, setting, found, map);
  }

  private Optional<Foreseen> foreseen(String path) {
    long now = host.term();
    if (transition.getAndSet(now) != now) {
      stripes.clear(); // another NameNode may have placed blocks meanwhile
    }
    try {
      Optional<EarLookup.Found> found = EarLookup.of(host, path);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      Read read = settings.get(found.get().text(), this::read);
      EarSetting setting = read.setting;
      if (setting == null) {
        complain(
            "encoding-aware replication is off for %s, whose blocks are placed as HDFS does: %s"
                .formatted(found.get().directory(), read.refusal));
        return Optional.empty();
      }
      return Optional.of(foreseen(found.get(), setting));
    } catch (IOException e) {
      return Optional.empty(); // HDFS itself will say what is wrong with the path
    }
  }

  /** Reads a setting as a directory has it; one that cannot be kept is known as such. */
  private Read read(String text) {
    try {
      enabled.check(EarSetting.code(text));
      return new Read(EarSetting.parse(text), "");
    } catch (IllegalArgumentException e) {
      return new Read(null, BraidPaths.EAR_XATTR + ": " + e.getMessage());
    }
  }

  private Foreseen foreseen(EarLookup.Found found, EarSetting setting) throws IOException {
    int k = setting.code().k();
    int blocks = found.file().numBlocks();
    StripeKey key = new StripeKey(found.file().getId(), blocks / k);
    boolean remembered =
        !setting.across()
            && (blocks % k == 0 || stripes.with(key, PlacedBlocks::blocks) >= blocks % k);
    return new Foreseen(setting, found, remembered);
  }

  /** Whether all replicas are known of the blocks that the next one shares a stripe with. */
  private static boolean known(INodeFile file, int k) {
    BlockInfo[] blocks = file.getBlocks();
    return Arrays.stream(blocks, blocks.length - blocks.length % k, blocks.length)
        .allMatch(block -> found(block).size() >= file.getFileReplication());
  }

  private DatanodeStorageInfo @Nullable [] placeAcross(
      Request request, EarSetting setting, EarLookup.Found found, NetworkTopology map) {
    try {
      PresentCluster.Snapshot now = cluster.now(map);
      ClusterTopology present = now.cluster();
      Topology topology = present.topology();
      Storages storages = new Storages(request, present, map);
      EligibleNodes eligible = EligibleNodes.of(topology, storages::has);
      int first =
          PreEncodingStore.first(
              eligible,
              writer(request, present, eligible),
              request.replicas,
              ThreadLocalRandom.current());
      // The target racks of stripes across files are those of their core rack.
      Function<String, Prepared> prepared =
          core -> now.prepared(setting, found.text(), 31 * found.directoryId() + core.hashCode());
      int k = setting.code().k();
      Work<Optional<BlockPlacement>> placing =
          () ->
              across.place(
                  found,
                  k,
                  prepared.apply(topology.rackName(topology.rackOf(first))).placer(),
                  eligible,
                  first,
                  request.replicas,
                  core -> prepared.apply(core).rule());
      Optional<BlockPlacement> placed = placing.run();
      if (placed.isEmpty() && (across.isReading(found, k) || across.read(found, k))) {
        reports.await(() -> across.read(found, k));
        reports.awaitBriefly(() -> across.read(found, k));
        placed = placing.run();
      }
      if (placed.isEmpty()) {
        across.missed(found, k);
        complain(
            "blocks below %s are placed as HDFS does until its open stripes are read"
                .formatted(found.directory()));
        return null;
      }
      return storages.of(placed.get());
    } catch (PlacementException | IllegalArgumentException | IOException e) {
      complain(
          "blocks below %s are not placed for %s: %s"
              .formatted(found.directory(), setting.code().name(), e.getMessage()));
      return null;
    }
  }

  private DatanodeStorageInfo @Nullable [] placeWithin(
      Request request, EarSetting setting, EarLookup.Found found, NetworkTopology map) {
    INodeFile file = found.file();
    int ordinal = file.numBlocks();
    int position = ordinal % setting.code().k();
    StripeKey key = new StripeKey(file.getId(), ordinal / setting.code().k());
    try {
      return stripes.with(
          key, stripe -> place(request, setting, found, ordinal - position, position, stripe, map));
    } catch (PlacementException | IllegalArgumentException | IOException e) {
      complain(
          "blocks of %s are not placed for %s: %s"
              .formatted(request.path, setting.code().name(), e.getMessage()));
      return null;
    }
  }

  private DatanodeStorageInfo[] place(
      Request request,
      EarSetting setting,
      EarLookup.Found found,
      int first,
      int position,
      PlacedBlocks stripe,
      NetworkTopology map)
      throws IOException {
    PresentCluster.Snapshot now = cluster.now(map);
    ClusterTopology present = now.cluster();
    Topology topology = present.topology();
    Storages storages = new Storages(request, present, map);
    Prepared prepared = now.prepared(setting, found.text(), 31 * found.file().getId() + first);
    stripe.forget(position);
    stripe.in(topology);
    if (stripe.blocks() < position) {
      host.reading(
          "braidEar",
          () -> {
            complete(stripe, found.file().getBlocks(), first, position);
            return stripe;
          });
    }
    EligibleNodes eligible = EligibleNodes.of(topology, storages::has);
    BlockPlacement placed =
        prepared
            .placer()
            .place(
                new ReplicatedStripe(stripe.core(), stripe.nodes()),
                eligible,
                writer(request, present, eligible),
                request.replicas,
                ThreadLocalRandom.current());
    if (stripe.blocks() == position) {
      stripe.placed(placed.coreRack(), placed.nodes());
    }
    return storages.of(placed);
  }

  /** Adds the blocks that were not placed here, each where it is found. */
  private static void complete(PlacedBlocks stripe, BlockInfo[] blocks, int first, int position) {
    for (int i = stripe.blocks(); i < position && first + i < blocks.length; i++) {
      stripe.found(found(blocks[first + i]));
    }
  }

  /** The storages that take a block, each node asked when it is first thought of. */
  private final class Storages {
    private final Request request;
    private final ClusterTopology present;
    private final NetworkTopology map;
    private final StorageType type;
    private final int minBlocks = host.blocks().getMinBlocksForWrite(BlockType.CONTIGUOUS);
    private final boolean avoidStale = host.nodes().shouldAvoidStaleDataNodesForWrite();
    private final Set<String> slow =
        host.blocks().getExcludeSlowNodesEnabled(BlockType.CONTIGUOUS)
            ? DatanodeManager.getSlowNodesUuidSet()
            : Set.of();
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
          || slow.contains(node.getDatanodeUuid())
          || request.overloaded.test(node)
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

  /** The node to begin at: the writer's, or any of its rack, -1 where there is none. */
  private static int writer(Request request, ClusterTopology present, EligibleNodes eligible) {
    int node =
        request.writer instanceof DatanodeDescriptor known
            ? present.indexOf(known.getDatanodeUuid())
            : EligibleNodes.NONE;
    return node == EligibleNodes.NONE || request.first == First.ON_WRITER
        ? node
        : eligible.pickIn(
            present.topology().rackOf(node), any -> true, ThreadLocalRandom.current());
  }

  private void complain(String text) {
    if (complaints.put(text, true) == null) {
      LOG.warn("{}", text);
    }
  }

  /** Stops background work. */
  public void close() {
    across.close();
  }
}
