package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.hdfs.namenode.calls.Needed.State;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NeededTest {
  /** R readable, L lost, G going, a absent. */
  private static Set<Integer> lost(String code, String blocks) {
    List<State> states =
        blocks
            .chars()
            .mapToObj(
                letter ->
                    switch (letter) {
                      case 'R' -> State.READABLE;
                      case 'L' -> State.LOST;
                      case 'G' -> State.GOING;
                      default -> State.ABSENT;
                    })
            .toList();
    return new Needed(Codes.named(code), states).lostWithout();
  }

  @ParameterizedTest
  @CsvSource({
    // Two parities make up for one lost and one deleted block, but not for one and two.
    "rs-3-2, LGRRR, ",
    "rs-3-2, LGGRR, 0",
    "rs-3-2, LLGRR, 0 1",
    // Parity that is absent helps nobody.
    "rs-3-2, LGRaR, 0",
    // Lost for good, with what is removed or without.
    "rs-3-2, LGaaR, ",
    "rs-3-2, RGGRR, ",
    "rs-3-2, LRRRR, ",
    // The local group of the lost block is enough.
    "lrc-4-2-2, LRGRRRRR, ",
  })
  void comparesWhatCanBeRebuilt(String code, String blocks, String expected) {
    Set<Integer> positions = new HashSet<>();
    if (expected != null) {
      for (String position : expected.split(" ")) {
        positions.add(Integer.valueOf(position));
      }
    }
    assertEquals(positions, lost(code, blocks));
  }

  /** For any state: after a removal that waits for nobody, as much can be rebuilt as before. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "lrc-6-2-2", "mxor-6-5"})
  void removalsThatAreAllowedLoseNothing(String name) {
    Random random = Seeds.random(NeededTest.class);
    ErasureCode code = Codes.named(name);
    List<State> all = List.of(State.values());
    int waiting = 0;
    for (int round = 0; round < 2000; round++) {
      List<State> states = new ArrayList<>();
      for (int i = 0; i < code.n(); i++) {
        states.add(
            i < code.k()
                ? all.get(random.nextInt(all.size()))
                : random.nextInt(4) == 0 ? State.ABSENT : State.READABLE);
      }
      Set<Integer> needing = new Needed(code, states).lostWithout();
      waiting += needing.isEmpty() ? 0 : 1;
      for (int lost = 0; lost < code.n(); lost++) {
        if (states.get(lost) == State.LOST && !needing.contains(lost)) {
          assertEquals(
              determined(code, lost, states, Set.of(State.READABLE, State.GOING)),
              determined(code, lost, states, Set.of(State.READABLE)),
              lost + " of " + states);
        }
      }
    }
    assertEquals(true, waiting > 100, waiting + " of 2000 removals have to wait");
  }

  private static boolean determined(
      ErasureCode code, int lost, List<State> states, Set<State> read) {
    List<Integer> available = new ArrayList<>();
    for (int i = 0; i < states.size(); i++) {
      if (read.contains(states.get(i))) {
        available.add(i);
      }
    }
    return Solver.solve(code, List.of(lost), available).isPresent();
  }

  @Test
  void aStripeThatStaysWholeNeedsNothing() {
    assertEquals(Set.of(), lost("rs-3-2", "RRRRR"));
  }
}
