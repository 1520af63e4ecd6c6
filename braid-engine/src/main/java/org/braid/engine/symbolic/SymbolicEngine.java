package org.braid.engine.symbolic;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.code.ErasureCode;
import org.braid.code.Gf256;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;
import org.braid.plan.Fragment;
import org.braid.plan.Link;
import org.braid.plan.Operation;
import org.braid.plan.Plan;
import org.braid.plan.Step;

/**
 * Runs plans on coefficient rows instead of bytes. Each value is a row of k*alpha coefficients over
 * the data; a plan that stores the rows of the generator is correct for all data.
 */
public final class SymbolicEngine {
  private SymbolicEngine() {}

  /** Runs a plan of a full stripe; see {@link #run(Plan, ErasureCode, Set)}. */
  public static SymbolicResult run(Plan plan, ErasureCode code) {
    return run(plan, code, Set.of());
  }

  /**
   * Runs the steps of the plan, then its fragments concurrently as an engine does, and compares the
   * results.
   *
   * @param zeroBlocks virtual data blocks of zeros, whose columns are ignored
   * @throws PlanViolation when steps and fragments differ, the fragments deadlock, or the plan
   *     reads a sub-block that the code does not have
   */
  public static SymbolicResult run(Plan plan, ErasureCode code, Set<Integer> zeroBlocks) {
    SymbolicResult ofSteps = runSteps(plan, code, zeroBlocks);
    SymbolicResult ofFragments =
        new Fragments(plan.fragments(), code, zeroBlocks).run(name(plan, code));
    if (!ofSteps.equals(ofFragments)) {
      throw new PlanViolation(
          name(plan, code) + ": steps give " + ofSteps + ", fragments give " + ofFragments);
    }
    return ofSteps;
  }

  /** Proves a plan of a full stripe; see {@link #prove(Plan, ErasureCode, Set)}. */
  public static SymbolicResult prove(Plan plan, ErasureCode code) {
    return prove(plan, code, Set.of());
  }

  /**
   * Proves that each sub-block the plan stores equals its generator row, whatever the data.
   *
   * @param zeroBlocks virtual data blocks of zeros, whose columns are ignored
   * @return the stored rows and the traffic
   * @throws PlanViolation when a stored row differs, or the plan stores nothing
   */
  public static SymbolicResult prove(Plan plan, ErasureCode code, Set<Integer> zeroBlocks) {
    SymbolicResult result = run(plan, code, zeroBlocks);
    if (result.rows().isEmpty()) {
      throw new PlanViolation(name(plan, code) + ": stores nothing");
    }
    result
        .rows()
        .forEach(
            (target, row) -> {
              int[] expected = generatorRow(code, target, zeroBlocks);
              if (!Arrays.equals(expected, row.row(0))) {
                throw new PlanViolation(
                    name(plan, code)
                        + ": block "
                        + target.block()
                        + ", sub-block "
                        + target.index()
                        + ": expected row "
                        + Arrays.toString(expected)
                        + ", got "
                        + Arrays.toString(row.row(0)));
              }
            });
    return result;
  }

  private static String name(Plan plan, ErasureCode code) {
    return plan.shape() + " plan of " + code.name();
  }

  private static int[] generatorRow(ErasureCode code, SubBlock source, Set<Integer> zeroBlocks) {
    if (source.block() < 0
        || source.block() >= code.n()
        || source.index() < 0
        || source.index() >= code.alpha()) {
      throw new PlanViolation(
          code.name()
              + " has "
              + code.n()
              + " blocks of "
              + code.alpha()
              + " sub-blocks, no "
              + source);
    }
    int[] row = code.generator().row(code.row(source));
    for (int column = 0; column < row.length; column++) {
      if (zeroBlocks.contains(column / code.alpha())) {
        row[column] = 0;
      }
    }
    return row;
  }

  private static void addTo(int[] sum, int coefficient, int[] row) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] ^= Gf256.multiply(coefficient, row[i]);
    }
  }

  private static int[] row(Map<Integer, int[]> values, int value) {
    int[] row = values.get(value);
    if (row == null) {
      throw new PlanViolation("value " + value + " is used where it is not");
    }
    return row;
  }

  private static SymbolicResult runSteps(Plan plan, ErasureCode code, Set<Integer> zeroBlocks) {
    Tally tally = new Tally();
    Map<Integer, int[]> values = new HashMap<>();
    for (Step step : plan.steps()) {
      if (step instanceof Step.Read read) {
        values.put(read.id(), generatorRow(code, read.source(), zeroBlocks));
      } else if (step instanceof Step.Combine combine) {
        int[] sum = new int[code.k() * code.alpha()];
        combine.inputs().forEach(in -> addTo(sum, in.coefficient(), row(values, in.value())));
        values.put(combine.id(), sum);
      } else if (step instanceof Step.Send send) {
        values.put(send.id(), row(values, send.value()));
        tally.moved(send.from(), send.node());
      } else if (step instanceof Step.Store store) {
        tally.stored(store.node(), store.target(), row(values, store.value()));
      }
    }
    return tally.result();
  }

  /** The stored rows of a run. */
  private static final class Tally {
    private final Map<SubBlock, Matrix> rows = new HashMap<>();
    private final Map<SubBlock, Integer> storedAt = new HashMap<>();
    private final Map<Link, Integer> units = new HashMap<>();

    void moved(int from, int to) {
      units.merge(new Link(from, to), 1, Integer::sum);
    }

    void stored(int node, SubBlock target, int[] row) {
      rows.put(target, Matrix.of(1, row.length, row));
      storedAt.put(target, node);
    }

    SymbolicResult result() {
      return new SymbolicResult(rows, storedAt, units);
    }
  }

  /** Runs fragments in turn, each until it has to wait. */
  private static final class Fragments {
    private record Stream(int number, Link link) {}

    private final List<Fragment> fragments;
    private final ErasureCode code;
    private final Set<Integer> zeroBlocks;
    private final Map<Stream, int[]> inFlight = new HashMap<>();
    private final Map<Integer, Map<Integer, int[]>> valuesOf = new HashMap<>();
    private final Tally tally = new Tally();

    Fragments(List<Fragment> fragments, ErasureCode code, Set<Integer> zeroBlocks) {
      this.fragments = fragments;
      this.code = code;
      this.zeroBlocks = zeroBlocks;
    }

    SymbolicResult run(String name) {
      int[] next = new int[fragments.size()];
      boolean moved = true;
      while (moved) {
        moved = false;
        for (int i = 0; i < next.length; i++) {
          List<Operation> ops = fragments.get(i).ops();
          while (next[i] < ops.size() && tryRun(fragments.get(i).node(), ops.get(next[i]))) {
            next[i]++;
            moved = true;
          }
        }
      }
      for (int i = 0; i < next.length; i++) {
        if (next[i] < fragments.get(i).ops().size()) {
          throw new PlanViolation(
              name
                  + ": node "
                  + fragments.get(i).node()
                  + " waits for ever at "
                  + fragments.get(i).ops().get(next[i]));
        }
      }
      if (!inFlight.isEmpty()) {
        throw new PlanViolation(name + ": never received: " + inFlight.keySet());
      }
      return tally.result();
    }

    /** Runs an operation; false when it receives a value that was not sent yet. */
    private boolean tryRun(int node, Operation op) {
      Map<Integer, int[]> values = valuesOf.computeIfAbsent(node, unused -> new HashMap<>());
      if (op instanceof Operation.Read read) {
        values.put(read.value(), generatorRow(code, read.source(), zeroBlocks));
      } else if (op instanceof Operation.Combine combine) {
        combine(combine, values);
      } else if (op instanceof Operation.Send send) {
        inFlight.put(
            new Stream(send.stream(), new Link(node, send.to())), row(values, send.value()));
        tally.moved(node, send.to());
      } else if (op instanceof Operation.Receive receive) {
        int[] row = inFlight.remove(new Stream(receive.value(), new Link(receive.from(), node)));
        if (row == null) {
          return false;
        }
        values.put(receive.value(), row);
      } else if (op instanceof Operation.Store store) {
        tally.stored(node, store.target(), row(values, store.value()));
      }
      return true;
    }

    private void combine(Operation.Combine combine, Map<Integer, int[]> values) {
      Matrix matrix = combine.coefficients();
      for (int r = 0; r < matrix.rows(); r++) {
        int[] sum = new int[code.k() * code.alpha()];
        for (int c = 0; c < matrix.columns(); c++) {
          addTo(sum, matrix.at(r, c), row(values, combine.inputs().get(c)));
        }
        values.put(combine.outputs().get(r), sum);
      }
    }
  }
}
