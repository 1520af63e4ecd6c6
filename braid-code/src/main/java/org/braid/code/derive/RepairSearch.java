package org.braid.code.derive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.braid.code.Checks;
import org.braid.code.ErasureCode;
import org.braid.code.LocalGroup;
import org.braid.code.Promises.Combinations;
import org.braid.code.SubBlock;

/**
 * Searches for the cheapest repair.
 *
 * <p>Greedy walks come first. A walk leaves out blocks (or sub-blocks, or racks) one after the
 * other while the rest suffices. Its order keeps local groups, the lost block's rack or the code's
 * own {@link ErasureCode#repairSets} to the end, or is random. Branch and bound over all choices
 * follows. The best repair is proven minimal when that ends within the allowed work, or when the
 * repair meets a bound.
 */
public final class RepairSearch {
  private static final int SHUFFLES = 40;

  /** Branch and bound over more units would not end. */
  private static final int MAX_DEPTH = 1_000;

  private final ErasureCode code;
  private final List<Integer> lost;
  private final List<Integer> alive;
  private final RepairAim aim;
  private final Effort effort;
  private final List<Integer> rackOf;
  private final Random random;
  private long work;
  private boolean complete = true;
  private Optional<Found> best = Optional.empty();

  /**
   * The effort of a search.
   *
   * @param work byte operations; 10^9 take a second or two
   * @param seed of the random orders
   */
  public record Effort(long work, long seed) {
    /** For a single repair. */
    public static final Effort ONE = new Effort(1_000_000_000L, 1);

    /** For many repairs together. */
    public static final Effort MANY = new Effort(200_000_000L, 1);
  }

  private record Found(RepairSystem system, long[] cost) {}

  private RepairSearch(
      ErasureCode code, List<Integer> lost, List<Integer> alive, RepairAim aim, Effort effort) {
    this.code = code;
    this.lost = lost;
    this.alive = alive;
    this.aim = aim;
    this.effort = effort;
    this.rackOf = code.racks().orElseGet(() -> IntStream.range(0, code.n()).boxed().toList());
    this.random = new Random(effort.seed());
  }

  /** The cheapest repair from all blocks that are not lost. */
  public static Repair find(
      ErasureCode code, Collection<Integer> lost, RepairAim aim, Effort effort) {
    List<Integer> alive =
        IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
    return find(code, lost, alive, aim, effort);
  }

  /**
   * The cheapest repair.
   *
   * @param lost positions of the blocks to rebuild, at least one
   * @param alive positions of the blocks that may be read
   * @throws NotRepairableException when the blocks alive do not determine the lost ones
   * @throws IllegalArgumentException when nothing is lost, or a position is outside the stripe or
   *     both lost and alive
   */
  public static Repair find(
      ErasureCode code,
      Collection<Integer> lost,
      Collection<Integer> alive,
      RepairAim aim,
      Effort effort) {
    List<Integer> wanted = List.copyOf(new TreeSet<>(lost));
    List<Integer> given = List.copyOf(new TreeSet<>(alive));
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException("no block is lost, so there is nothing to repair");
    }
    wanted.forEach(block -> Checks.requirePosition(code, block));
    given.forEach(block -> Checks.requirePosition(code, block));
    List<Integer> both = wanted.stream().filter(given::contains).toList();
    if (!both.isEmpty()) {
      throw new IllegalArgumentException(
          (both.size() == 1 ? "block " + both.get(0) + " is" : "blocks " + both + " are")
              + " both lost and alive");
    }
    return new RepairSearch(code, wanted, given, aim, effort).run();
  }

  private Repair run() {
    RepairSystem all = RepairSystem.of(code, lost, alive);
    Set<List<Integer>> walked = new HashSet<>();
    for (List<Integer> order : orders()) {
      if (walked.add(order)) {
        walk(all, order);
      } else {
        walkMixed(all, order);
      }
    }
    for (List<SubBlock> set : code.repairSets(new TreeSet<>(lost))) {
      offer(leaveOut(all, outside(set)), alive);
    }
    for (int i = 0; i < SHUFFLES && work < effort.work() / 2; i++) {
      List<Integer> order = new ArrayList<>(alive);
      Collections.shuffle(order, random);
      walk(all, order);
    }
    if (best.orElseThrow().cost()[0] > leastBytes()) {
      branch(all);
    }
    return repair(best.orElseThrow());
  }

  /** Orders of the blocks alive; a walk tries to leave out the first blocks first. */
  private List<List<Integer>> orders() {
    List<List<Integer>> orders = new ArrayList<>();
    orders.add(backwards());
    orders.add(alive);
    Set<Integer> near = new HashSet<>();
    for (LocalGroup group : code.groups()) {
      if (!Collections.disjoint(group.blocks(), lost)) {
        orders.add(sparing(group.blocks()));
        near.addAll(group.blocks());
      }
    }
    orders.add(sparing(near));
    if (code.racks().isPresent()) {
      orders.add(sparing(alive.stream().filter(b -> !isCross(b)).toList()));
    }
    return orders;
  }

  private List<Integer> backwards() {
    List<Integer> order = new ArrayList<>(alive);
    Collections.reverse(order);
    return order;
  }

  /** All blocks alive, with the spared ones last. */
  private List<Integer> sparing(Collection<Integer> spared) {
    List<Integer> order = new ArrayList<>(backwards());
    order.removeIf(spared::contains);
    order.addAll(backwards().stream().filter(spared::contains).toList());
    return order;
  }

  private void walk(RepairSystem all, List<Integer> order) {
    if (aim == RepairAim.BYTES) {
      // Whole blocks first leads to few blocks; single sub-blocks may lead to fewer bytes.
      offer(all, order);
      if (code.alpha() > 1) {
        offer(leaveOut(all, units(order, RepairAim.BLOCKS)), order);
      }
      walkMixed(all, order);
    } else {
      RepairSystem fewRacks =
          aim == RepairAim.RACKS ? leaveOut(all, units(order, RepairAim.RACKS)) : all;
      offer(leaveOut(fewRacks, units(order, RepairAim.BLOCKS)), order);
    }
  }

  /** The randomised part of a walk. */
  private void walkMixed(RepairSystem all, List<Integer> order) {
    if (aim == RepairAim.BYTES && code.alpha() > 1) {
      List<int[]> mixed = units(order, RepairAim.BYTES);
      Collections.shuffle(mixed, random);
      offer(leaveOut(all, mixed), order);
    }
  }

  /** The units that an aim counts: sets of sub-blocks that are left out together. */
  private List<int[]> units(List<Integer> order, RepairAim counted) {
    List<int[]> units = new ArrayList<>();
    switch (counted) {
      case BLOCKS -> order.forEach(block -> units.add(columns(List.of(block))));
      case BYTES ->
          order.forEach(
              block -> {
                for (int column : columns(List.of(block))) {
                  units.add(new int[] {column});
                }
              });
      case RACKS ->
          order.stream()
              .map(rackOf::get)
              .distinct()
              .forEach(
                  rack ->
                      units.add(
                          columns(
                              order.stream().filter(b -> rackOf.get(b).equals(rack)).toList())));
    }
    return units;
  }

  private int[] columns(List<Integer> blocks) {
    int alpha = code.alpha();
    return blocks.stream().flatMapToInt(b -> IntStream.range(b * alpha, (b + 1) * alpha)).toArray();
  }

  private List<int[]> outside(List<SubBlock> set) {
    Set<Integer> inside = new HashSet<>();
    set.forEach(s -> inside.add(code.row(s)));
    return units(alive, RepairAim.BYTES).stream().filter(u -> !inside.contains(u[0])).toList();
  }

  private RepairSystem leaveOut(RepairSystem from, List<int[]> units) {
    RepairSystem system = from;
    for (int[] unit : units) {
      system = without(system, unit).orElse(system);
    }
    return system;
  }

  private Optional<RepairSystem> without(RepairSystem system, int[] unit) {
    if (!system.isOpen(unit)) {
      work += system.work() / 8;
      return system.withoutClosed(unit);
    }
    work += system.work() * unit.length;
    return system.withoutOpen(unit);
  }

  /** Keeps a repair if it is the cheapest so far; makes its open choices in the given order. */
  private void offer(RepairSystem open, List<Integer> order) {
    RepairSystem system = leaveOut(open, units(order, RepairAim.BYTES));
    long[] cost = cost(system);
    if (best.isEmpty() || Arrays.compare(cost, best.get().cost()) < 0) {
      best = Optional.of(new Found(system, cost));
    }
  }

  /** The costs, most important first; the search proves the first one minimal. */
  private long[] cost(RepairSystem system) {
    Set<Integer> blocks = new HashSet<>();
    Set<Integer> racks = new HashSet<>();
    long subBlocks = 0;
    long cross = 0;
    for (int block : alive) {
      for (int column : columns(List.of(block))) {
        if (system.reads(column)) {
          blocks.add(block);
          racks.add(rackOf.get(block));
          subBlocks++;
          cross += isCross(block) ? 1 : 0;
        }
      }
    }
    return switch (aim) {
      case BLOCKS -> new long[] {blocks.size(), subBlocks, cross, racks.size()};
      case BYTES -> new long[] {subBlocks, blocks.size(), cross, racks.size()};
      case RACKS -> new long[] {racks.size(), cross, subBlocks, blocks.size()};
    };
  }

  private boolean isCross(int block) {
    return lost.stream().noneMatch(l -> rackOf.get(l).equals(rackOf.get(block)));
  }

  private void branch(RepairSystem all) {
    RepairSystem known = best.orElseThrow().system();
    List<int[]> units = new ArrayList<>(units(backwards(), aim));
    // Units that the best repair so far does not read come first.
    units.sort(
        (a, b) ->
            Boolean.compare(
                Arrays.stream(a).anyMatch(known::reads), Arrays.stream(b).anyMatch(known::reads)));
    if (units.size() > MAX_DEPTH) {
      complete = false;
      return;
    }
    visit(all, units, 0, 0);
  }

  /**
   * A lower bound of the sub-blocks that any repair reads; 0 if none is known.
   *
   * <p>A set T of helpers must send what all blocks outside T leave unknown of the lost ones. Every
   * helper is in the same share, t of d, of all sets of t helpers, so the mean of these needs is at
   * most t / d of the traffic. For an MDS code this is the cut-set bound.
   */
  private long leastBytes() {
    int size = Math.min(code.m(), alive.size());
    var sets = new Combinations(alive.size(), size);
    double rows = (double) code.m() * code.alpha();
    double once = rows * rows * (code.n() * code.alpha() + RepairSystem.ROW);
    if (aim != RepairAim.BYTES || code.alpha() == 1 || sets.count() * once > effort.work()) {
      return 0;
    }
    double[] sum = new double[1];
    sets.each(
        places -> {
          List<Integer> others = new ArrayList<>(alive);
          others.removeAll(places.stream().map(alive::get).toList());
          sum[0] += RepairSystem.missing(code, lost, others);
          return true;
        });
    // A rounding error must not raise the bound.
    return (long) Math.ceil(sum[0] / sets.count() * alive.size() / size - 1e-6);
  }

  private void visit(RepairSystem system, List<int[]> units, int from, long kept) {
    long bound = best.orElseThrow().cost()[0];
    // Racks are few: repairs that read equally many racks are compared by their other costs.
    boolean ties = aim == RepairAim.RACKS && code.racks().isPresent();
    if (!complete || kept > bound || (kept == bound && !ties)) {
      return;
    }
    if (work > effort.work()) {
      complete = false;
      return;
    }
    if (from == units.size()) {
      offer(system, backwards());
      return;
    }
    int[] unit = units.get(from);
    Optional<RepairSystem> without = without(system, unit);
    without.ifPresent(s -> visit(s, units, from + 1, kept));
    if (without.isEmpty() || without.get() != system) {
      visit(system, units, from + 1, kept + 1);
    }
  }

  private Repair repair(Found found) {
    List<Repair.Read> reads = new ArrayList<>();
    double alpha = code.alpha();
    long subBlocks = 0;
    long cross = 0;
    for (int block : alive) {
      int first = block * code.alpha();
      List<Integer> read =
          IntStream.range(0, code.alpha())
              .filter(s -> found.system().reads(first + s))
              .boxed()
              .toList();
      if (!read.isEmpty()) {
        reads.add(new Repair.Read(block, read, read.size() / alpha));
        subBlocks += read.size();
        cross += code.racks().isEmpty() || isCross(block) ? read.size() : 0;
      }
    }
    int racks = (int) reads.stream().map(r -> rackOf.get(r.block())).distinct().count();
    return new Repair(
        lost,
        aim,
        found.system().equations(lost, code.alpha()),
        reads,
        subBlocks / alpha,
        racks,
        cross / alpha,
        // Every repair reads at least one unit.
        complete || found.cost()[0] == 1);
  }
}
