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
import org.braid.hdfs.namenode.calls.RemovalEffect.Copies;
import org.braid.hdfs.namenode.calls.RemovalEffect.Part;
import org.braid.testing.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RemovalEffectTest {
  /**
   * Of blocks that stay, R can be read, L has no copy, S is silent; of those that go, G can be
   * read, g is silent; a is absent, and P and p are parity that can be read or is silent.
   */
  private static RemovalEffect effect(String code, String blocks) {
    return new RemovalEffect(
        Codes.named(code),
        blocks
            .chars()
            .mapToObj(
                letter ->
                    switch (letter) {
                      case 'R' -> new Part(Copies.READABLE, false, true);
                      case 'L' -> new Part(Copies.NONE, false, true);
                      case 'S' -> new Part(Copies.SILENT, false, true);
                      case 'G' -> new Part(Copies.READABLE, true, false);
                      case 'g' -> new Part(Copies.SILENT, true, false);
                      case 'P' -> new Part(Copies.READABLE, false, false);
                      case 'p' -> new Part(Copies.SILENT, false, false);
                      default -> Part.ABSENT;
                    })
            .toList());
  }

  private static Set<Integer> positions(@Nullable String text) {
    Set<Integer> positions = new HashSet<>();
    for (String position : text == null ? new String[0] : text.split(" ")) {
      positions.add(Integer.valueOf(position));
    }
    return positions;
  }

  @ParameterizedTest
  @CsvSource({
    // Two parities make up for one lost and one deleted block, but not for one and two.
    "rs-3-2, LGRPP, ",
    "rs-3-2, LGGPP, 0",
    "rs-3-2, LLGPP, 0 1",
    // Parity that is absent helps nobody.
    "rs-3-2, LGRaP, 0",
    // Lost for good, with what is removed or without.
    "rs-3-2, LGaaP, ",
    "rs-3-2, RGGPP, ",
    "rs-3-2, LRRPP, ",
    // What is silent may come back: it can be needed, and it can be what makes up for others.
    "rs-3-2, LgGPP, 0",
    "rs-3-2, LGapP, 0",
    "rs-3-2, LGRpp, 0",
    "rs-3-1, Lgga, ",
    "rs-3-1, LggP, 0",
    // It may never come back, either.
    "rs-3-2, LGRpP, 0",
    "rs-3-2, SGGPP, 0",
    // The local group of the lost block is enough.
    "lrc-4-2-2, LRGRPPPP, ",
  })
  void comparesWhatCanBeRebuilt(String code, String blocks, @Nullable String expected) {
    assertEquals(positions(expected), effect(code, blocks).lostWithout());
  }

  @ParameterizedTest
  @CsvSource({
    // With k of n blocks left, one of which is parity, there is nothing to spare.
    "rs-3-2, RGGPP, 0",
    "rs-3-2, RRGPP, ",
    "rs-3-2, RRGaP, 0 1",
    "rs-3-2, RRGpP, 0 1",
    // It had nothing else before.
    "rs-3-2, RGaaP, ",
    "rs-3-2, RRRPP, ",
    // A block with several copies needs no stripe.
    "rs-3-2, PGGPP, ",
    "lrc-4-2-2, RRGGPPPP, ",
  })
  void tellsWhoWouldHaveNothingButOneCopy(String code, String blocks, @Nullable String expected) {
    assertEquals(positions(expected), effect(code, blocks).bareWithout());
  }

  /** For any state: after a removal that waits for nobody, as much can be rebuilt as before. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "lrc-6-2-2", "mxor-6-5"})
  void removalsThatAreAllowedLoseNothing(String name) {
    Random random = Seeds.random(RemovalEffectTest.class);
    ErasureCode code = Codes.named(name);
    String all = "RLSGga";
    int waiting = 0;
    for (int round = 0; round < 2000; round++) {
      StringBuilder blocks = new StringBuilder();
      for (int i = 0; i < code.n(); i++) {
        String letters = i < code.k() ? all : "PPPpa";
        blocks.append(letters.charAt(random.nextInt(letters.length())));
      }
      RemovalEffect effect = effect(name, blocks.toString());
      Set<Integer> kept = new HashSet<>(effect.lostWithout());
      kept.addAll(effect.bareWithout());
      waiting += kept.isEmpty() ? 0 : 1;
      for (int at = 0; at < code.k(); at++) {
        if (effect.parts().get(at).relies() && !kept.contains(at)) {
          for (String read : List.of("RGP", "RGPSgp")) {
            String left = read.replace("G", "").replace("g", "");
            assertEquals(
                determined(code, at, blocks, read),
                determined(code, at, blocks, left),
                at + " of " + blocks);
          }
        }
      }
    }
    assertEquals(true, waiting > 100, waiting + " of 2000 removals have to wait");
  }

  private static boolean determined(ErasureCode code, int lost, CharSequence blocks, String read) {
    List<Integer> available = new ArrayList<>();
    for (int i = 0; i < blocks.length(); i++) {
      if (i != lost && read.indexOf(blocks.charAt(i)) >= 0) {
        available.add(i);
      }
    }
    return Solver.solve(code, List.of(lost), available).isPresent();
  }
}
