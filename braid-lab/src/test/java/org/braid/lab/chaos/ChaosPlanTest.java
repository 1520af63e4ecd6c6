package org.braid.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.code.derive.Tolerance;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class ChaosPlanTest {
  private final Random random = Seeds.random(ChaosPlanTest.class);

  private static List<Round> rounds(long seed, int count) {
    ChaosPlan plan = new ChaosPlan(ChaosSettings.of(seed, Duration.ofMinutes(1)));
    List<Round> rounds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rounds.add(plan.next());
    }
    return rounds;
  }

  @Test
  void aSeedRepeatsItsPlanAndAnotherOneDoesNot() {
    long seed = random.nextLong();
    assertEquals(rounds(seed, 20), rounds(seed, 20));
    // What comes later does not change what came before.
    assertEquals(rounds(seed, 20).subList(0, 7), rounds(seed, 7));
    assertNotEquals(rounds(seed, 1), rounds(seed + 1, 1));
  }

  @Test
  void clientsHaveFilesOfTheirOwn() {
    for (Round round : rounds(random.nextLong(), 10)) {
      for (int lane = 0; lane < ChaosSettings.LANES; lane++) {
        String other = ChaosPlan.ROOT + "/c" + (1 - lane) + "/";
        assertTrue(round.clients().get(lane).stream().noneMatch(s -> s.toString().contains(other)));
      }
    }
  }

  /** What happens to the cluster is to happen to its users. */
  @Test
  void clientsAndCommandsGoOnWhileFaultsHappen() {
    for (Round round : rounds(random.nextLong(), 20)) {
      int seconds = round.faults().stream().mapToInt(Fault::seconds).sum();
      for (List<List<Round.Step>> lanes : List.of(round.clients(), round.braid())) {
        long millis = lanes.stream().flatMap(List::stream).mapToLong(Round.Step::afterMillis).sum();
        long none = lanes.stream().flatMap(List::stream).filter(s -> s.afterMillis() == 0).count();
        assertTrue(seconds == 0 ? millis == 0 : none > 0, round.toString());
        assertTrue(millis <= 1000L * lanes.size() * 4 * seconds, millis + " of " + seconds + " s");
      }
      long clients =
          round.clients().stream().flatMap(List::stream).mapToLong(Round.Step::afterMillis).sum();
      assertTrue(clients >= 1000L * seconds, clients + " ms of " + seconds + " s");
    }
  }

  @Test
  void theCodesSurviveWhatTheBudgetAllows() {
    ChaosSettings settings = ChaosSettings.of(1, Duration.ofMinutes(1));
    for (String name : settings.codes()) {
      assertTrue(Tolerance.counted(Codes.named(name)) >= settings.tolerance(), name);
    }
  }
}
