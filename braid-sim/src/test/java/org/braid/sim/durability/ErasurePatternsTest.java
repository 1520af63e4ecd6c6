package org.braid.sim.durability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.code.Promises.Combinations;
import org.braid.code.Solver;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ErasurePatternsTest {
  private static BitSet set(List<Integer> blocks) {
    BitSet set = new BitSet();
    blocks.forEach(set::set);
    return set;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rs-6-3", "rep-3", "lrc-12-2-2", "xorbas-10-6-5", "mxor-10-7", "clay-4-2-5"})
  void saysWhatTheSolverSays(String name) {
    var code = Codes.named(name);
    ErasurePatterns patterns = new ErasurePatterns(code);
    Random random = Seeds.random(ErasurePatternsTest.class);
    for (int trial = 0; trial < 300; trial++) {
      int size = 1 + random.nextInt(code.n());
      List<Integer> lost = new Combinations(code.n(), size).sample(random);
      for (int again = 0; again < 2; again++) {
        assertEquals(Solver.decodable(code, lost), patterns.survives(set(lost)), name + lost);
      }
    }
  }

  @Test
  void countsWhatIsLost() {
    ErasurePatterns lrc = new ErasurePatterns(Codes.named("lrc-12-2-2"));
    // Four blocks of a group and its parity: nothing of the group comes back, the other group does.
    assertEquals(5, lrc.lostData(set(List.of(0, 1, 2, 3, 4, 7, 12))));
    assertEquals(0, lrc.lostData(set(List.of(0, 1, 2))));
    assertEquals(3, new ErasurePatterns(Codes.named("rs-6-3")).lostData(set(List.of(0, 4, 5, 6))));
    assertFalse(lrc.isMds());
    assertTrue(new ErasurePatterns(Codes.named("hitchhiker-xor-6-3")).isMds());
  }

  @Test
  void stepsFollowTheCounts() {
    ErasurePatterns.Steps rs =
        new ErasurePatterns(Codes.named("rs-6-3")).steps(1000, Samples.random(1));
    assertEquals(List.of(0.0, 0.0, 0.0, 1.0), rs.fatal());
    assertEquals(4 * 6 / 9.0, rs.data().get(3), 1e-12);

    var code = Codes.named("lrc-6-2-2");
    ErasurePatterns.Steps lrc = new ErasurePatterns(code).steps(100_000, Samples.random(1));
    assertTrue(lrc.exact());
    long[] decodable = new long[6];
    for (int size = 3; size <= 5; size++) {
      long[] found = new long[1];
      new Combinations(10, size)
          .each(
              lost -> {
                found[0] += Solver.decodable(code, lost) ? 1 : 0;
                return true;
              });
      decodable[size] = found[0];
    }
    double four = decodable[4] / 210.0 / (decodable[3] / 120.0);
    assertTrue(four > 0.5 && four < 1);
    assertEquals(1 - four, lrc.fatal().get(3), 1e-12);
    assertEquals(1, lrc.fatal().get(4), 1e-12);
  }

  /** A code of columns promises no number of blocks, and survives any few of them all the same. */
  @Test
  void countsOnWhatIsProvenWhereNothingIsPromised() {
    ErasurePatterns patterns = new ErasurePatterns(Codes.named("rstair-n5-r4-m1-e2-l1"));
    assertTrue(patterns.promised() >= 5, "any " + patterns.promised());
    List<Double> fatal = patterns.steps(1000, Samples.random(1)).fatal();
    assertEquals(List.of(0.0, 0.0, 0.0, 0.0, 0.0), fatal.subList(0, 5));
    // A whole rack, two blocks of another and one of a third are seven, as are most sets of seven.
    assertTrue(fatal.get(6) < 0.5, fatal.toString());
  }

  /** The fatal patterns that come first in lexical order lose more data than others. */
  @Test
  void lostDataIsTheMeanOfAllFatalSteps() {
    ErasurePatterns patterns = new ErasurePatterns(Codes.named("lrc-8-2-2"));
    long[] sums = new long[2];
    new Combinations(12, 5)
        .each(
            lost -> {
              int ways = 0;
              for (int last : lost) {
                BitSet before = set(lost);
                before.clear(last);
                ways += patterns.survives(before) ? 1 : 0;
              }
              if (ways > 0) {
                sums[0] += ways;
                sums[1] += (long) ways * patterns.lostData(set(lost));
              }
              return true;
            });
    double mean = (double) sums[1] / sums[0];
    assertEquals(mean, patterns.steps(100_000, Samples.random(1)).data().get(4), 0.07 * mean);
  }
}
