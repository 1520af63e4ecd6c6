package org.braid.sim.durability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.DoubleStream;
import org.braid.code.Codes;
import org.braid.sim.durability.RepairParameters.Order;
import org.braid.sim.failure.Lifetime;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class MarkovChainTest {
  private static final double YEAR = Durability.SECONDS_PER_YEAR;

  /** Birth and death: sums of positive terms only, and so a second opinion without cancellation. */
  private static double birthAndDeath(double[] up, double[] down) {
    double sum = 0;
    for (int i = 0; i < up.length; i++) {
      double term = 1 / up[i];
      sum += term;
      for (int j = i; j > 0; j--) {
        term *= down[j] / up[j - 1];
        sum += term;
      }
    }
    return sum;
  }

  /** The mean time from state 0 to absorption. */
  private static double meanSeconds(MarkovChain chain) {
    return 1 / DoubleStream.of(chain.flows()).sum();
  }

  private static double chain(String code, double mttf, RepairTimes repairs, Order order) {
    ErasurePatterns patterns = new ErasurePatterns(Codes.named(code));
    return 1
        / StripeMarkovChain.of(
                patterns.code().n(),
                Lifetime.exponential(mttf),
                repairs,
                order,
                patterns.steps(100_000, new Random(1)))
            .orElseThrow()
            .losses();
  }

  @Test
  void onAndOff() {
    // Fails at rate a, comes back at rate b, dies at rate c while it is down.
    MarkovChain chain = new MarkovChain(2).add(0, 1, 3).add(1, 0, 5).absorb(1, 2);
    assertEquals(1.0 / 3 + (1.0 / 2) * (1 + 5.0 / 3), meanSeconds(chain), 1e-12);
  }

  @Test
  void twoCopies() {
    double mttf = 4 * YEAR;
    double repair = 5 * 3600;
    double l = 1 / mttf;
    double m = 1 / repair;
    assertEquals(
        1,
        chain("rep-2", mttf, (j, f) -> new RepairTimes.Wait(0, 0, repair), Order.ONE_BY_ONE)
            / ((3 * l + m) / (2 * l * l)),
        1e-12);
  }

  @Test
  void threeCopiesRepairedAtOnceEachByItself() {
    double mttf = 4 * YEAR;
    double l = 1 / mttf;
    double m = 1 / (5 * 3600.0);
    double known = (11 * l * l + 7 * l * m + 2 * m * m) / (6 * l * l * l);
    RepairTimes each = (j, f) -> new RepairTimes.Wait(0, 0, 5 * 3600.0 / j);
    assertEquals(1, chain("rep-3", mttf, each, Order.ONE_BY_ONE) / known, 1e-12);
  }

  @Test
  void reedSolomonIsBirthAndDeath() {
    double mttf = 3 * YEAR;
    for (String code : new String[] {"rs-6-3", "rs-10-4", "rs-20-12"}) {
      int n = Codes.named(code).n();
      int m = Codes.named(code).m();
      double[] up = new double[m + 1];
      double[] down = new double[m + 1];
      for (int lost = 0; lost <= m; lost++) {
        up[lost] = (n - lost) / mttf;
        down[lost] = lost / 600.0;
      }
      double known = birthAndDeath(up, down);
      double found =
          chain(code, mttf, (j, f) -> new RepairTimes.Wait(0, 0, 600.0 / j), Order.ONE_BY_ONE);
      assertEquals(1, found / known, 1e-10, code);
    }
  }

  @Test
  void nothingCancelsWhereEliminationWould() {
    // 30 states whose repairs are 10^9 times as fast as failures: about 10^250 seconds.
    MarkovChain chain = new MarkovChain(30);
    double[] up = new double[30];
    double[] down = new double[30];
    for (int state = 0; state < 30; state++) {
      up[state] = 1e-9 * (30 - state);
      down[state] = 1;
      if (state > 0) {
        chain.add(state, state - 1, 1);
      }
      if (state < 29) {
        chain.add(state, state + 1, up[state]);
      } else {
        chain.absorb(state, up[state]);
      }
    }
    double known = birthAndDeath(up, down);
    assertTrue(known > 1e230, String.valueOf(known));
    assertEquals(1, meanSeconds(chain) / known, 1e-9);
  }

  @Test
  void randomChainsKeepTheEquationsOfMeanTimes() {
    Random random = Seeds.random(MarkovChainTest.class);
    for (int trial = 0; trial < 50; trial++) {
      double a = random.nextDouble() + 0.1;
      double b = random.nextDouble() + 0.1;
      double c = random.nextDouble() + 0.1;
      double d = random.nextDouble() + 0.1;
      double e = random.nextDouble() + 0.1;
      MarkovChain chain =
          new MarkovChain(3).add(0, 1, a).add(0, 2, b).add(1, 0, c).add(1, 2, d).add(2, 1, e);
      chain.absorb(2, d).absorb(1, b);
      // t0 = 1/(a+b) + (a t1 + b t2)/(a+b) and so on, solved by iteration.
      double t0 = 0;
      double t1 = 0;
      double t2 = 0;
      for (int i = 0; i < 20_000; i++) {
        t0 = (1 + a * t1 + b * t2) / (a + b);
        t1 = (1 + c * t0 + d * t2) / (b + c + d);
        t2 = (1 + e * t1) / (d + e);
      }
      assertEquals(t0, meanSeconds(chain), 1e-6 * t0);
    }
  }

  @Test
  void refusesNegativeRates() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> new MarkovChain(2).add(0, 1, -1));
    assertTrue(String.valueOf(e.getMessage()).contains("-1.0"), e.getMessage());
  }
}
