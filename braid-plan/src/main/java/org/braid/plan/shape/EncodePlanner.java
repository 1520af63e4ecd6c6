package org.braid.plan.shape;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.cost.Network;

/** Plans the encoding of a stripe. */
public final class EncodePlanner {
  private EncodePlanner() {}

  /**
   * One node gathers all data, computes all parities and sends them to their nodes. It reads data
   * that it stores itself in place.
   *
   * @param code the code
   * @param sourceNode for each data block a node that stores it; -1 for a virtual block of zeros,
   *     which is not read
   * @param encoder the node that encodes
   * @param parityNodes the node that each parity block is for
   * @throws IllegalArgumentException when there are not k sources and m parity nodes, or a parity
   *     node or the encoder is negative
   */
  public static Plan gather(ErasureCode code, int[] sourceNode, int encoder, int[] parityNodes) {
    check(code, sourceNode, encoder, parityNodes);
    Plan.Builder plan = Plan.builder("gather");
    int columns = code.k() * code.alpha();
    int[] values = new int[columns];
    for (int column = 0; column < columns; column++) {
      int node = sourceNode[column / code.alpha()];
      values[column] = -1;
      if (node >= 0 && isUsed(code, column)) {
        int read = plan.read(node, subBlock(code, column));
        values[column] = node == encoder ? read : plan.send(read, encoder);
      }
    }
    // A parity is computed once for all of its copies.
    Map<List<Step.Input>, Integer> made = new HashMap<>();
    List<Integer> parities = new ArrayList<>();
    for (int row = columns; row < code.n() * code.alpha(); row++) {
      parities.add(
          made.computeIfAbsent(
              inputs(code.generator(), row, values), inputs -> plan.combine(encoder, inputs)));
    }
    for (int i = 0; i < parities.size(); i++) {
      int node = parityNodes[i / code.alpha()];
      int parity = parities.get(i);
      plan.store(node == encoder ? parity : plan.send(parity, node), subBlock(code, columns + i));
    }
    return plan.build();
  }

  /**
   * Pipelined encoding: the nodes with data form a chain, grouped by rack. Each adds its part to
   * the parities that pass; the last one sends them to their nodes. A link carries at most all
   * parities, while gathering moves all data to one node. A parity that is complete earlier, as
   * local ones are, leaves the chain there. A parity node that stores data reads it in place.
   *
   * @param code the code
   * @param sourceNode for each data block a node that stores it; -1 for a virtual block of zeros,
   *     which is not read
   * @param parityNodes the node that each parity block is for
   * @param network the racks of the nodes
   * @throws IllegalArgumentException when there are not k sources and m parity nodes, or a parity
   *     node is negative
   */
  public static Plan pipelined(
      ErasureCode code, int[] sourceNode, int[] parityNodes, Network network) {
    check(code, sourceNode, 0, parityNodes);
    List<Equation> parities = new ArrayList<>();
    int columns = code.k() * code.alpha();
    for (int row = columns; row < code.n() * code.alpha(); row++) {
      List<Term> terms = new ArrayList<>();
      for (int column = 0; column < columns; column++) {
        int coefficient = code.generator().at(row, column);
        if (coefficient != 0) {
          terms.add(new Term(subBlock(code, column), coefficient));
        }
      }
      parities.add(new Equation(subBlock(code, row), terms));
    }
    List<RepairTarget> targets =
        RepairTarget.of(parities, b -> sourceNode[b], block -> parityNodes[block - code.k()]);
    Plan.Builder plan = Plan.builder("pipelined");
    RepairTarget.readAll(targets, plan);
    List<Integer> line =
        HelperOrder.byRack(
            network, busiestRack(parityNodes, network), TreeReduction.helpers(targets));
    TreeReduction.add(plan, targets, TreeEdge.chain(line));
    return plan.build();
  }

  /** A node in the rack with most parity nodes: the chain ends there. */
  private static int busiestRack(int[] parityNodes, Network network) {
    return IntStream.of(parityNodes)
        .boxed()
        .max(
            Comparator.comparingLong(
                node ->
                    IntStream.of(parityNodes)
                        .filter(other -> network.sameRack(node, other))
                        .count()))
        .orElseThrow();
  }

  private static List<Step.Input> inputs(Matrix generator, int row, int[] values) {
    List<Step.Input> inputs = new ArrayList<>();
    for (int column = 0; column < values.length; column++) {
      int coefficient = generator.at(row, column);
      if (coefficient != 0 && values[column] >= 0) {
        inputs.add(new Step.Input(values[column], coefficient));
      }
    }
    return inputs;
  }

  private static boolean isUsed(ErasureCode code, int column) {
    for (int row = code.k() * code.alpha(); row < code.n() * code.alpha(); row++) {
      if (code.generator().at(row, column) != 0) {
        return true;
      }
    }
    return false;
  }

  private static SubBlock subBlock(ErasureCode code, int row) {
    return new SubBlock(row / code.alpha(), row % code.alpha());
  }

  private static void check(ErasureCode code, int[] sourceNode, int encoder, int[] parityNodes) {
    if (sourceNode.length != code.k() || parityNodes.length != code.m()) {
      throw new IllegalArgumentException(
          code.name()
              + " needs "
              + code.k()
              + " sources and "
              + code.m()
              + " parity nodes, not "
              + sourceNode.length
              + " and "
              + parityNodes.length);
    }
    if (encoder < 0) {
      throw new IllegalArgumentException("no node to encode at: " + encoder);
    }
    for (int i = 0; i < parityNodes.length; i++) {
      if (parityNodes[i] < 0) {
        throw new IllegalArgumentException("no node for parity block " + (code.k() + i));
      }
    }
  }
}
