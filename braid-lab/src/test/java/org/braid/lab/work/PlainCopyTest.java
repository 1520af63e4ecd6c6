package org.braid.lab.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.testkit.lab.Answer;
import org.junit.jupiter.api.Test;

final class PlainCopyTest {
  private static Answer.Node node(int rack, int number) {
    return new Answer.Node("r" + rack + "n" + number, "/r" + rack);
  }

  private static List<Answer.Node> nodes() {
    List<Answer.Node> all = new ArrayList<>();
    for (int i = 0; i < 18; i++) {
      all.add(node(i / 3, i % 3));
    }
    return all;
  }

  private static Answer.Block block(int number, Answer.Node... nodes) {
    return new Answer.Block("/copied/" + number, 0, "blk_" + number, 0, 1, List.of(nodes));
  }

  @Test
  void nodesSendAndGetEvenly() throws Exception {
    List<Answer.Node> all = nodes();
    List<Answer.Block> blocks = new ArrayList<>();
    for (int i = 0; i < 36; i++) {
      blocks.add(block(i, all.get(i % 18), all.get((i + 3) % 18)));
    }
    Map<Answer.Node, Integer> sends = new HashMap<>();
    Map<Answer.Node, Integer> gets = new HashMap<>();
    for (PlainCopy.Way way : PlainCopy.pair(blocks, all)) {
      assertNotEquals(way.from().rack(), way.to().rack());
      assertTrue(way.block().nodes().contains(way.from()));
      assertFalse(way.block().nodes().contains(way.to()));
      sends.merge(way.from(), 1, Integer::sum);
      gets.merge(way.to(), 1, Integer::sum);
    }
    assertEquals(18, gets.size());
    assertTrue(gets.values().stream().allMatch(n -> n >= 1 && n <= 3), gets.toString());
    assertTrue(sends.values().stream().allMatch(n -> n <= 3), sends.toString());
  }

  @Test
  void theLostNodeTakesNoPart() throws Exception {
    List<Answer.Node> left = new ArrayList<>(nodes());
    Answer.Node lost = left.remove(0);
    List<Answer.Block> blocks = List.of(block(0, lost, node(1, 0)));
    assertEquals(node(1, 0), PlainCopy.pair(blocks, left).get(0).from());
    assertThrows(ExperimentException.class, () -> PlainCopy.pair(List.of(block(1, lost)), left));
  }

  /** HDFS would copy it beside the recovery that is measured. */
  @Test
  void whatHasAReplicaOnTheLostNodeIsNotCopied() throws Exception {
    Answer.Node lost = node(0, 0);
    Answer.Block touched = block(0, node(1, 1), lost);
    Answer.Block first = block(1, node(1, 0), node(2, 0));
    Answer.Block second = block(2, node(0, 1), node(3, 2));
    List<Answer.Block> all = List.of(touched, first, second);
    assertEquals(List.of(first), PlainCopy.apart(all, lost.host(), 1));
    assertEquals(List.of(first, second), PlainCopy.apart(all, lost.host(), 2));
    ExperimentException refused =
        assertThrows(ExperimentException.class, () -> PlainCopy.apart(all, lost.host(), 3));
    assertEquals("2 of 3 blocks have no replica on r0n0, 3 are to be copied", refused.getMessage());
  }
}
