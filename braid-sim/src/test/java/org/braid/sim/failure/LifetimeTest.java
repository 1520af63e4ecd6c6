package org.braid.sim.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.random.RandomGenerator;
import org.braid.sim.time.RandomStreams;
import org.junit.jupiter.api.Test;

final class LifetimeTest {
  @Test
  void livesHaveTheirMeanAndAgesHalfOfIt() {
    RandomGenerator random = new RandomStreams(1).of("lives");
    for (double shape : new double[] {0.6, 1.5, 4}) {
      Lifetime life = new Lifetime(100, shape);
      double sum = 0;
      double squares = 0;
      double ages = 0;
      int draws = 200_000;
      for (int i = 0; i < draws; i++) {
        double x = life.draw(random);
        sum += x;
        squares += x * x;
        ages += life.age(random);
      }
      assertEquals(100, sum / draws, 1.5, "shape " + shape);
      // The mean age of what lives now is E(x^2) / 2 E(x).
      assertEquals(1, ages / draws / (squares / sum / 2), 0.03, "shape " + shape);
      assertEquals(
          life.hazard(10, 11), life.rateAt(10.5), 0.01 * life.rateAt(10.5), "shape " + shape);
    }
  }

  @Test
  void refusesWhatIsNoLife() {
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> new Lifetime(-4, 1))
            .getMessage()
            .contains("-4.0"));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> new Lifetime(4, 0))
            .getMessage()
            .contains("0.2 to 20"));
  }
}
