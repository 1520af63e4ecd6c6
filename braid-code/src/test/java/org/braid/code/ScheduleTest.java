package org.braid.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ScheduleTest {
  /** Data 0-1 and 2-3, XOR parities 4 and 5. */
  private static final ErasureCode CODE = HandMade.twoXorGroups();

  private static final SubBlock SCRATCH = block(6);

  private static SubBlock block(int block) {
    return new SubBlock(block, 0);
  }

  private static Equation sum(SubBlock target, SubBlock... sources) {
    return new Equation(
        target, List.of(sources).stream().map(source -> new Term(source, 1)).toList());
  }

  private static Matrix rows(Equation... steps) {
    return new Schedule("test", List.of(steps)).rows(CODE);
  }

  @Test
  void laterStepsUseEarlierResultsAndScratch() {
    assertEquals(
        CODE.generator(),
        rows(
            sum(SCRATCH, block(0), block(1), block(2)),
            sum(block(4), SCRATCH, block(2)),
            sum(block(5), block(2), block(3))));
    // the data is known of a code that has no generator yet
    assertEquals(
        CODE.generator(),
        new Schedule(
                "test",
                List.of(sum(block(4), block(0), block(1)), sum(block(5), block(2), block(3))))
            .rows(6, 4, 1));
  }

  @Test
  void stepsThatCannotBeAreRefused() {
    Equation first = sum(block(4), block(0), block(1));
    Equation second = sum(block(5), block(2), block(3));
    refused(
        "test uses " + SCRATCH + " for " + block(4) + " before it is made",
        sum(block(4), SCRATCH),
        sum(SCRATCH, block(0)),
        second);
    refused("test makes " + block(4) + " twice", first, first, second);
    refused("test makes " + block(0) + " twice", sum(block(0), block(1)), first, second);
    refused(
        "test makes " + SCRATCH + " twice",
        sum(SCRATCH, block(0)),
        sum(SCRATCH, block(1)),
        first,
        second);
    refused("test does not make " + block(5), first);
  }

  private static void refused(String message, Equation... steps) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, () -> rows(steps)).getMessage());
  }
}
