package org.braid.sim.durability;

/**
 * An absorbing Markov chain in continuous time. The solution subtracts nothing, so that rates of
 * very different size lose no digits (Grassmann, Taksar and Heyman, "Regenerative Analysis and
 * Steady State Distributions for Markov Chains").
 */
public final class MarkovChain {
  private final double[][] rates;
  private final double[] absorbed;

  /** A chain without transitions. */
  public MarkovChain(int states) {
    if (states < 1) {
      throw new IllegalArgumentException("a chain of " + states + " states: must be at least 1");
    }
    rates = new double[states][states];
    absorbed = new double[states];
  }

  /** Adds a transition, with a rate in events a second. */
  public MarkovChain add(int from, int to, double rate) {
    NumberChecks.requireFinite("the rate of state " + from + " to " + to, rate);
    if (from == to) {
      throw new IllegalArgumentException("state " + from + " leads to itself");
    }
    rates[from][to] += rate;
    return this;
  }

  /** Adds absorption from a state, with a rate in events a second. */
  public MarkovChain absorb(int from, double rate) {
    NumberChecks.requireFinite("the rate of absorption of state " + from, rate);
    absorbed[from] += rate;
    return this;
  }

  /**
   * By state, the long-run rate of absorptions from it, in events a second, when the chain starts
   * again in state 0 after each. The reciprocal of their sum is the mean time to absorption.
   */
  public double[] flows() {
    double[] flows = shares();
    for (int state = 0; state < flows.length; state++) {
      flows[state] *= absorbed[state];
    }
    return flows;
  }

  /** By state, the share of time in it, when the chain starts again in state 0 after absorption. */
  private double[] shares() {
    int states = absorbed.length;
    double[][] q = new double[states][];
    for (int from = 0; from < states; from++) {
      q[from] = rates[from].clone();
      if (from > 0) {
        q[from][0] += absorbed[from];
      }
    }
    for (int last = states - 1; last > 0; last--) {
      double out = 0;
      for (int to = 0; to < last; to++) {
        out += q[last][to];
      }
      for (int from = 0; from < last; from++) {
        q[from][last] = out == 0 ? 0 : q[from][last] / out;
        for (int to = 0; to < last; to++) {
          q[from][to] += from == to ? 0 : q[from][last] * q[last][to];
        }
      }
    }
    double[] share = new double[states];
    share[0] = 1;
    double sum = 1;
    for (int state = 1; state < states; state++) {
      for (int from = 0; from < state; from++) {
        share[state] += share[from] * q[from][state];
      }
      sum += share[state];
    }
    for (int state = 0; state < states; state++) {
      share[state] /= sum;
    }
    return share;
  }
}
