package org.braid.experiment.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NearTest {
  @Test
  void distanceCountsLetters() {
    assertEquals(0, Near.distance("abc", "abc"));
    assertEquals(1, Near.distance("abc", "ac"));
    assertEquals(2, Near.distance("fsat", "fast"));
    assertEquals(3, Near.distance("", "abc"));
    assertEquals(3, Near.distance("kitten", "sitting"));
  }

  @Test
  void hintsNameWhatIsAlikeNearestFirst() {
    List<String> known = List.of("ppr/fig7a", "ppr/fig8", "ear/exp1");
    assertEquals(
        "; did you mean \"ppr/fig7a\" or \"ppr/fig8\"? known: ppr/fig7a, ppr/fig8, ear/exp1",
        Near.hint("ppr/fig7", known));
    assertEquals("; known: ppr/fig7a, ppr/fig8, ear/exp1", Near.hint("zzz", known));
    assertEquals("; known: ", Near.hint("zzz", List.of()));
  }
}
