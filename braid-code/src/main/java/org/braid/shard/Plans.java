package org.braid.shard;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.LastUsed;
import org.braid.code.LocalGroup;
import org.braid.code.Schedule;
import org.braid.code.Solver;
import org.braid.codec.Program;
import org.braid.kernel.Kernel;

/** Ways to rebuild blocks, made when they are first needed. */
final class Plans {
  /** So many different patterns of losses are remembered. */
  private static final int REMEMBERED = 64;

  private final ErasureCode code;
  private final Kernel kernel;
  private final LastUsed<Losses, Optional<Plan>> known = new LastUsed<>(REMEMBERED);

  private record Losses(BitSet wanted, BitSet unavailable) {}

  /**
   * A way to rebuild blocks.
   *
   * @param reads the blocks it reads
   * @param program computes the wanted ones from them
   */
  record Plan(BitSet reads, Program program) {}

  Plans(ErasureCode code, Kernel kernel) {
    this.code = code;
    this.kernel = kernel;
  }

  /**
   * A way to rebuild blocks; empty when the others do not determine them.
   *
   * @param wanted the blocks to rebuild
   * @param unavailable the blocks that cannot be read, the wanted ones among them
   */
  Optional<Plan> of(BitSet wanted, BitSet unavailable) {
    return known.get(
        new Losses((BitSet) wanted.clone(), (BitSet) unavailable.clone()),
        losses ->
            Solver.solve(
                    code,
                    losses.wanted.stream().boxed().toList(),
                    order(losses.wanted, losses.unavailable))
                .map(this::plan));
  }

  private Plan plan(List<Equation> equations) {
    BitSet reads = new BitSet();
    equations.forEach(e -> e.terms().forEach(t -> reads.set(t.source().block())));
    return new Plan(reads, Program.of(code, new Schedule("decode", equations), kernel));
  }

  /** Available blocks: those of local groups that can do it first, small groups before large. */
  private List<Integer> order(BitSet wanted, BitSet unavailable) {
    Set<Integer> order = new LinkedHashSet<>();
    List<LocalGroup> groups = new ArrayList<>(code.groups());
    groups.sort(Comparator.comparingInt(g -> g.blocks().size()));
    for (LocalGroup group : groups) {
      long lost = group.blocks().stream().filter(unavailable::get).count();
      if (lost <= group.losses() && group.blocks().stream().anyMatch(wanted::get)) {
        order.addAll(group.blocks());
      }
    }
    for (int b = 0; b < code.n(); b++) {
      order.add(b);
    }
    order.removeIf(unavailable::get);
    return List.copyOf(order);
  }
}
