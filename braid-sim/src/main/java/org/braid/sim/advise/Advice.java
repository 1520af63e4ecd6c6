package org.braid.sim.advise;

import java.util.List;
import java.util.Optional;

/**
 * The ranked candidates and the reasons why all others are rejected.
 *
 * @param nines the least nines: as requested, or those of three replicas
 * @param ranked candidates that meet the requirements and that no other dominates, best first
 * @param rejected all others, by code
 */
public record Advice(double nines, List<Ranked> ranked, List<Rejected> rejected) {
  public Advice {
    ranked = List.copyOf(ranked);
    rejected = List.copyOf(rejected);
  }

  /**
   * A candidate that no other dominates.
   *
   * @param score its mean rank among all of these over all criteria, from 1 on
   */
  public record Ranked(Candidate candidate, double score) {}

  /**
   * A code, placement and shape that is not recommended.
   *
   * @param code name of the code
   * @param placement empty when the cluster allows none
   * @param shape of repairs; empty when none was planned
   * @param cause why it is rejected
   * @param reason the cause in words, with numbers
   * @param candidate the measured candidate; empty when it could not be measured
   */
  public record Rejected(
      String code,
      String placement,
      String shape,
      Cause cause,
      String reason,
      Optional<Candidate> candidate) {}

  /** Why a candidate is rejected. */
  public enum Cause {
    /** It cannot be measured on the cluster. */
    IMPOSSIBLE,
    /** It does not meet a requirement. */
    REQUIREMENT,
    /** It meets all requirements, but another candidate is better or equal. */
    DOMINATED
  }
}
