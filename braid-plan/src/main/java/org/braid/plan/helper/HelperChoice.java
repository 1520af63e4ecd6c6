package org.braid.plan.helper;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.LocalFirst;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.code.derive.NotRepairableException;
import org.braid.code.derive.ParityCopies;
import org.braid.code.derive.RepairSearch;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;
import org.braid.plan.cost.PlanTime;
import org.braid.plan.shape.HelperOrder;
import org.braid.plan.shape.RepairPlanner;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the helpers of a repair for a planner: the helpers whose plan crosses sites least, of
 * these racks least. Among equals the nearest helpers are those of the fastest plan, then of the
 * one that moves least; helpers by weight are those that read least, then the heaviest.
 *
 * <p>The candidates are: the blocks in the {@linkplain HelperPreference.Order orders} of the
 * preference until they decode, and of these orders local groups first; each local group; the reads
 * that the code itself names; each of these with parities read from their nearest copies; and,
 * after {@link #search}, the cheapest reads that it finds. Every candidate is planned, so that the
 * comparison is one of what the planner would really move.
 */
public final class HelperChoice {
  private final ErasureCode code;
  private final Set<Integer> lost = new TreeSet<>();
  private final List<SubBlock> wanted;
  private final List<Integer> alive;
  private final IntUnaryOperator nodeOfBlock;
  private final IntUnaryOperator rootOfBlock;
  private final Network network;
  private final HelperPreference preference;
  private final KnownRepairs known;
  private @Nullable Candidates candidates;

  /**
   * The chosen helpers.
   *
   * @param equations of the wanted sub-blocks, over the helpers
   * @param planned makes the plan when it is asked for
   */
  public record Chosen(List<Equation> equations, Supplier<Plan> planned) {
    /** The plan of the repair. */
    public Plan plan() {
      return planned.get();
    }
  }

  /** Repairs to choose from, and the orders that they came from. */
  private record Candidates(
      List<Integer> readable, HelperOrders orders, Set<List<Equation>> repairs) {}

  /**
   * A choice of the nearest helpers.
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
        Solver.subBlocks(code, List.copyOf(new TreeSet<>(lost))),
        List.copyOf(new TreeSet<>(alive)),
        nodeOfBlock,
        rootOfBlock,
        network,
        HelperPreference.nearest(),
        new KnownRepairs());
  }

  private HelperChoice(
      ErasureCode code,
      List<SubBlock> wanted,
      List<Integer> alive,
      IntUnaryOperator nodeOfBlock,
      IntUnaryOperator rootOfBlock,
      Network network,
      HelperPreference preference,
      KnownRepairs known) {
    this.code = code;
    this.wanted = wanted;
    this.alive = alive;
    this.nodeOfBlock = nodeOfBlock;
    this.rootOfBlock = rootOfBlock;
    this.network = network;
    this.preference = preference;
    this.known = known;
    wanted.forEach(subBlock -> lost.add(subBlock.block()));
    if (lost.isEmpty()) {
      throw new IllegalArgumentException("no block is lost, so there is nothing to repair");
    }
  }

  /**
   * A choice of the nearest helpers for a part of a lost block, as a reader wants it.
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
    return new HelperChoice(
        code,
        List.copyOf(new LinkedHashSet<>(wanted)),
        List.copyOf(new TreeSet<>(alive)),
        nodeOfBlock,
        block -> root,
        network,
        HelperPreference.nearest(),
        new KnownRepairs());
  }

  /**
   * A choice of other helpers for the same repair.
   *
   * @param other which helpers it prefers
   * @param known repairs that choices for other stripes may have solved
   */
  public HelperChoice preferring(HelperPreference other, KnownRepairs known) {
    return new HelperChoice(code, wanted, alive, nodeOfBlock, rootOfBlock, network, other, known);
  }

  /**
   * Searches for cheap repairs and adds them to the candidates. Does not search for codes that
   * decode from any k blocks at the same cost.
   *
   * @param effort how hard to search
   * @throws NotRepairableException when the blocks alive do not determine the lost ones
   */
  public HelperChoice search(RepairSearch.Effort effort) {
    Candidates found = candidates();
    boolean alike = code.alpha() == 1 && code.groups().isEmpty() && code.racks().isEmpty();
    if (!alike || found.repairs().isEmpty()) {
      known.searched(code, lost, found.readable(), effort).forEach(e -> add(e, found));
    }
    return this;
  }

  /** Whether the blocks alive determine the lost ones. */
  public boolean decodes() {
    return !candidates().repairs().isEmpty();
  }

  /**
   * The best plan of a shape; {@code auto} takes the fastest shape, each with its own helpers.
   *
   * @return empty when the blocks alive do not determine the lost ones
   */
  public Optional<Plan> plan(RepairPlanner planner) {
    return choose(planner).map(Chosen::plan);
  }

  /**
   * The best helpers for a shape; {@code auto} takes the fastest shape, each with its own helpers.
   *
   * @return empty when the blocks alive do not determine the lost ones
   */
  public Optional<Chosen> choose(RepairPlanner planner) {
    Set<List<Equation>> repairs = candidates().repairs();
    if (repairs.size() < 2) {
      return repairs.stream().findFirst().map(e -> new Chosen(e, () -> plan(planner, e)));
    }
    List<Weighed> best = planner.shapes().stream().map(this::best).toList();
    Plan fastest = PlanTime.fastest(best.stream().map(Weighed::plan).toList(), network);
    return best.stream()
        .filter(weighed -> weighed.plan() == fastest)
        .findFirst()
        .map(weighed -> new Chosen(weighed.equations(), weighed::plan));
  }

  private Plan plan(RepairPlanner planner, List<Equation> equations) {
    return planner.plan(equations, nodeOfBlock, rootOfBlock, network);
  }

  /** A candidate and what counts of it, in this order. */
  private record Weighed(
      List<Equation> equations,
      Plan plan,
      long doubtful,
      long sites,
      long racks,
      double cost,
      double tie) {
    static final Comparator<Weighed> ORDER =
        Comparator.comparingLong(Weighed::doubtful)
            .thenComparingLong(Weighed::sites)
            .thenComparingLong(Weighed::racks)
            .thenComparingDouble(Weighed::cost)
            .thenComparingDouble(Weighed::tie);
  }

  private Weighed best(RepairPlanner shape) {
    return candidates().repairs().stream()
        .map(equations -> weighed(equations, plan(shape, equations)))
        .min(Weighed.ORDER)
        .orElseThrow();
  }

  private Weighed weighed(List<Equation> equations, Plan plan) {
    Set<SubBlock> reads = new LinkedHashSet<>();
    for (Equation equation : equations) {
      equation.terms().stream()
          .map(Term::source)
          .filter(source -> nodeOfBlock.applyAsInt(source.block()) >= 0)
          .forEach(reads::add);
    }
    boolean nearest = preference.order() == HelperPreference.Order.NEAREST;
    HelperOrders orders = candidates().orders();
    return new Weighed(
        equations,
        plan,
        reads.stream().filter(read -> preference.doubtful().contains(read.block())).count(),
        PlanCost.siteCrossings(plan, network),
        PlanCost.crossings(plan, network),
        nearest ? PlanTime.seconds(plan, network) : reads.size(),
        nearest
            ? PlanCost.sends(plan)
            : -reads.stream().mapToDouble(read -> orders.weight(read.block())).sum());
  }

  private Candidates candidates() {
    Candidates found = candidates;
    if (found == null) {
      found = quick(alive.stream().filter(b -> !preference.doubtful().contains(b)).toList());
      if (found.repairs().isEmpty() && found.readable().size() < alive.size()) {
        found = quick(alive);
      }
      candidates = found;
    }
    return found;
  }

  /** The candidates that need no search. */
  private Candidates quick(List<Integer> readable) {
    Set<Integer> roots = new HashSet<>();
    lost.forEach(block -> roots.add(rootOfBlock.applyAsInt(block)));
    HelperOrders orders = new HelperOrders(readable, nodeOfBlock, roots, network, preference);
    Candidates found = new Candidates(readable, orders, new LinkedHashSet<>());
    LocalGroupRepairs groups = new LocalGroupRepairs(code, nodeOfBlock, rootOfBlock, network);
    for (List<Integer> order : orders.of(preference.order())) {
      solve(LocalFirst.order(code, lost, order), found);
      if (found.repairs().isEmpty()) {
        return found;
      }
      if (!code.groups().isEmpty()) {
        solve(order, found);
        groups.of(lost, order).forEach(equations -> add(equations, found));
      }
    }
    known.named(code, lost, wanted, readable).forEach(equations -> add(equations, found));
    return found;
  }

  private void solve(List<Integer> order, Candidates found) {
    Solver.solveSubBlocks(code, wanted, Solver.subBlocks(code, order))
        .ifPresent(equations -> add(equations, found));
  }

  private void add(List<Equation> equations, Candidates found) {
    List<Equation> asked = equations.stream().filter(e -> wanted.contains(e.target())).toList();
    found.repairs().add(byRack(asked));
    if (code instanceof ParityCopies copies) {
      Set<Integer> roots = new HashSet<>();
      lost.forEach(block -> roots.add(rootOfBlock.applyAsInt(block)));
      var nearest =
          new NearestCopies(copies, found.readable()::contains, nodeOfBlock, roots, network);
      found.repairs().add(byRack(nearest.of(asked)));
    }
  }

  private List<Equation> byRack(List<Equation> equations) {
    return HelperOrder.byRack(equations, nodeOfBlock, rootOfBlock, network);
  }
}
