package org.braid.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SeedsTest {
  private static final Random OF_CLASS = Seeds.random(SeedsTest.class);
  private static final long FIRST = OF_CLASS.nextLong();

  private final Random ofInstance = Seeds.random(Random.class);

  @AfterEach
  void end() {
    Seeds.end();
  }

  private List<Long> draw() {
    return Stream.of(
            OF_CLASS,
            ofInstance,
            Seeds.random(SeedsTest.class),
            Seeds.random(SeedsTest.class),
            Seeds.random(Random.class))
        .map(Random::nextLong)
        .toList();
  }

  @Test
  void theNumbersOfATestFollowFromItsName() {
    Seeds.begin("one");
    List<Long> one = draw();
    assertEquals(5, one.stream().distinct().count(), "generators differ");
    draw();
    Seeds.begin("other");
    List<Long> other = draw();
    for (int i = 0; i < one.size(); i++) {
      assertNotEquals(one.get(i), other.get(i));
    }
    Seeds.end();
    Seeds.begin("one");
    assertEquals(one, draw(), "whatever ran before");
  }

  @Test
  void betweenTestsTheNumbersFollowFromTheClass() {
    draw();
    Seeds.end();
    assertEquals(FIRST, OF_CLASS.nextLong());
    assertEquals(FIRST, Seeds.random(SeedsTest.class).nextLong());
  }

  @Test
  void jUnitTellsWhichTestRuns() {
    long asIs = OF_CLASS.nextLong();
    Seeds.end();
    assertNotEquals(FIRST, asIs);
  }

  @Test
  void aBuildDrawsAFreshSeedOnlyIfAsked() {
    assertEquals(Seeds.DEFAULT, Seeds.chosen(null, false));
    assertEquals(7, Seeds.chosen("7", true));
    assertNotEquals(Seeds.chosen("fresh", false), Seeds.chosen("fresh", false));
    assertNotEquals(Seeds.chosen(null, true), Seeds.chosen(null, true));
    assertThrows(IllegalArgumentException.class, () -> Seeds.chosen("seven", false));
  }

  @Test
  void theCommandThatReplaysATestNamesIt() {
    String replay = Seeds.replay(SeedsTest.class, "name");
    assertTrue(replay.startsWith("mvn -B verify -pl braid-testing -am -Dbraid.seed="), replay);
    assertTrue(replay.endsWith(" -Dtest=SeedsTest#name"), replay);
  }

  @Test
  void theCommandNamesTheHadoopOfATest() {
    assertEquals(
        " -pl braid-hadoop/3.4.3 -am -Dbraid.hadoop=3.4.3",
        Seeds.module(Path.of("/src/braid-hadoop/3.4.3")));
  }
}
