package org.braid.hdfs.api.view;

import java.util.Comparator;
import java.util.List;

/**
 * One word for how safe converted files are, with its causes.
 *
 * @param word the worst of the causes; healthy without one
 * @param causes the worst first
 */
public record Health(Word word, List<Cause> causes) {
  /** The levels of health, from best to worst. */
  public enum Word {
    /** Every promise holds. */
    HEALTHY,
    /** Less than promised is there, or nobody would repair it; more can be lost. */
    DEGRADED,
    /** The next loss may cost data. */
    AT_RISK,
    /** Blocks can neither be read nor rebuilt now. */
    LOST
  }

  /**
   * What is wrong.
   *
   * @param what a sentence with numbers and what to do
   */
  public record Cause(Word word, String what) {}

  public Health {
    causes = List.copyOf(causes);
  }

  /** Creates the health from its causes. */
  public static Health of(List<Cause> causes) {
    List<Cause> sorted =
        causes.stream().sorted(Comparator.comparing(Cause::word).reversed()).toList();
    return new Health(sorted.isEmpty() ? Word.HEALTHY : sorted.get(0).word(), sorted);
  }
}
