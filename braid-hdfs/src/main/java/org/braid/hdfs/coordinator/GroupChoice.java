package org.braid.hdfs.coordinator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.ConvertReport.Grouping;
import org.braid.hdfs.api.ConvertReport.Planned;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.Grouper.DataBlock;
import org.braid.hdfs.coordinator.Grouper.Group;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.placement.StripeLimits;
import org.braid.placement.StripeRule;
import org.braid.placement.grouping.StripeCosts.Cost;

/**
 * Chooses which blocks form stripes: in order of their files, or by where their replicas are, so
 * that conversion downloads and moves less.
 */
final class GroupChoice {
  /** A grouping may take this share more parity than that in order. */
  private static final double PARITY = 1.02;

  /** Without any move saved, another grouping than that in order must save this share of parity. */
  private static final double LESS_PARITY = 0.95;

  private final ErasureCode code;
  private final Grouper inOrder;
  private final ReplicaGrouper byReplicas;
  private final ClusterState state;
  private final StripeMap stripes;
  private final ConvertRequest.Group wanted;

  GroupChoice(
      ErasureCode code,
      ConvertRequest.Group wanted,
      ClusterState state,
      StripeRule rule,
      StripeMap stripes)
      throws RefusedException {
    this.code = code;
    this.wanted = wanted;
    this.state = state;
    this.stripes = stripes;
    inOrder = new Grouper(code);
    byReplicas =
        new ReplicaGrouper(code.k(), state, new StripeLimits(rule.perRack(), rule.targetRacks()));
    if (wanted == ConvertRequest.Group.RETROACTIVE && code.racks().isPresent()) {
      throw new RefusedException(
          code.name()
              + " says which rack each block of a stripe goes to, so that blocks are not grouped by"
              + " racks they share: group in order");
    }
  }

  /**
   * Stripes to come.
   *
   * @param groups worth their parity
   * @param refusals files whose groups are not
   */
  record Chosen(List<Group> groups, List<GainFilter.Refusal> refusals, Grouping report) {}

  private record Candidate(
      boolean inOrder,
      List<Group> groups,
      List<GainFilter.Refusal> refusals,
      List<Cost> costs,
      long parityBytes) {
    int blocks() {
      return groups.stream().mapToInt(g -> g.blocks().size()).sum();
    }

    int downloads() {
      return costs.stream().mapToInt(Cost::downloads).sum();
    }

    int relocations() {
      return costs.stream().mapToInt(Cost::relocations).sum();
    }

    int moves() {
      return downloads() + relocations();
    }

    Planned plus(Candidate other) {
      return new Planned(
          groups.size() + other.groups.size(),
          downloads() + other.downloads(),
          relocations() + other.relocations(),
          parityBytes + other.parityBytes);
    }
  }

  /** Groups the blocks of some files that are in no stripe yet. */
  Chosen choose(List<FileProto> files) {
    List<FileProto> fixed = new ArrayList<>();
    List<FileProto> free = new ArrayList<>();
    for (FileProto file : files) {
      boolean movable =
          file.getBlocksList().stream()
              .allMatch(b -> !stripes.holds(b) && state.readable(b).length > 0);
      (movable && code.racks().isEmpty() ? free : fixed).add(file);
    }
    List<Group> left = inOrder.group(free, stripes);
    List<Group> kept = new ArrayList<>();
    if (wanted != ConvertRequest.Group.RETROACTIVE) {
      Set<Group> good = good(left);
      kept.addAll(left.stream().filter(good::contains).toList());
      left = left.stream().filter(g -> !good.contains(g)).toList();
    }
    Candidate same = candidate(true, kept);
    Candidate order = candidate(true, left);
    Candidate best = best(order, left);
    GainFilter.Filtered others =
        GainFilter.of(inOrder.group(fixed, stripes), inOrder, code.m(), stripes);
    List<Group> groups = new ArrayList<>(others.groups());
    List<GainFilter.Refusal> refusals = new ArrayList<>(others.refusals());
    for (Candidate part : List.of(same, best)) {
      groups.addAll(part.groups());
      refusals.addAll(part.refusals());
    }
    return new Chosen(
        groups,
        refusals,
        new Grouping(order.plus(same), best.plus(same), best.inOrder() ? 0 : best.blocks()));
  }

  private Candidate best(Candidate order, List<Group> left) {
    if (wanted == ConvertRequest.Group.ORDER || left.isEmpty()) {
      return order;
    }
    List<DataBlock> blocks = left.stream().flatMap(g -> g.blocks().stream()).toList();
    Candidate best = wanted == ConvertRequest.Group.AUTO ? order : null;
    for (List<Group> groups :
        List.of(
            byReplicas.withinFilesFirst(blocks),
            byReplicas.asWrittenAlike(blocks),
            byReplicas.asWritten(blocks))) {
      Candidate candidate = candidate(false, groups);
      if (best == null || better(candidate, best, order)) {
        best = candidate;
      }
    }
    return best == null ? order : best;
  }

  /** Groups in order that nothing could better: full or all of a large file, and free of moves. */
  private Set<Group> good(List<Group> groups) {
    List<Cost> costs = byReplicas.costs(groups);
    Map<Long, Boolean> allFree = new HashMap<>();
    for (int i = 0; i < groups.size(); i++) {
      for (FileProto file : groups.get(i).files()) {
        allFree.merge(file.getInode(), costs.get(i).isFree(), Boolean::logicalAnd);
      }
    }
    Set<Group> good = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Group group : groups) {
      boolean whole =
          group.blocks().size() == code.k()
              || group.files().stream().allMatch(f -> f.getBlocksCount() >= code.k());
      if (whole && group.files().stream().allMatch(f -> allFree.get(f.getInode()))) {
        good.add(group);
      }
    }
    return good;
  }

  private Candidate candidate(boolean ordered, List<Group> groups) {
    GainFilter.Filtered filtered = GainFilter.of(groups, inOrder, code.m(), stripes);
    long parityBytes = filtered.groups().stream().mapToLong(inOrder::parityBytes).sum();
    return new Candidate(
        ordered,
        filtered.groups(),
        filtered.refusals(),
        byReplicas.costs(filtered.groups()),
        parityBytes);
  }

  /**
   * Whether a grouping is better: most blocks become worth their parity; then, unless it takes more
   * parity than the one in order, it moves less, or it takes clearly less parity.
   */
  private boolean better(Candidate one, Candidate other, Candidate order) {
    if (one.blocks() != other.blocks()) {
      return one.blocks() > other.blocks();
    }
    boolean anyParity = wanted == ConvertRequest.Group.RETROACTIVE || one.blocks() > order.blocks();
    if (!anyParity && one.parityBytes() > PARITY * order.parityBytes()) {
      return false;
    }
    return one.moves() != other.moves()
        ? one.moves() < other.moves()
        : one.parityBytes() < LESS_PARITY * other.parityBytes();
  }
}
