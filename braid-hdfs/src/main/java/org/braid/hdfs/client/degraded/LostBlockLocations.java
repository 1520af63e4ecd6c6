package org.braid.hdfs.client.degraded;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.HdfsBlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.braid.code.Solver;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.shape.RepairPlanner;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names nodes for lost blocks, for which HDFS names none, so that a task that reads such a block
 * runs near its helpers. Chooses live nodes of the rack that needs the fewest bytes from other
 * racks to rebuild the block. This is the block's former rack if the code rebuilds within racks
 * (R-STAIR), or if other racks are no better.
 */
public final class LostBlockLocations {
  private static final Logger LOG = LoggerFactory.getLogger(LostBlockLocations.class);

  /** As many as a block usually has replicas. */
  private static final int MOST = 3;

  /**
   * So many blocks of an answer are planned for, however many files are in it: a listing must not
   * take long where much is lost.
   */
  private static final int MOST_PLANNED = 200;

  private final StripeLookup stripes;
  private final RepairPlanner planner;
  private final AtomicInteger plannedFor = new AtomicInteger();

  /**
   * Creates a filler for one answer, which looks up the stripes.
   *
   * @param planner plans the later reads of lost blocks
   */
  public LostBlockLocations(StripeLookup stripes, RepairPlanner planner) {
    this.stripes = stripes;
    this.planner = planner;
  }

  /** Adds locations for a file's lost blocks; ignores files of other file systems. */
  public void fill(String path, BlockLocation[] locations) {
    Map<BlockLocation, ExtendedBlock> lost = new LinkedHashMap<>();
    for (BlockLocation location : locations) {
      if (location instanceof HdfsBlockLocation hdfs) {
        note(hdfs, hdfs.getLocatedBlock(), lost);
      }
    }
    fill(path, lost);
  }

  /** Adds locations to an entry of a listing; directories and links have none. */
  public void fill(LocatedFileStatus status) {
    BlockLocation[] locations = status.getBlockLocations();
    if (locations == null
        || locations.length == 0
        || !(status instanceof HdfsLocatedFileStatus hdfs)) {
      return;
    }
    Map<BlockLocation, ExtendedBlock> lost = new LinkedHashMap<>();
    List<LocatedBlock> blocks = hdfs.getLocatedBlocks().getLocatedBlocks();
    for (int i = 0; i < Math.min(locations.length, blocks.size()); i++) {
      note(locations[i], blocks.get(i), lost);
    }
    fill(status.getPath().toUri().getPath(), lost);
  }

  private static void note(
      BlockLocation location, LocatedBlock block, Map<BlockLocation, ExtendedBlock> lost) {
    if (block.getLocations().length == 0 && !block.isStriped() && block.getBlockSize() > 0) {
      lost.put(location, block.getBlock());
    }
  }

  private void fill(String path, Map<BlockLocation, ExtendedBlock> lost) {
    if (lost.isEmpty()) {
      return;
    }
    try {
      List<Long> ids = lost.values().stream().map(ExtendedBlock::getBlockId).toList();
      String pool = lost.values().iterator().next().getBlockPoolId(); // a file is in one
      List<StripeStatus> answer = stripes.stripes(path, pool, ids);
      if (answer.isEmpty()) {
        return;
      }
      Map<BlockLocation, DegradedStripe> found = new LinkedHashMap<>();
      Set<String> concerned = new LinkedHashSet<>();
      for (var entry : lost.entrySet()) {
        Optional<DegradedStripe> stripe = DegradedStripe.holding(entry.getValue(), answer);
        if (stripe.isPresent()) {
          found.put(entry.getKey(), stripe.get());
          concerned.addAll(stripe.get().nodes());
        }
      }
      int before = plannedFor.getAndUpdate(count -> Math.min(MOST_PLANNED, count + found.size()));
      Map<BlockLocation, List<String>> chosen =
          choose(found, stripes.cluster(pool, concerned).byUuid(), before);
      // Nodes beside the stripes' were known as they were a minute ago.
      Set<String> named = new LinkedHashSet<>();
      chosen.values().forEach(named::addAll);
      Map<String, Datanode> nodes = stripes.cluster(pool, named).byUuid();
      if (!named.stream().map(nodes::get).allMatch(LostBlockLocations::usable)) {
        chosen = choose(found, nodes, before);
      }
      for (var entry : chosen.entrySet()) {
        set(
            entry.getKey(),
            entry.getValue().stream().map(nodes::get).filter(LostBlockLocations::usable).toList());
      }
    } catch (AccessControlException e) {
      // Whoever may list a directory need not be permitted to read its files.
      LOG.debug("no locations for {} lost blocks of {}: {}", lost.size(), path, e.getMessage());
    } catch (IOException e) {
      // Locations are hints; the stock answer is one too.
      LOG.warn("no locations for {} lost blocks of {}: {}", lost.size(), path, e.getMessage());
    }
  }

  /**
   * Chooses nodes for each block; as many blocks are planned for as a listing has time for.
   *
   * @param before blocks of the listing that came before these
   */
  private Map<BlockLocation, List<String>> choose(
      Map<BlockLocation, DegradedStripe> found, Map<String, Datanode> nodes, int before) {
    Map<BlockLocation, List<String>> chosen = new LinkedHashMap<>();
    found.forEach(
        (location, stripe) ->
            chosen.put(
                location,
                choose(stripe, nodes, before + chosen.size() < MOST_PLANNED).stream()
                    .map(Datanode::uuid)
                    .toList()));
    return chosen;
  }

  /**
   * Chooses nodes for a block.
   *
   * @param planned whether racks are compared by plans; else the one that the block was in is first
   */
  private List<Datanode> choose(
      DegradedStripe stripe, Map<String, Datanode> nodes, boolean planned) {
    Map<Integer, Datanode> holders = new LinkedHashMap<>();
    for (int i = 0; i < stripe.code().n(); i++) {
      if (i != stripe.lost() && !stripe.stripe().isVirtual(i)) {
        int position = i;
        stripe.replicas(i).stream()
            .map(nodes::get)
            .filter(LostBlockLocations::usable)
            .findFirst()
            .ifPresent(node -> holders.put(position, node));
      }
    }
    Datanode home = nodes.get(stripe.stripe().member(stripe.lost()).home());
    Optional<String> before = Optional.ofNullable(home).map(Datanode::rack);
    Set<String> racks = new LinkedHashSet<>();
    if (planned) {
      racks.addAll(racks(stripe, nodes, holders, before));
    }
    before.ifPresent(racks::add);
    holders.values().forEach(holder -> racks.add(holder.rack()));
    return racks.stream()
        .map(rack -> in(rack, nodes.values(), holders.values()))
        .filter(some -> !some.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  /** Live nodes of a rack, those first that help to rebuild the block: in a rack code all of it. */
  private static List<Datanode> in(
      String rack, Collection<Datanode> nodes, Collection<Datanode> holders) {
    return nodes.stream()
        .filter(node -> usable(node) && node.rack().equals(rack))
        .sorted(
            Comparator.comparing((Datanode node) -> !holders.contains(node))
                .thenComparing(Datanode::uuid))
        .limit(MOST)
        .toList();
  }

  /**
   * The racks with helpers and the one that the block was in, in the order of what has to come to
   * them from others.
   */
  private List<String> racks(
      DegradedStripe stripe,
      Map<String, Datanode> nodes,
      Map<Integer, Datanode> holders,
      Optional<String> before) {
    record Cost(String rack, double crossRack, boolean elsewhere, double seconds, long helpers) {}
    List<Integer> available = new ArrayList<>();
    for (int i = 0; i < stripe.code().n(); i++) {
      if (i != stripe.lost() && (stripe.stripe().isVirtual(i) || holders.containsKey(i))) {
        available.add(i);
      }
    }
    List<Cost> costs = new ArrayList<>();
    Set<String> racks = new TreeSet<>(holders.values().stream().map(n -> n.rack()).toList());
    before.ifPresent(racks::add);
    for (String rack : racks) {
      StripeNetwork surroundings =
          StripeNetwork.of(
              stripe.code().n(),
              holders,
              Map.of(),
              nodes,
              Optional.of(rack),
              Network.Volume.DEFAULT);
      HelperChoice.ofPart(
              stripe.code(),
              Solver.subBlocks(stripe.code(), List.of(stripe.lost())),
              available,
              i -> stripe.stripe().isVirtual(i) ? -1 : i,
              surroundings.client(),
              surroundings.network())
          .plan(planner)
          .map(plan -> PlanCost.of(plan, stripe.code().alpha(), surroundings.network()))
          .ifPresent(
              cost -> {
                boolean elsewhere = !before.equals(Optional.of(rack));
                long helpers =
                    holders.values().stream().filter(node -> node.rack().equals(rack)).count();
                costs.add(new Cost(rack, cost.crossRack(), elsewhere, cost.seconds(), helpers));
              });
    }
    return costs.stream()
        .sorted(
            Comparator.comparingDouble(Cost::crossRack)
                .thenComparing(Cost::elsewhere)
                .thenComparingDouble(Cost::seconds)
                .thenComparing(Cost::helpers, Comparator.reverseOrder()))
        .map(Cost::rack)
        .toList();
  }

  private static boolean usable(@Nullable Datanode node) {
    return node != null && node.live() && node.inService() && !node.suspect();
  }

  /** Names nodes with all that HDFS tells of the nodes of a block, as far as it is known. */
  private static void set(BlockLocation location, List<Datanode> nodes) throws IOException {
    List<String> hosts = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<String> paths = new ArrayList<>();
    for (Datanode node : nodes) {
      String name = node.ip() + ":" + node.transferPort();
      hosts.add(node.host());
      names.add(name);
      paths.add(node.rack() + "/" + name);
    }
    location.setHosts(hosts.toArray(new String[0]));
    location.setNames(names.toArray(new String[0]));
    location.setTopologyPaths(paths.toArray(new String[0]));
    // None has the block yet: that is told as HDFS does of nodes that name no storage.
    String[] storages = new String[nodes.size()];
    StorageType[] types = new StorageType[nodes.size()];
    Arrays.fill(storages, "");
    Arrays.fill(types, StorageType.DEFAULT);
    location.setStorageIds(storages);
    location.setStorageTypes(types);
  }
}
