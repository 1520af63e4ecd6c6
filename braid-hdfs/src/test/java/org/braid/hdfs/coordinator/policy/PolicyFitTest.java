package org.braid.hdfs.coordinator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.stripe.Datanode;
import org.braid.placement.EligibleNodes;
import org.junit.jupiter.api.Test;

final class PolicyFitTest {
  private static Policy converts(String code) {
    return Policy.of("big", true, Action.CONVERT, Map.of("path", "/logs", "code", code));
  }

  private static Datanode.Builder node(int number) {
    return Datanode.builder("n" + number)
        .host("h" + number)
        .ip("10.0.0." + number)
        .rack("/r" + number % 4);
  }

  private static List<Datanode> nodes(int count) {
    List<Datanode> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(node(i).build());
    }
    return nodes;
  }

  @Test
  void aCodeThatDoesNotFitIsToldWithNumbersUnlessThePolicyConvertsNothingAnyway() {
    EligibleNodes eight = PolicyFit.places(nodes(8));
    String problem = PolicyFit.problem(converts("rs-10-4"), eight).orElseThrow();
    assertTrue(
        problem.startsWith(
            "policy big converts nothing: rs-10-4 does not fit: rs-10-4 needs 14 nodes for the 14"
                + " blocks of a stripe, 8 are live"),
        problem);
    assertEquals(Optional.empty(), PolicyFit.problem(converts("rs-3-2"), eight));
    assertEquals(Optional.empty(), PolicyFit.problem(converts("rs-10-4").disable(), eight));
    Policy leaves = Policy.of("keep", true, Action.LEAVE, Map.of("path", "/logs"));
    assertEquals(Optional.empty(), PolicyFit.problem(leaves, eight));
    assertEquals(
        Optional.empty(), PolicyFit.problem(converts("rs-10-4"), PolicyFit.places(nodes(16))));
  }

  @Test
  void whereNoNodeIsInServiceNoRackIsATarget() {
    Policy few =
        Policy.of(
            "big",
            true,
            Action.CONVERT,
            Map.of("path", "/logs", "code", "rs-3-2", "target-racks", "3"));
    List<Datanode> leaving = List.of(node(0).inService(false).build());
    assertEquals(
        "policy big converts nothing: rs-3-2 does not fit: a stripe is to use 3 target racks, the"
            + " racks with nodes that may get blocks are 0: start nodes there, add racks or name"
            + " fewer target racks",
        PolicyFit.problem(few, PolicyFit.places(leaving)).orElseThrow());
  }

  /** As check and conversion count them. */
  @Test
  void nodesThatAreDeadOrTakenOutGetNoBlocks() {
    List<Datanode> nodes = new ArrayList<>(nodes(6));
    nodes.add(node(6).live(false).build());
    nodes.add(node(7).inService(false).build());
    assertEquals(6, PolicyFit.places(nodes).size());
  }
}
