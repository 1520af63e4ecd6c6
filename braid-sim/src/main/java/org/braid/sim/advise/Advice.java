package org.braid.sim.advise;

import java.util.List;

/**
 * What is recommended, and why nothing else.
 *
 * @param nines that were asked for, or those of three replicas
 * @param ranked choices within limits that no other beats, best first
 * @param rejected all others, by code
 */
public record Advice(double nines, List<Ranked> ranked, List<Rejected> rejected) {
  public Advice {
    ranked = List.copyOf(ranked);
    rejected = List.copyOf(rejected);
  }

  /**
   * A choice that no other beats.
   *
   * @param score mean place among all of them over all figures, from 1 on
   */
  public record Ranked(Choice choice, double score) {}

  /**
   * A choice that is not recommended.
   *
   * @param code its name
   * @param placement empty when no placement could be made
   * @param shape of repairs, empty when there is no plan
   * @param reason with numbers
   * @param choices its figures, or nothing when it could not be had at all
   */
  public record Rejected(
      String code, String placement, String shape, String reason, List<Choice> choices) {
    public Rejected {
      choices = List.copyOf(choices);
    }
  }
}
