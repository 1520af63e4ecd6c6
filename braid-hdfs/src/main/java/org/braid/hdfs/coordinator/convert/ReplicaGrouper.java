package org.braid.hdfs.coordinator.convert;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.braid.hdfs.coordinator.convert.Grouper.DataBlock;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.StorageNeed;
import org.braid.placement.EligibleNodes;
import org.braid.placement.grouping.EncodingCosts;
import org.braid.placement.grouping.Grouping;
import org.braid.placement.grouping.ReplicaTable;
import org.braid.placement.grouping.RetroactiveGrouping;
import org.braid.placement.rule.StripeRule;

/**
 * Groups blocks by the nodes of their replicas, across files that may share stripes, and computes
 * the cost of groups. Every block must have a readable replica.
 */
final class ReplicaGrouper {
  /** Blocks are alike in length when the shortest has this share of the longest. */
  private static final double ALIKE = 0.75;

  /** Replicas of a block as a rule. */
  private static final int REPLICAS = 3;

  private final int k;
  private final int m;
  private final ClusterState state;
  private final StripeRule rule;

  /**
   * The nodes at which each block may stay, by block id, cached because each grouping needs them.
   */
  private final Map<Long, int[]> staying = new HashMap<>();

  ReplicaGrouper(ClusterState state, StripeRule rule) {
    this.k = rule.code().k();
    this.m = rule.code().m();
    this.state = state;
    this.rule = rule;
  }

  private interface Method {
    Grouping group(EligibleNodes eligible, ReplicaTable table, StripeRule rule);
  }

  /**
   * Forms stripes within files first, as far as these need no downloads and no relocations: they go
   * with the deletion of their file. Then forms stripes across files from the other blocks, with
   * similar lengths together.
   */
  List<Group> withinFilesFirst(List<DataBlock> blocks) {
    List<Group> groups = new ArrayList<>();
    for (List<DataBlock> readable : bySharing(blocks)) {
      Map<Long, List<DataBlock>> files = new LinkedHashMap<>();
      readable.forEach(b -> files.computeIfAbsent(b.file().inode(), f -> new ArrayList<>()).add(b));
      List<DataBlock> pool = new ArrayList<>();
      for (List<DataBlock> file : files.values()) {
        if (!oneRackHasMany(file)) {
          pool.addAll(file);
          continue;
        }
        List<Group> own = byLength(file, RetroactiveGrouping::group);
        List<EncodingCosts.Cost> costs = costs(own);
        for (int i = 0; i < own.size(); i++) {
          if (own.get(i).blocks().size() == k && costs.get(i).isFree()) {
            groups.add(own.get(i));
          } else {
            pool.addAll(own.get(i).blocks());
          }
        }
      }
      groups.addAll(byLength(pool, RetroactiveGrouping::group));
    }
    return groups;
  }

  /**
   * Whether some rack has replicas of at least k of the blocks, which a stripe without downloads
   * needs.
   */
  private boolean oneRackHasMany(List<DataBlock> blocks) {
    if (blocks.size() < k) {
      return false;
    }
    int[] held = new int[state.topology().racks()];
    int most = 0;
    for (DataBlock block : blocks) {
      int[] nodes = staying(block);
      for (int i = 0; i < nodes.length; i++) {
        int rack = state.topology().rackOf(nodes[i]);
        boolean first = true;
        for (int j = 0; j < i; j++) {
          first &= state.topology().rackOf(nodes[j]) != rack;
        }
        if (first) {
          most = Math.max(most, ++held[rack]);
        }
      }
    }
    return most >= k;
  }

  /** Stripes as the placement across files planned them, blocks of similar lengths together. */
  List<Group> asWrittenAlike(List<DataBlock> blocks) {
    return each(blocks, list -> byLength(list, RetroactiveGrouping::asWritten));
  }

  /**
   * Stripes as the placement across files planned them, with blocks of any lengths. Stripes that
   * never filled up stay short if they save more than their parity takes.
   */
  List<Group> asWritten(List<DataBlock> blocks) {
    return each(
        blocks,
        list -> {
          List<DataBlock> rest = new ArrayList<>();
          List<Group> groups = new ArrayList<>(group(list, this::open, rest));
          groups.addAll(byLength(rest, RetroactiveGrouping::asWritten));
          return groups;
        });
  }

  private Grouping open(EligibleNodes eligible, ReplicaTable table, StripeRule within) {
    // With r replicas s blocks are worth m parities if s + m < r s.
    int least = m / (REPLICAS - 1) + 1;
    return RetroactiveGrouping.asWrittenOpen(eligible, table, least, within);
  }

  /** The cost of each group with the best encoding node and the fewest relocations. */
  List<EncodingCosts.Cost> costs(List<Group> groups) {
    ReplicaTable.Builder table = ReplicaTable.builder();
    groups.forEach(g -> g.blocks().forEach(b -> table.add(staying(b))));
    EncodingCosts costs = new EncodingCosts(state.eligible(), table.build(), rule);
    List<EncodingCosts.Cost> all = new ArrayList<>();
    int next = 0;
    for (Group group : groups) {
      int[] members = new int[group.blocks().size()];
      for (int i = 0; i < members.length; i++) {
        members[i] = next++;
      }
      all.add(costs.of(members));
    }
    return all;
  }

  /** The nodes at which a block may stay. */
  private int[] staying(DataBlock block) {
    return staying.computeIfAbsent(
        block.status().block().id(),
        id ->
            StorageNeed.ofNewBlocks(block.file().storage())
                .staying(state, block.status(), state.readable(block.status())));
  }

  private interface ListGrouper {
    List<Group> group(List<DataBlock> blocks);
  }

  private static List<Group> each(List<DataBlock> blocks, ListGrouper grouper) {
    List<Group> groups = new ArrayList<>();
    bySharing(blocks).forEach(list -> groups.addAll(grouper.group(list)));
    return groups;
  }

  private static Collection<List<DataBlock>> bySharing(List<DataBlock> blocks) {
    Map<String, List<DataBlock>> sharing = new TreeMap<>();
    blocks.forEach(b -> sharing.computeIfAbsent(b.file().sharing(), s -> new ArrayList<>()).add(b));
    return sharing.values();
  }

  /**
   * Groups blocks by length, the longest first; an incomplete stripe is filled up with the next
   * shorter blocks.
   */
  private List<Group> byLength(List<DataBlock> blocks, Method method) {
    List<DataBlock> sorted = new ArrayList<>(blocks);
    sorted.sort(Comparator.comparingLong(DataBlock::length).reversed());
    List<Group> groups = new ArrayList<>();
    List<DataBlock> open = new ArrayList<>();
    int from = 0;
    while (from < sorted.size()) {
      double shortest = ALIKE * sorted.get(from).length();
      int to = from;
      while (to < sorted.size() && sorted.get(to).length() >= shortest) {
        open.add(sorted.get(to++));
      }
      from = to;
      List<DataBlock> rest = new ArrayList<>();
      groups.addAll(group(open, method, rest));
      open = rest;
    }
    addShort(groups, open);
    return groups;
  }

  private static void addShort(List<Group> groups, List<DataBlock> rest) {
    if (!rest.isEmpty()) {
      groups.add(new Group(rest));
    }
  }

  /** Groups blocks in the order in which they were allocated; fewer than k go to the rest. */
  private List<Group> group(List<DataBlock> blocks, Method method, List<DataBlock> rest) {
    List<DataBlock> ordered = new ArrayList<>(blocks);
    ordered.sort(Comparator.comparingLong(b -> b.status().block().id()));
    ReplicaTable.Builder table = ReplicaTable.builder();
    ordered.forEach(b -> table.add(staying(b)));
    Grouping found = method.group(state.eligible(), table.build(), rule);
    Arrays.stream(found.rest()).forEach(i -> rest.add(ordered.get(i)));
    return found.stripes().stream()
        .map(stripe -> new Group(Arrays.stream(stripe).mapToObj(ordered::get).toList()))
        .toList();
  }
}
