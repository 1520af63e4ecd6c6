package org.braid.sim.durability;

import java.util.Optional;
import org.braid.sim.durability.RepairParameters.Order;
import org.braid.sim.failure.Lifetime;

/**
 * The Markov chain of a stripe with exponential lifetimes of nodes and exponential repair times. A
 * state is a number of lost blocks.
 *
 * <p>The chain is exact for every code if lost blocks are rebuilt together: random losses that are
 * not fatal make all decodable patterns of a size equally likely, so that the probability of a
 * fatal next loss depends on the size alone ({@link ErasurePatterns.Steps}). If blocks are rebuilt
 * one by one, patterns are not equally likely, and the chain is exact only where the size of a
 * pattern decides whether it is decodable.
 *
 * @param losses data losses of one stripe a second
 * @param lostBlocks lost data blocks of one stripe a second
 * @param exact whether the probabilities of fatal losses are exact
 */
public record StripeMarkovChain(double losses, double lostBlocks, boolean exact) {
  /**
   * Solves the chain. Only losses of nodes count.
   *
   * @param n blocks of a stripe
   * @param node lifetime of a node
   * @return empty when lifetimes are not exponential, or when the chain would not be exact
   */
  public static Optional<StripeMarkovChain> of(
      int n, Lifetime node, RepairTimes repairs, Order order, ErasurePatterns.Steps steps) {
    boolean bySize = steps.fatal().stream().allMatch(p -> p == 0 || p == 1);
    if (!node.isExponential() || node.isEndless() || (order == Order.ONE_BY_ONE && !bySize)) {
      return Optional.empty();
    }
    int states = steps.fatal().size();
    MarkovChain chain = new MarkovChain(states);
    for (int lost = 0; lost < states; lost++) {
      double rate = (n - lost) * node.rate();
      double fatal = steps.fatal().get(lost);
      chain.absorb(lost, rate * fatal);
      if (lost + 1 < states) {
        chain.add(lost, lost + 1, rate * (1 - fatal));
      }
      if (lost > 0) {
        double back = 1 / repairs.of(lost, lost).mean();
        chain.add(lost, order == Order.TOGETHER ? 0 : lost - 1, back);
      }
    }
    double[] flows = chain.flows();
    double losses = 0;
    double blocks = 0;
    for (int lost = 0; lost < states; lost++) {
      losses += flows[lost];
      blocks += flows[lost] * steps.data().get(lost);
    }
    return Optional.of(new StripeMarkovChain(losses, blocks, steps.exact()));
  }
}
