package org.braid.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.code.Matrix;

/** Splits a plan's steps into one fragment a node. */
final class Fragmenter {
  private final Map<Integer, NodeOps> nodes = new LinkedHashMap<>();

  private Fragmenter() {}

  static List<Fragment> split(List<Step> steps) {
    Fragmenter fragmenter = new Fragmenter();
    steps.forEach(fragmenter::add);
    List<Fragment> fragments = new ArrayList<>();
    fragmenter.nodes.forEach((node, ops) -> fragments.add(new Fragment(node, ops.finish())));
    return List.copyOf(fragments);
  }

  private void add(Step step) {
    if (step instanceof Step.Read read) {
      at(read.node()).add(new Operation.Read(read.id(), read.source()));
    } else if (step instanceof Step.Combine combine) {
      at(combine.node()).combine(combine);
    } else if (step instanceof Step.Send send) {
      NodeOps sender = at(send.from());
      sender.add(new Operation.Send(sender.resolve(send.value()), send.id(), send.node()));
      at(send.node()).add(new Operation.Receive(send.id(), send.from()));
    } else if (step instanceof Step.Store store) {
      NodeOps keeper = at(store.node());
      keeper.add(new Operation.Store(keeper.resolve(store.value()), store.target()));
    }
  }

  private NodeOps at(int node) {
    return nodes.computeIfAbsent(node, unused -> new NodeOps());
  }

  /** The operations of one node; combinations wait in {@code run} to be merged. */
  private static final class NodeOps {
    private final List<Operation> ops = new ArrayList<>();
    private final Map<Integer, Integer> aliases = new LinkedHashMap<>();
    private final List<Rows> run = new ArrayList<>();

    void add(Operation op) {
      flush();
      ops.add(op);
    }

    void combine(Step.Combine combine) {
      // Aliases may bring two inputs together; in GF(2^8) their coefficients then add up by XOR.
      Map<Integer, Integer> row = new LinkedHashMap<>();
      for (Step.Input input : combine.inputs()) {
        int sum = row.getOrDefault(resolve(input.value()), 0) ^ input.coefficient();
        row.put(resolve(input.value()), sum);
      }
      row.values().removeIf(coefficient -> coefficient == 0);
      if (row.size() == 1 && row.containsValue(1)) {
        aliases.put(combine.id(), row.keySet().iterator().next());
        return;
      }
      if (run.stream().anyMatch(rows -> rows.makesAnyOf(row.keySet()))) {
        flush();
      }
      run.add(new Rows(combine.id(), row));
    }

    int resolve(int value) {
      return aliases.getOrDefault(value, value);
    }

    List<Operation> finish() {
      flush();
      return ops;
    }

    private void flush() {
      for (int i = 0; i < run.size(); i++) {
        // A merged set has more inputs and may fit what it did not fit before: begin again.
        for (int j = i + 1; j < run.size(); j++) {
          if (run.get(i).fits(run.get(j))) {
            run.set(i, run.get(i).with(run.remove(j)));
            j = i;
          }
        }
      }
      run.forEach(rows -> ops.add(rows.toOp()));
      run.clear();
    }
  }

  /** Combinations that run as one: by output, the coefficient of each input. */
  private static final class Rows {
    private final Map<Integer, Map<Integer, Integer>> byOutput = new LinkedHashMap<>();
    private final Set<Integer> inputs = new LinkedHashSet<>();
    private int filled;

    Rows(int output, Map<Integer, Integer> row) {
      put(output, row);
    }

    private void put(int output, Map<Integer, Integer> row) {
      byOutput.put(output, row);
      inputs.addAll(row.keySet());
      filled += row.size();
    }

    boolean makesAnyOf(Set<Integer> values) {
      return values.stream().anyMatch(byOutput::containsKey);
    }

    /**
     * Merging saves reading the shared inputs again but multiplies by the zeros that fill up the
     * rows: it pays when inputs are shared and no more than half of the matrix is zeros.
     */
    boolean fits(Rows other) {
      Set<Integer> union = new LinkedHashSet<>(inputs);
      union.addAll(other.inputs);
      boolean shares = union.size() < inputs.size() + other.inputs.size();
      boolean zero = inputs.isEmpty() || other.inputs.isEmpty();
      int cells = union.size() * (byOutput.size() + other.byOutput.size());
      return (shares || zero) && 2 * (filled + other.filled) >= cells;
    }

    Rows with(Rows other) {
      other.byOutput.forEach(this::put);
      return this;
    }

    Operation toOp() {
      List<Integer> outputs = byOutput.keySet().stream().sorted().toList();
      List<Integer> columns = List.copyOf(inputs);
      int[] values = new int[outputs.size() * columns.size()];
      int next = 0;
      for (int output : outputs) {
        Map<Integer, Integer> row = byOutput.getOrDefault(output, Map.of());
        for (int column : columns) {
          values[next++] = row.getOrDefault(column, 0);
        }
      }
      return new Operation.Combine(
          outputs, Matrix.of(outputs.size(), columns.size(), values), columns);
    }
  }
}
