package org.braid.hdfs.policy.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class CoverageTest {
  private static final int TOLERANCE = 3;

  /** Against a set of moments. */
  @Test
  void momentsWithinTheToleranceAreOneSpan() {
    Random random = Seeds.random(CoverageTest.class);
    for (int round = 0; round < 300; round++) {
      Coverage coverage = new Coverage(Duration.ofMillis(TOLERANCE));
      assertTrue(coverage.isEmpty());
      TreeSet<Integer> moments = new TreeSet<>();
      for (int i = 0; i < 1 + random.nextInt(20); i++) {
        int from = random.nextInt(100);
        int to = from + (random.nextBoolean() ? 0 : random.nextInt(10));
        coverage.add(new Coverage.Span(Instant.ofEpochMilli(from), Instant.ofEpochMilli(to)));
        for (int at = from; at <= to; at++) {
          moments.add(at);
        }
      }
      List<Coverage.Span> wanted = new ArrayList<>();
      int from = moments.first();
      int before = from;
      for (int at : moments) {
        if (at - before > TOLERANCE) {
          wanted.add(new Coverage.Span(Instant.ofEpochMilli(from), Instant.ofEpochMilli(before)));
          from = at;
        }
        before = at;
      }
      wanted.add(new Coverage.Span(Instant.ofEpochMilli(from), Instant.ofEpochMilli(before)));
      assertEquals(wanted, coverage.spans());
      assertEquals(wanted.get(wanted.size() - 1), coverage.copy().last());
      assertEquals(wanted.size() > 1, coverage.lastGap().isPresent());
    }
  }
}
