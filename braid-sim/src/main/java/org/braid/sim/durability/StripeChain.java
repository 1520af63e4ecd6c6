package org.braid.sim.durability;

import java.util.Optional;
import org.braid.sim.durability.RepairSettings.Order;
import org.braid.sim.failure.Lifetime;

/**
 * The Markov chain of a stripe whose nodes die after exponential lives and whose repairs are
 * memoryless: its states are the numbers of lost blocks.
 *
 * <p>That is exact for every code whose lost blocks come back together. What was lost without being
 * fatal, one random block after the other, is equally likely to be any pattern of its size that can
 * be decoded, so that the probability of the next loss to be fatal depends on the size alone
 * ({@link Patterns.Steps}). Blocks that come back one by one leave patterns that are not equally
 * likely; then the chain is exact where size decides everything.
 *
 * @param losses of a stripe in a second
 * @param lostBlocks data blocks of a stripe in a second
 * @param exact whether the probabilities of fatal losses are
 */
public record StripeChain(double losses, double lostBlocks, boolean exact) {
  /**
   * Solves the chain of a stripe's node failures; what else goes wrong does not count.
   *
   * @param n blocks of a stripe
   * @param node life of a node, exponential
   * @return empty when the setting has no such chain
   */
  public static Optional<StripeChain> of(
      int n, Lifetime node, RepairTimes repairs, Order order, Patterns.Steps steps) {
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
    return Optional.of(new StripeChain(losses, blocks, steps.exact()));
  }
}
