package org.braid.hdfs.namenode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoContiguous;
import org.apache.hadoop.hdfs.util.LightWeightLinkedSet;
import org.braid.hdfs.namenode.host.ResumedWalk.State;
import org.junit.jupiter.api.Test;

/** A queue of HDFS's that changes while it is gone through. */
final class QueuedBlocksTest {
  private final LightWeightLinkedSet<BlockInfo> queue = new LightWeightLinkedSet<>();
  private final List<Long> visited = new ArrayList<>();

  /** Half a millisecond a block, so that a hold of 2 ms visits five. */
  private final AtomicLong nanos = new AtomicLong();

  private final ResumedWalk<Object> walk =
      new ResumedWalk<>(new QueuedBlocks(queue), 1000, () -> nanos.getAndAdd(500_000));

  private static BlockInfo block(long id) {
    return new BlockInfoContiguous(new Block(id), (short) 1);
  }

  private void queue(long from, long to) {
    LongStream.range(from, to).forEach(id -> queue.add(block(id)));
  }

  private State step() {
    return walk.step(link -> visited.add(QueuedBlocks.block(link).getBlockId()));
  }

  private void stepToTheEnd() {
    State state = step();
    while (state == State.MORE) {
      assertTrue(visited.size() < 100, visited.toString());
      state = step();
    }
    assertEquals(State.DONE, state);
  }

  @Test
  void aHoldIsShortAndAnotherOneGoesOn() {
    queue(0, 12);
    assertEquals(State.MORE, step());
    assertEquals(List.of(0L, 1L, 2L, 3L, 4L), visited);
    queue(12, 14);
    stepToTheEnd();
    assertEquals(LongStream.range(0, 14).boxed().toList(), visited);
  }

  @Test
  void anEmptyQueueIsDone() {
    assertEquals(State.DONE, step());
    assertEquals(List.of(), visited);
  }

  @Test
  void aQueueThatIsFilledAnewIsGoneThroughFromItsBeginning() {
    queue(0, 20);
    step();
    queue.clear();
    queue(100, 107);
    stepToTheEnd();
    assertTrue(visited.containsAll(LongStream.range(100, 107).boxed().toList()), "" + visited);
  }

  /** As when the blocks in front are rebuilt, and one of them is lost again. */
  @Test
  void blocksThatWereTakenOutLeadNowhere() {
    queue(0, 20);
    step();
    for (long id : new long[] {0, 4, 3, 5, 6}) {
      assertTrue(queue.remove(block(id)));
    }
    queue(4, 5);
    queue(50, 51);
    stepToTheEnd();
    assertTrue(visited.containsAll(LongStream.range(7, 20).boxed().toList()), visited.toString());
    assertTrue(visited.containsAll(Set.of(4L, 50L)), visited.toString());
    assertEquals(20 + 1 + 1 - 2, visited.size(), "none but the lost one twice: " + visited);
  }

  @Test
  void whereAllThatWereVisitedAreGoneItBeginsAnew() {
    queue(0, 10);
    step();
    LongStream.range(0, 5).forEach(id -> assertTrue(queue.remove(block(id))));
    stepToTheEnd();
    assertEquals(LongStream.range(0, 10).boxed().toList(), visited);
  }
}
