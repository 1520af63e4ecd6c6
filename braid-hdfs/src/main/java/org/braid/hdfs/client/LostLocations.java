package org.braid.hdfs.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.HdfsBlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.braid.code.Solver;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.plan.HelperChoice;
import org.braid.plan.Network;
import org.braid.plan.PlanCost;
import org.braid.plan.RepairPlanners;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names nodes for lost blocks, where HDFS names none: live ones of the rack that the block was in,
 * so that a task that reads it runs there (R-STAIR), or else of the rack to which the least has to
 * come from others to rebuild it.
 */
final class LostLocations {
  private static final Logger LOG = LoggerFactory.getLogger(LostLocations.class);

  /** As many as a block usually has replicas. */
  private static final int MOST = 3;

  private final NameNodeCalls nameNode;

  LostLocations(NameNodeCalls nameNode) {
    this.nameNode = nameNode;
  }

  /** Fills in the locations of a file; those of other file systems stay as they are. */
  void fill(String path, BlockLocation[] locations) {
    Map<BlockLocation, ExtendedBlock> lost = new LinkedHashMap<>();
    for (BlockLocation location : locations) {
      if (location instanceof HdfsBlockLocation hdfs) {
        note(hdfs, hdfs.getLocatedBlock(), lost);
      }
    }
    fill(path, lost);
  }

  /** Fills in the locations of a listed file. */
  void fill(LocatedFileStatus status) {
    BlockLocation[] locations = status.getBlockLocations();
    if (locations == null || !(status instanceof HdfsLocatedFileStatus hdfs)) {
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
      List<StripeStatusProto> answer = nameNode.stripes(path, ids).getStripesList();
      if (answer.isEmpty()) {
        return;
      }
      Map<String, DatanodeProto> nodes = nameNode.nodes();
      for (var entry : lost.entrySet()) {
        Optional<Stripe> stripe = Stripe.holding(entry.getValue(), answer).stream().findFirst();
        if (stripe.isPresent()) {
          set(entry.getKey(), choose(stripe.get(), nodes));
        }
      }
    } catch (IOException e) {
      // Locations are hints; the stock answer is one too.
      LOG.warn("no locations for {} lost blocks of {}: {}", lost.size(), path, e.getMessage());
    }
  }

  private static List<DatanodeProto> choose(Stripe stripe, Map<String, DatanodeProto> nodes) {
    Map<Integer, DatanodeProto> holders = new LinkedHashMap<>();
    for (int i = 0; i < stripe.code().n(); i++) {
      if (i != stripe.lost() && !stripe.virtual(i)) {
        int position = i;
        stripe.replicas(i).stream()
            .map(nodes::get)
            .filter(node -> node != null && usable(node))
            .findFirst()
            .ifPresent(node -> holders.put(position, node));
      }
    }
    DatanodeProto home = nodes.get(stripe.proto().getMembers(stripe.lost()).getHome());
    List<DatanodeProto> chosen =
        home == null ? List.of() : in(home.getRack(), nodes.values(), holders.values());
    return chosen.isEmpty()
        ? best(stripe, nodes, holders)
            .map(rack -> in(rack, nodes.values(), holders.values()))
            .orElse(List.of())
        : chosen;
  }

  /** Live nodes of a rack, those first that help to rebuild the block: in a rack code all of it. */
  private static List<DatanodeProto> in(
      String rack, Collection<DatanodeProto> nodes, Collection<DatanodeProto> holders) {
    return nodes.stream()
        .filter(node -> usable(node) && node.getRack().equals(rack))
        .sorted(
            Comparator.comparing((DatanodeProto node) -> !holders.contains(node))
                .thenComparing(DatanodeProto::getUuid))
        .limit(MOST)
        .toList();
  }

  /** Of the racks with helpers the one to which the least has to come from others. */
  private static Optional<String> best(
      Stripe stripe, Map<String, DatanodeProto> nodes, Map<Integer, DatanodeProto> holders) {
    record Cost(String rack, double crossRack, double seconds) {}
    List<Integer> available = new ArrayList<>();
    for (int i = 0; i < stripe.code().n(); i++) {
      if (i != stripe.lost() && (stripe.virtual(i) || holders.containsKey(i))) {
        available.add(i);
      }
    }
    List<Cost> costs = new ArrayList<>();
    for (String rack : new TreeSet<>(holders.values().stream().map(n -> n.getRack()).toList())) {
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
              i -> stripe.virtual(i) ? -1 : i,
              surroundings.client(),
              surroundings.network())
          .plan(RepairPlanners.named("star"))
          .map(plan -> PlanCost.of(plan, stripe.code().alpha(), surroundings.network()))
          .ifPresent(cost -> costs.add(new Cost(rack, cost.crossRack(), cost.seconds())));
    }
    return costs.stream()
        .min(Comparator.comparingDouble(Cost::crossRack).thenComparingDouble(Cost::seconds))
        .map(Cost::rack);
  }

  private static boolean usable(DatanodeProto node) {
    return node.getLive() && node.getInService() && !node.getSuspect();
  }

  private static void set(BlockLocation location, List<DatanodeProto> nodes) throws IOException {
    List<String> hosts = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<String> paths = new ArrayList<>();
    for (DatanodeProto node : nodes) {
      String name = node.getIp() + ":" + node.getTransferPort();
      hosts.add(node.getHost());
      names.add(name);
      paths.add(node.getRack() + "/" + name);
    }
    location.setHosts(hosts.toArray(new String[0]));
    location.setNames(names.toArray(new String[0]));
    location.setTopologyPaths(paths.toArray(new String[0]));
  }
}
