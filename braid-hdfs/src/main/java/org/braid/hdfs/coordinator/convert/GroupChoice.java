package org.braid.hdfs.coordinator.convert;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.hdfs.api.ConvertReport.Grouping;
import org.braid.hdfs.api.ConvertReport.Planned;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.convert.Grouper.DataBlock;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.placement.grouping.EncodingCosts.Cost;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;

/**
 * Chooses which blocks form stripes: in order of their files, or by where their replicas are, so
 * that conversion downloads and moves less.
 */
final class GroupChoice {
  /** Limit of a grouping's parity relative to the grouping in file order. */
  private static final double PARITY = 1.02;

  /**
   * A grouping that saves no move must take at most this part of the parity of the grouping in file
   * order.
   */
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
    StripeRule racks = StripeRules.of(code, StripeLimits.perRack(rule.perRack()));
    byReplicas = new ReplicaGrouper(state, rule.sites().isPresent() ? rule : racks);
    if (wanted == ConvertRequest.Group.RETROACTIVE && code.racks().isPresent()) {
      throw new RefusedException(
          code.name()
              + " says which rack each block of a stripe goes to, so that blocks are not grouped by"
              + " racks they share: group in order");
    }
  }

  /**
   * The groups to encode.
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
  }

  /** Groups the blocks of some files that are in no stripe yet. */
  Chosen choose(List<StoredFile> files) {
    List<StoredFile> fixed = new ArrayList<>();
    List<StoredFile> free = new ArrayList<>();
    for (StoredFile file : files) {
      boolean movable =
          file.blocks().stream().allMatch(b -> !stripes.holds(b) && state.readable(b).length > 0);
      (movable && code.racks().isEmpty() ? free : fixed).add(file);
    }
    List<Candidate> ordered = new ArrayList<>();
    List<Candidate> chosen = new ArrayList<>();
    List<StoredFile> rest = foreseen(free, ordered, chosen);
    List<Group> left = inOrder.group(rest, stripes);
    if (wanted != ConvertRequest.Group.RETROACTIVE) {
      Set<Group> good = good(left);
      chosen.add(candidate(true, left.stream().filter(good::contains).toList()));
      ordered.add(chosen.get(chosen.size() - 1));
      left = left.stream().filter(g -> !good.contains(g)).toList();
    }
    Candidate order = candidate(true, left);
    ordered.add(order);
    chosen.add(best(order, left));
    GainFilter.Filtered others =
        GainFilter.of(inOrder.group(fixed, stripes), inOrder, code.m(), stripes);
    List<Group> groups = new ArrayList<>(others.groups());
    List<GainFilter.Refusal> refusals = new ArrayList<>(others.refusals());
    for (Candidate part : chosen) {
      groups.addAll(part.groups());
      refusals.addAll(part.refusals());
    }
    int otherwise = chosen.stream().filter(c -> !c.inOrder()).mapToInt(Candidate::blocks).sum();
    return new Chosen(groups, refusals, new Grouping(planned(ordered), planned(chosen), otherwise));
  }

  private static Planned planned(List<Candidate> parts) {
    return new Planned(
        parts.stream().mapToInt(c -> c.groups().size()).sum(),
        parts.stream().mapToInt(Candidate::downloads).sum(),
        parts.stream().mapToInt(Candidate::relocations).sum(),
        parts.stream().mapToLong(Candidate::parityBytes).sum());
  }

  /**
   * Groups files that were written for stripes across files into these stripes, of which those that
   * never filled up stay short. Groups none of them if that converts fewer blocks or takes clearly
   * more parity than file order. Returns the files that it does not group.
   */
  private List<StoredFile> foreseen(
      List<StoredFile> files, List<Candidate> ordered, List<Candidate> chosen) {
    // What was foreseen when they were written says nothing of copies of parity.
    Optional<String> name = Optional.of(ParityCopies.original(code).name());
    List<StoredFile> across = files.stream().filter(f -> f.across().equals(name)).toList();
    if (wanted != ConvertRequest.Group.AUTO || across.isEmpty()) {
      return files;
    }
    List<Group> inFiles = inOrder.group(across, stripes);
    Candidate order = candidate(true, inFiles);
    Candidate written = candidate(false, byReplicas.asWritten(blocks(inFiles)));
    if (written.blocks() < order.blocks() || written.parityBytes() > PARITY * order.parityBytes()) {
      return files;
    }
    ordered.add(order);
    chosen.add(written);
    return files.stream().filter(f -> !f.across().equals(name)).toList();
  }

  private static List<DataBlock> blocks(List<Group> groups) {
    return groups.stream().flatMap(g -> g.blocks().stream()).toList();
  }

  /**
   * Chooses among the groupings that convert the most blocks. Of those that take little more parity
   * than file order, or than the least if file order is no candidate, it takes the one with the
   * fewest moves. File order stays if it moves as little and takes not clearly more parity.
   */
  private Candidate best(Candidate order, List<Group> left) {
    if (wanted == ConvertRequest.Group.ORDER || left.isEmpty()) {
      return order;
    }
    List<DataBlock> blocks = blocks(left);
    List<Candidate> all = new ArrayList<>();
    all.add(order);
    all.add(candidate(false, byReplicas.withinFilesFirst(blocks)));
    all.add(candidate(false, byReplicas.asWrittenAlike(blocks)));
    all.add(candidate(false, byReplicas.asWritten(blocks)));
    int most = all.stream().mapToInt(Candidate::blocks).max().orElse(0);
    boolean ordered = wanted == ConvertRequest.Group.AUTO && order.blocks() == most;
    long least =
        all.stream()
            .filter(c -> c.blocks() == most)
            .mapToLong(Candidate::parityBytes)
            .min()
            .orElse(0);
    double allowed = PARITY * (ordered ? order.parityBytes() : least);
    Candidate best =
        all.stream()
            .filter(c -> c.blocks() == most && c.parityBytes() <= allowed)
            .filter(c -> !c.inOrder() || ordered)
            .min(
                Comparator.comparingInt(Candidate::moves).thenComparingLong(Candidate::parityBytes))
            .orElse(order);
    boolean stays =
        ordered
            && order.moves() <= best.moves()
            && LESS_PARITY * order.parityBytes() <= best.parityBytes();
    return stays ? order : best;
  }

  /**
   * Groups in file order that no grouping can improve: full, or of files of k blocks and more, and
   * free of downloads and relocations in all of their files.
   */
  private Set<Group> good(List<Group> groups) {
    List<Cost> costs = byReplicas.costs(groups);
    Map<Long, Boolean> allFree = new HashMap<>();
    for (int i = 0; i < groups.size(); i++) {
      for (StoredFile file : groups.get(i).files()) {
        allFree.merge(file.inode(), costs.get(i).isFree(), Boolean::logicalAnd);
      }
    }
    Set<Group> good = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Group group : groups) {
      boolean whole =
          group.blocks().size() == code.k()
              || group.files().stream().allMatch(f -> f.blocks().size() >= code.k());
      if (whole && group.files().stream().allMatch(f -> allFree.get(f.inode()))) {
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
}
