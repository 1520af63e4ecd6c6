package org.braid.code.lrc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.braid.code.Promise;
import org.braid.code.lrc.CoefficientSearch.Map;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The frozen coefficients are what the search finds, and do what the codes promise. */
final class FoundCoefficientsTest {
  /**
   * Columns of group 0 from which, each with its images, the coefficients grow. With three global
   * parities the last one was found by trying all, those before it, and all with four, at random.
   */
  private record Origin(int l, int g, List<Step> steps) {}

  private record Step(List<Map> maps, int... column) {}

  private static List<Origin> origins() {
    return List.of(
        new Origin(
            2,
            3,
            List.of(
                new Step(Symmetry.twoOf(4), 0x04, 0xb9, 0xb6),
                new Step(Symmetry.twoOf(4), 0x71, 0x59, 0x9a),
                new Step(Symmetry.twoOf(2), 0xfd, 0xc7, 0x1a))),
        new Origin(3, 3, List.of(new Step(Symmetry.threeOfEight(), 0x20, 0x0c, 0x06))),
        new Origin(
            4,
            3,
            List.of(
                new Step(Symmetry.fourOfTwo(), 0x38, 0x67, 0xfc),
                new Step(Symmetry.fourOfTwo(), 0x12, 0x75, 0x70),
                new Step(Symmetry.fourOfOne(), 0xe0, 0x64, 0x42))),
        new Origin(
            2,
            4,
            List.of(
                new Step(Symmetry.twoOfWithFourCoefficients(4), 232, 174, 101, 192),
                new Step(Symmetry.twoOfWithFourCoefficients(1), 173, 90, 123, 97))));
  }

  @ParameterizedTest
  @MethodSource("origins")
  void theyGrowFromTheirFirstColumns(Origin origin) {
    CoefficientSearch search = new CoefficientSearch(origin.l(), origin.g());
    for (Step step : origin.steps()) {
      assertTrue(search.fits(step.maps(), step.column()), () -> Arrays.toString(step.column()));
      search.add(step.maps(), step.column());
    }
    List<String> grown = new ArrayList<>();
    for (int a = 0; a < origin.l(); a++) {
      StringBuilder hex = new StringBuilder();
      for (int[] column : search.group(a).subList(1, search.group(a).size())) {
        Arrays.stream(column).forEach(c -> hex.append(HexFormat.of().toHexDigits((byte) c)));
      }
      grown.add(hex.toString());
    }
    assertEquals(
        List.of(new FoundCoefficients.Found(origin.g(), grown)),
        FoundCoefficients.all().stream()
            .filter(f -> f.l() == origin.l() && f.g() == origin.g())
            .toList());
  }

  @Test
  void eachFindingHasItsOrigin() {
    assertEquals(origins().size(), FoundCoefficients.all().size());
  }

  @ParameterizedTest
  @MethodSource("origins")
  void longestCodesRecoverSampledPatterns(Origin origin) {
    Random random = Seeds.random(getClass());
    LocalReconstruction code = longest(origin);
    assertTrue(code.maximallyRecoverable());
    Promise promise = code.promises().get(0);
    for (int i = 0; i < 2000; i++) {
      List<Integer> lost = promise.sample(random);
      assertTrue(promise.holds(code, lost), () -> code.name() + " without " + lost);
    }
  }

  private static LocalReconstruction longest(Origin origin) {
    int s =
        FoundCoefficients.all().stream()
            .filter(f -> f.l() == origin.l() && f.g() == origin.g())
            .findAny()
            .orElseThrow()
            .longest();
    return new LocalReconstruction(new LrcSettings(s * origin.l(), origin.l(), origin.g()));
  }

  @Test
  void oneMoreBlockInAGroupAndTheyEnd() {
    for (Origin origin : origins()) {
      LrcSettings longest = longest(origin).settings();
      int k = longest.k() + longest.l();
      LrcSettings longer = new LrcSettings(k, longest.l(), longest.g());
      assertFalse(new LocalReconstruction(longer).maximallyRecoverable(), longer::toString);
    }
  }

  /** The random part of the search: a rare hit, but not so rare that a test could not wait. */
  @Test
  void columnsForThreeGroupsOfEightAreFoundAgain() {
    CoefficientSearch search = new CoefficientSearch(3, 3);
    Random random = new Random(1);
    assertTrue(
        random
            .ints(300_000, 0, CoefficientSearch.COLUMNS)
            .mapToObj(CoefficientSearch::column)
            .anyMatch(column -> search.fits(Symmetry.threeOfEight(), column)));
  }

  private static List<Origin> originsForThreeGlobalParities() {
    return origins().stream().filter(o -> o.g() == 3).toList();
  }

  /** Given the columns before it, the last one is the first that a search of all 2^24 finds. */
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  @ParameterizedTest
  @MethodSource("originsForThreeGlobalParities")
  void theLastColumnIsFoundAgain(Origin origin) {
    CoefficientSearch search = new CoefficientSearch(origin.l(), origin.g());
    List<Step> steps = origin.steps();
    Step last = steps.get(steps.size() - 1);
    steps.subList(0, steps.size() - 1).forEach(s -> search.add(s.maps(), s.column()));
    assertArrayEquals(last.column(), search.fitting(last.maps()).findFirst().orElseThrow());
  }
}
