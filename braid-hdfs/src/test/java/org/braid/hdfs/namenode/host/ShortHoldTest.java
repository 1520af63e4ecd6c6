package org.braid.hdfs.namenode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ShortHoldTest {
  private final AtomicLong nanos = new AtomicLong();
  private final List<Integer> visited = new ArrayList<>();

  /** Returns how many things are visited in each hold. */
  private List<Integer> holds(int things, long nanosEach) throws Exception {
    List<Integer> holds = new ArrayList<>();
    Iterator<Integer> left = IntStream.range(0, things).iterator();
    while (left.hasNext()) {
      int before = visited.size();
      new ShortHold(nanos::get)
          .visit(
              left,
              thing -> {
                visited.add(thing);
                nanos.addAndGet(nanosEach);
              });
      holds.add(visited.size() - before);
    }
    return holds;
  }

  @Test
  void theLockIsGivenBackAfterTwoMilliseconds() throws Exception {
    assertEquals(List.of(5, 5, 2), holds(12, 500_000));
    assertEquals(IntStream.range(0, 12).boxed().toList(), visited);
  }

  @Test
  void whatTakesLongIsDoneOneByOne() throws Exception {
    assertEquals(List.of(1, 1, 1), holds(3, 10_000_000));
  }
}
