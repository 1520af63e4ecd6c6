package org.braid.hdfs.namenode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.braid.hdfs.namenode.host.ResumedWalk.State;
import org.junit.jupiter.api.Test;

final class ResumedWalkTest {
  private final List<String> list = new ArrayList<>();
  private final List<String> visited = new ArrayList<>();

  /** Half a millisecond an entry, so that a hold of 2 ms visits five. */
  private final AtomicLong nanos = new AtomicLong();

  /** Goes on behind the last visited entry that is still there. */
  private final class Listed implements ResumedWalk.Source<String> {
    @Override
    public Iterator<String> begin() {
      return list.iterator();
    }

    @Override
    public Optional<Iterator<String>> behind(Collection<String> last) {
      return last.stream()
          .filter(list::contains)
          .findFirst()
          .map(entry -> list.listIterator(list.indexOf(entry) + 1));
    }
  }

  private ResumedWalk<String> walk(int entries, int most) {
    IntStream.range(0, entries).forEach(i -> list.add("e" + i));
    return new ResumedWalk<>(new Listed(), most, () -> nanos.getAndAdd(500_000));
  }

  private Set<String> seen() {
    return new TreeSet<>(visited);
  }

  @Test
  void eachHoldIsShortAndGoesOnBehindTheLastOne() {
    ResumedWalk<String> walk = walk(12, 100);
    assertEquals(State.MORE, walk.step(visited::add));
    assertEquals(5, visited.size());
    assertEquals(State.MORE, walk.step(visited::add));
    assertEquals(10, visited.size());
    while (walk.step(visited::add) == State.MORE) {
      assertTrue(visited.size() <= 12);
    }
    assertEquals(list, visited);
  }

  @Test
  void anEmptyListIsDone() {
    assertEquals(State.DONE, walk(0, 1).step(visited::add));
  }

  @Test
  void moreEntriesThanAllowedAreGivenUp() {
    assertEquals(State.DONE, walk(3, 3).step(visited::add));
    list.clear();
    assertEquals(State.GIVEN_UP, walk(4, 3).step(visited::add));
  }

  @Test
  void nothingIsMissedWhenEntriesGoOrCome() {
    for (boolean goes : new boolean[] {true, false}) {
      list.clear();
      visited.clear();
      ResumedWalk<String> walk = walk(10, 100);
      walk.step(visited::add);
      if (goes) {
        list.remove(1);
      } else {
        list.add("new");
      }
      while (walk.step(visited::add) == State.MORE) {
        assertTrue(visited.size() < 30);
      }
      assertTrue(seen().containsAll(list), visited.toString());
    }
  }

  /** As when blocks are repaired while a long queue is passed through. */
  @Test
  void entriesThatAlwaysGoDoNotBeginItAnew() {
    ResumedWalk<String> walk = walk(200, 1000);
    List<String> all = List.copyOf(list);
    int added = 0;
    State state = walk.step(visited::add);
    while (state == State.MORE) {
      list.remove(0);
      list.add("again" + added++); // what could not be repaired is behind all others
      list.remove(visited.get(visited.size() - 1));
      state = walk.step(visited::add);
    }
    assertEquals(State.DONE, state);
    assertTrue(seen().containsAll(all));
    assertTrue(visited.size() <= 2 * all.size(), visited.toString());
  }

  @Test
  void theLastEntryMayGo() {
    ResumedWalk<String> walk = walk(6, 100);
    walk.step(visited::add);
    list.subList(2, 6).clear();
    assertEquals(State.DONE, walk.step(visited::add));
    assertEquals(Set.of("e0", "e1", "e2", "e3", "e4"), seen());
  }

  @Test
  void aListThatAlwaysChangesIsGivenUp() {
    ResumedWalk<String> walk = walk(40, 100);
    State state = State.MORE;
    for (int i = 0; i < 10 && state == State.MORE; i++) {
      state = walk.step(visited::add);
      List<String> others = list.stream().map(entry -> entry + "x").toList();
      list.clear();
      list.addAll(others);
    }
    assertEquals(State.GIVEN_UP, state);
  }
}
