package org.braid.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;
import org.braid.plan.Step.Input;
import org.junit.jupiter.api.Test;

final class PlanTest {
  private static final SubBlock A = new SubBlock(0, 0);
  private static final SubBlock B = new SubBlock(1, 0);
  private static final SubBlock C = new SubBlock(2, 0);

  private static String refusal(Step... steps) {
    return TestRepairs.refusal(() -> Plan.of("bad", List.of(steps)));
  }

  private static void assertEnds(String end, String message) {
    assertTrue(message.endsWith("] " + end), message);
  }

  @Test
  void refusesWhatIsNotWellFormed() {
    Step read = new Step.Read(0, 5, A);
    Step store = new Step.Store(1, 5, B, 0);
    assertEnds("has the id of an earlier step", refusal(read, new Step.Read(0, 6, B)));
    assertEnds("has no node", refusal(new Step.Read(0, -1, A)));
    assertEnds(
        "uses value 7, which no earlier step makes", refusal(read, new Step.Send(1, 5, 6, 7)));
    assertEnds("uses value 0 at node 6, but it is at 5", refusal(read, new Step.Send(1, 6, 7, 0)));
    assertEnds("sends to its own node", refusal(read, new Step.Send(1, 5, 5, 0)));
    assertEnds(
        "uses value 0 at node 6, but it is at 5",
        refusal(read, new Step.Combine(1, 6, List.of(new Input(0, 1)))));
    assertEnds(
        "uses value 1, which no earlier step makes",
        refusal(read, store, new Step.Send(2, 5, 6, 1)));
    assertEnds(
        "stores what an earlier step stores", refusal(read, store, new Step.Store(2, 5, B, 0)));
  }

  @Test
  void refusesCombinationsThatAreNone() {
    Step read = new Step.Read(0, 5, A);
    String zero = refusal(read, new Step.Combine(1, 5, List.of(new Input(0, 0))));
    assertEquals(
        "Combine[id=1, node=5, inputs=[Input[value=0, coefficient=0]]]"
            + " has coefficient 0, not one of 1..255",
        zero);
    assertEnds(
        "names value 0 twice",
        refusal(read, new Step.Combine(1, 5, List.of(new Input(0, 1), new Input(0, 2)))));
  }

  @Test
  void fragmentsKeepThePlansOrder() {
    Plan.Builder plan = Plan.builder("test");
    int a = plan.read(3, A);
    int atFour = plan.send(a, 4);
    int b = plan.read(4, B);
    int sum = plan.combine(4, List.of(new Input(atFour, 1), new Input(b, 7)));
    plan.store(sum, C);
    Plan built = plan.build();
    assertEquals(
        List.of(
            new Fragment(3, List.of(new Operation.Read(a, A), new Operation.Send(a, atFour, 4))),
            new Fragment(
                4,
                List.of(
                    new Operation.Receive(atFour, 3),
                    new Operation.Read(b, B),
                    new Operation.Combine(List.of(sum), Matrix.of(1, 2, 1, 7), List.of(atFour, b)),
                    new Operation.Store(sum, C)))),
        built.fragments());
    assertEquals(built.fragments().get(1), built.fragment(4));
    String message =
        assertThrows(IllegalArgumentException.class, () -> built.fragment(9)).getMessage();
    assertEquals("node 9 has no part in the test plan; nodes: [3, 4]", message);
  }

  @Test
  void neighbouringCombinationsOverSharedInputsBecomeOne() {
    Plan.Builder plan = Plan.builder("test");
    int a = plan.read(1, A);
    int b = plan.read(1, B);
    int c = plan.read(1, C);
    int x = plan.combine(1, List.of(new Input(a, 2), new Input(b, 3)));
    int y = plan.combine(1, List.of(new Input(b, 4), new Input(c, 5)));
    plan.store(x, new SubBlock(3, 0));
    plan.store(y, new SubBlock(4, 0));
    assertEquals(
        new Operation.Combine(List.of(x, y), Matrix.of(2, 3, 2, 3, 0, 0, 4, 5), List.of(a, b, c)),
        plan.build().fragment(1).ops().get(3));
  }

  @Test
  void combinationsOfDifferentInputsStayApart() {
    Plan.Builder plan = Plan.builder("test");
    int a = plan.read(1, A);
    int b = plan.read(1, B);
    int x = plan.combine(1, List.of(new Input(a, 2)));
    int y = plan.combine(1, List.of(new Input(b, 3)));
    int z = plan.combine(1, List.of(new Input(x, 4), new Input(y, 5)));
    plan.store(z, C);
    assertEquals(
        List.of(
            new Operation.Combine(List.of(x), Matrix.of(1, 1, 2), List.of(a)),
            new Operation.Combine(List.of(y), Matrix.of(1, 1, 3), List.of(b)),
            new Operation.Combine(List.of(z), Matrix.of(1, 2, 4, 5), List.of(x, y))),
        plan.build().fragment(1).ops().subList(2, 5));
  }

  @Test
  void aLinkBetweenTwoGroupsJoinsThem() {
    // Two local parities share nothing, but a global one over all of their data brings them
    // together.
    Plan.Builder plan = Plan.builder("test");
    int a = plan.read(1, A);
    int b = plan.read(1, B);
    int x = plan.combine(1, List.of(new Input(a, 2)));
    int y = plan.combine(1, List.of(new Input(b, 3)));
    int z = plan.combine(1, List.of(new Input(a, 4), new Input(b, 5)));
    for (int i = 0; i < 3; i++) {
      plan.store(List.of(x, y, z).get(i), new SubBlock(2 + i, 0));
    }
    assertEquals(
        new Operation.Combine(List.of(x, y, z), Matrix.of(3, 2, 2, 0, 0, 3, 4, 5), List.of(a, b)),
        plan.build().fragment(1).ops().get(2));
  }

  @Test
  void aCombinationThatChangesNothingIsNoOperation() {
    Plan.Builder plan = Plan.builder("test");
    int a = plan.read(1, A);
    int same = plan.combine(1, List.of(new Input(a, 1)));
    int again = plan.combine(1, List.of(new Input(same, 1)));
    int atTwo = plan.send(again, 2);
    // a and its alias cancel out, but for 1 + 6 = 7 of them.
    int seven = plan.combine(1, List.of(new Input(a, 1), new Input(again, 6)));
    plan.store(seven, B);
    plan.store(atTwo, A);
    assertEquals(
        List.of(
            new Operation.Read(a, A),
            new Operation.Send(a, atTwo, 2),
            new Operation.Combine(List.of(seven), Matrix.of(1, 1, 7), List.of(a)),
            new Operation.Store(seven, B)),
        plan.build().fragment(1).ops());
  }

  @Test
  void readsASubBlockOnce() {
    Plan.Builder plan = Plan.builder("test");
    int a = plan.read(1, A);
    assertEquals(a, plan.read(1, A));
    plan.store(plan.send(a, 2), A);
    assertEquals(3, plan.build().steps().size());
  }
}
