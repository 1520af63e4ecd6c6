package org.braid.experiment.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SuggestionsTest {
  @Test
  void hintsNameWhatIsAlikeNearestFirst() {
    List<String> known = List.of("ppr/fig7a", "ppr/fig8", "ear/exp1");
    assertEquals(
        "; did you mean \"ppr/fig7a\" or \"ppr/fig8\"? known: ppr/fig7a, ppr/fig8, ear/exp1",
        Suggestions.hint("ppr/fig7", known));
    assertEquals("; known: ppr/fig7a, ppr/fig8, ear/exp1", Suggestions.hint("zzz", known));
    assertEquals("; known: ", Suggestions.hint("zzz", List.of()));
  }

  @Test
  void ofManyNamesTheHintSaysWhereTheyStand() {
    List<String> known = List.of("ppr/fig7a", "ear/exp1");
    assertEquals(
        "; did you mean \"ppr/fig7a\"? see the list",
        Suggestions.hint("ppr/fig7", known, "see the list"));
    assertEquals("; see the list", Suggestions.hint("zzz", known, "see the list"));
  }
}
