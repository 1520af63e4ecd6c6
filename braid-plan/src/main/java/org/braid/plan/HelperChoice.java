package org.braid.plan;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.LocalFirst;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.derive.Aim;
import org.braid.code.derive.NotRepairableException;
import org.braid.code.derive.RepairSearch;

/**
 * Chooses the helpers of a repair for a planner: what crosses sites counts first, then what crosses
 * racks, the predicted time, and all that moves.
 *
 * <p>Tried are the blocks of the root's rack first, then those of its site, then the others, rack
 * by rack, the fullest first, and in each rack the nodes with the least other work first; local
 * groups before others; the reads that the code itself names; and, after {@link #search}, the
 * cheapest reads that it finds. Whatever is tried is planned, so that the comparison is one of what
 * the planner would really move.
 */
public final class HelperChoice {
  private final ErasureCode code;
  private final Set<Integer> lost;
  private final Set<SubBlock> wanted;
  private final List<Integer> alive;
  private final IntUnaryOperator nodeOfBlock;
  private final IntUnaryOperator rootOfBlock;
  private final Network network;
  private final Set<List<Equation>> candidates = new LinkedHashSet<>();

  /**
   * A repair to choose helpers for.
   *
   * @param lost positions of the blocks to rebuild, at least one
   * @param alive positions of the blocks that may be read
   * @param nodeOfBlock the node that stores a block; negative for a virtual block of zeros
   * @param rootOfBlock the node that a lost block is for
   * @throws IllegalArgumentException when nothing is lost
   */
  public HelperChoice(
      ErasureCode code,
      Collection<Integer> lost,
      Collection<Integer> alive,
      IntUnaryOperator nodeOfBlock,
      IntUnaryOperator rootOfBlock,
      Network network) {
    this(
        code,
        lost,
        new LinkedHashSet<>(Solver.subBlocks(code, lost)),
        alive,
        nodeOfBlock,
        rootOfBlock,
        network);
  }

  /**
   * Helpers for a part of a lost block, as a reader wants it.
   *
   * @param wanted sub-blocks of one lost block, at least one
   * @param alive positions of the blocks that may be read
   * @param nodeOfBlock the node that stores a block; negative for a virtual block of zeros
   * @param root the node that wants it
   * @throws IllegalArgumentException when nothing is wanted
   */
  public static HelperChoice ofPart(
      ErasureCode code,
      Collection<SubBlock> wanted,
      Collection<Integer> alive,
      IntUnaryOperator nodeOfBlock,
      int root,
      Network network) {
    Set<Integer> lost = new TreeSet<>();
    wanted.forEach(subBlock -> lost.add(subBlock.block()));
    return new HelperChoice(
        code, lost, new LinkedHashSet<>(wanted), alive, nodeOfBlock, block -> root, network);
  }

  private HelperChoice(
      ErasureCode code,
      Collection<Integer> lost,
      Set<SubBlock> wanted,
      Collection<Integer> alive,
      IntUnaryOperator nodeOfBlock,
      IntUnaryOperator rootOfBlock,
      Network network) {
    this.code = code;
    this.lost = new TreeSet<>(lost);
    this.wanted = wanted;
    this.alive = List.copyOf(new TreeSet<>(alive));
    this.nodeOfBlock = nodeOfBlock;
    this.rootOfBlock = rootOfBlock;
    this.network = network;
    if (this.lost.isEmpty()) {
      throw new IllegalArgumentException("no block is lost, so there is nothing to repair");
    }
    addQuick();
  }

  /**
   * Searches for cheap repairs and adds them to what is tried. For codes of which any k blocks are
   * as good as others nothing is searched.
   *
   * @param effort how hard to search
   * @throws NotRepairableException when those alive do not determine those lost
   */
  public HelperChoice search(RepairSearch.Effort effort) {
    boolean alike = code.alpha() == 1 && code.groups().isEmpty() && code.racks().isEmpty();
    if (!alike || candidates.isEmpty()) {
      for (Aim aim : code.racks().isPresent() ? Aim.values() : new Aim[] {Aim.BYTES}) {
        add(RepairSearch.find(code, lost, alive, aim, effort).equations());
      }
    }
    return this;
  }

  /**
   * The best plan of a shape; {@code auto} takes the fastest shape, each with its own helpers.
   *
   * @return empty when those alive do not determine those lost
   */
  public Optional<Plan> plan(RepairPlanner planner) {
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    List<RepairPlanner> shapes =
        planner instanceof AutoPlanner ? RepairPlanners.shapes() : List.of(planner);
    return Optional.of(
        PlanTime.fastest(shapes.stream().map(this::leastCrossing).toList(), network));
  }

  private Plan leastCrossing(RepairPlanner shape) {
    record Weighed(Plan plan, long sites, long racks, double seconds) {}
    if (candidates.size() == 1) {
      return shape.plan(candidates.iterator().next(), nodeOfBlock, rootOfBlock, network);
    }
    return candidates.stream()
        .map(equations -> shape.plan(equations, nodeOfBlock, rootOfBlock, network))
        .map(
            plan ->
                new Weighed(
                    plan,
                    PlanCost.siteCrossings(plan, network),
                    PlanCost.crossings(plan, network),
                    PlanTime.seconds(plan, network)))
        .min(
            Comparator.comparingLong(Weighed::sites)
                .thenComparingLong(Weighed::racks)
                .thenComparingDouble(Weighed::seconds)
                .thenComparingLong(weighed -> PlanCost.sends(weighed.plan())))
        .orElseThrow()
        .plan();
  }

  /** Tries what needs no search. */
  private void addQuick() {
    List<Integer> near = nearFirst();
    List<SubBlock> targets = List.copyOf(wanted);
    List<Integer> localFirst = LocalFirst.order(code, lost, near);
    solve(targets, localFirst);
    if (!localFirst.equals(near)) {
      solve(targets, near);
    }
    new GroupRepairs(code, nodeOfBlock, rootOfBlock, network).of(lost, near).forEach(this::add);
    for (List<SubBlock> set : code.repairSets(lost)) {
      if (alive.containsAll(set.stream().map(SubBlock::block).toList())) {
        Solver.solveSubBlocks(code, targets, set).ifPresent(this::add);
      }
    }
  }

  private void solve(List<SubBlock> targets, List<Integer> order) {
    Solver.solveSubBlocks(code, targets, Solver.subBlocks(code, order)).ifPresent(this::add);
  }

  private void add(List<Equation> equations) {
    List<Equation> asked = equations.stream().filter(e -> wanted.contains(e.target())).toList();
    candidates.add(HelperOrder.byRack(asked, nodeOfBlock, rootOfBlock, network));
  }

  /**
   * Zeros cost nothing; then come the roots' racks, then their sites; then the sites, and in them
   * the racks, that can send most.
   */
  private List<Integer> nearFirst() {
    Map<Integer, Integer> racks = sizes(this::rack);
    Map<Integer, Integer> sites = sizes(this::site);
    Set<Integer> homeRacks = new HashSet<>();
    Set<Integer> homeSites = new HashSet<>();
    for (int block : lost) {
      homeRacks.add(network.rackOf(rootOfBlock.applyAsInt(block)));
      homeSites.add(network.siteOf(rootOfBlock.applyAsInt(block)));
    }
    Comparator<Integer> byNode =
        Comparator.<Integer>comparingInt(
                block -> {
                  if (nodeOfBlock.applyAsInt(block) < 0) {
                    return 0;
                  }
                  return homeRacks.contains(rack(block))
                      ? 1
                      : homeSites.contains(site(block)) ? 2 : 3;
                })
            .thenComparingInt(block -> -sites.getOrDefault(site(block), 0))
            .thenComparingInt(this::site)
            .thenComparingInt(block -> -racks.getOrDefault(rack(block), 0))
            .thenComparingInt(this::rack)
            .thenComparingDouble(
                block -> network.slowdown(Math.max(0, nodeOfBlock.applyAsInt(block))));
    return alive.stream().sorted(byNode).toList();
  }

  private Map<Integer, Integer> sizes(IntUnaryOperator placeOf) {
    Map<Integer, Integer> sizes = new HashMap<>();
    alive.stream()
        .filter(block -> nodeOfBlock.applyAsInt(block) >= 0)
        .forEach(block -> sizes.merge(placeOf.applyAsInt(block), 1, Integer::sum));
    return sizes;
  }

  private int rack(int block) {
    int node = nodeOfBlock.applyAsInt(block);
    return node < 0 ? Integer.MIN_VALUE : network.rackOf(node);
  }

  private int site(int block) {
    int node = nodeOfBlock.applyAsInt(block);
    return node < 0 ? Integer.MIN_VALUE : network.siteOf(node);
  }
}
