package org.braid.testing;

import java.util.Random;

/**
 * Seeds of randomised tests: fresh at each run, printed with the command that replays them, and
 * fixed by {@code -Dbraid.seed=N}.
 */
public final class Seeds {
  /** System property that fixes the seed. */
  public static final String PROPERTY = "braid.seed";

  private Seeds() {}

  /**
   * Returns a generator for one test and prints the command that replays it.
   *
   * @param test the test class, whose module and name stand in the printed command
   */
  @SuppressWarnings("SystemOut") // the replay line belongs in the test's output
  public static Random random(Class<?> test) {
    Long fixed = Long.getLong(PROPERTY);
    long seed = fixed != null ? fixed : new Random().nextInt(Integer.MAX_VALUE);
    System.out.printf(
        "seed %d; replay: mvn -B verify -Dtest=%s -Dsurefire.failIfNoSpecifiedTests=false"
            + " -D%s=%d%n",
        seed, test.getSimpleName(), PROPERTY, seed);
    return new Random(seed);
  }
}
