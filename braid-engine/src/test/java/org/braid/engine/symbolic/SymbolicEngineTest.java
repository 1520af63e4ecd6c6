package org.braid.engine.symbolic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.SubBlock;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.junit.jupiter.api.Test;

final class SymbolicEngineTest {
  private static final ErasureCode CODE = Codes.named("xor-2-1");

  private static String violation(Plan plan) {
    return String.valueOf(
        assertThrows(PlanViolation.class, () -> SymbolicEngine.prove(plan, CODE)).getMessage());
  }

  @Test
  void aWrongCoefficientIsFound() {
    Plan.Builder plan = Plan.builder("wrong");
    int b = plan.read(1, new SubBlock(1, 0));
    int p = plan.send(plan.read(2, new SubBlock(2, 0)), 1);
    plan.store(
        plan.combine(1, List.of(new Step.Input(p, 1), new Step.Input(b, 3))), new SubBlock(0, 0));
    assertEquals(
        "wrong plan of xor-2-1: block 0, sub-block 0: expected row [1, 0], got [1, 2]",
        violation(plan.build()));
  }

  @Test
  void aWrongBlockIsFound() {
    Plan.Builder plan = Plan.builder("move");
    plan.store(plan.send(plan.read(0, new SubBlock(0, 0)), 5), new SubBlock(1, 0));
    assertEquals(
        "move plan of xor-2-1: block 1, sub-block 0: expected row [0, 1], got [1, 0]",
        violation(plan.build()));
  }

  @Test
  void aPlanMustStoreSomethingThatTheCodeHas() {
    Plan.Builder plan = Plan.builder("half");
    plan.read(0, new SubBlock(0, 0));
    assertEquals("half plan of xor-2-1: stores nothing", violation(plan.build()));
    Plan.Builder beyond = Plan.builder("beyond");
    beyond.read(0, new SubBlock(3, 0));
    assertEquals(
        "xor-2-1 has 3 blocks of 1 sub-blocks, no SubBlock[block=3, index=0]",
        violation(beyond.build()));
  }

  @Test
  void virtualBlocksDoNotCount() {
    ErasureCode code = Codes.named("rs-3-2");
    Plan.Builder plan = Plan.builder("short");
    plan.store(
        plan.combine(
            0,
            List.of(new Step.Input(plan.read(0, new SubBlock(0, 0)), code.generator().at(3, 0)))),
        new SubBlock(3, 0));
    Plan built = plan.build();
    SymbolicEngine.prove(built, code, Set.of(1, 2));
    assertThrows(PlanViolation.class, () -> SymbolicEngine.prove(built, code, Set.of(1)));
  }
}
