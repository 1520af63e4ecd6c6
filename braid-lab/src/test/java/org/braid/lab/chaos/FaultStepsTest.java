package org.braid.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Faults beside an account of what they break. */
final class FaultStepsTest {
  private static final int STEPS = 100_000;
  private static final int RACKS = 4;
  private static final int IN_RACK = 3;

  private final Random random = Seeds.random(FaultStepsTest.class);

  private static List<String> racks() {
    List<String> names = new ArrayList<>();
    for (int rack = 0; rack < RACKS; rack++) {
      names.add("r" + rack);
    }
    return names;
  }

  private static List<String> nodes() {
    List<String> names = new ArrayList<>();
    for (String rack : racks()) {
      for (int node = 0; node < IN_RACK; node++) {
        names.add(rack + "n" + node);
      }
    }
    return names;
  }

  /** What is broken, and what a round has broken so far. */
  private static final class Account {
    private final Set<String> killed = new HashSet<>();
    private final Set<String> paused = new HashSet<>();
    private final Set<String> full = new HashSet<>();
    private final Set<String> cut = new HashSet<>();
    private final Set<String> leaving = new HashSet<>();
    private final Set<String> losses = new HashSet<>();

    void note(Fault fault) {
      if (fault instanceof Fault.KillNode kill) {
        assertTrue(killed.add(kill.node()));
        assertFalse(full.contains(kill.node()), "a DataNode is to start without room");
        losses.add(kill.node());
      } else if (fault instanceof Fault.PauseNode pause) {
        assertTrue(paused.add(pause.node()));
        losses.add(pause.node());
      } else if (fault instanceof Fault.FillDisk fill) {
        assertTrue(full.add(fill.node()));
        losses.add(fill.node());
      } else if (fault instanceof Fault.RefuseFiles refuse) {
        assertTrue(full.add(refuse.node()));
        losses.add(refuse.node());
      } else if (fault instanceof Fault.FreeDisk free) {
        assertTrue(full.remove(free.node()));
      } else if (fault instanceof Fault.CutLink link) {
        assertTrue(cut.add(link.node()));
        // A rack holds as many blocks of a stripe as the stripe may lose.
        losses.addAll(
            racks().contains(link.node()) ? List.of("a block", "b block") : List.of(link.node()));
      } else if (fault instanceof Fault.FlipByte || fault instanceof Fault.DeleteReplica) {
        losses.add("damage " + losses.size());
      } else if (fault instanceof Fault.Decommission node) {
        assertTrue(leaving.add(node.node()));
      } else if (fault instanceof Fault.StartNode start) {
        assertTrue(killed.remove(start.node()));
      } else if (fault instanceof Fault.ResumeNode resume) {
        assertTrue(paused.remove(resume.node()));
      } else if (fault instanceof Fault.JoinLink join) {
        assertTrue(cut.remove(join.node()));
      } else if (fault instanceof Fault.Recommission back) {
        assertTrue(leaving.remove(back.node()));
      } else if (fault instanceof Fault.KillNameNode) {
        assertTrue(none(), "a NameNode starts while nodes are away");
      }
    }

    boolean none() {
      return killed.isEmpty()
          && paused.isEmpty()
          && full.isEmpty()
          && cut.isEmpty()
          && leaving.isEmpty();
    }
  }

  private static long kinds(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).mapToLong(FaultStepsTest::kinds).sum()
        : 1;
  }

  @Test
  void noMoreIsBrokenThanIsSurvived() {
    for (int tolerance : new int[] {1, 2, 3}) {
      FaultSteps faults =
          new FaultSteps(nodes(), racks(), 2, tolerance, new SplittableRandom(random.nextLong()));
      Map<String, Integer> kinds = new TreeMap<>();
      int full = 0;
      int quiet = 0;
      for (int steps = 0; steps < STEPS; ) {
        Account account = new Account();
        List<Fault> round = faults.round();
        for (Fault fault : round) {
          account.note(fault);
          int allowed = account.losses.contains("a block") ? 2 : tolerance;
          assertTrue(account.losses.size() <= allowed, () -> round + " loses " + account.losses);
          assertTrue(account.leaving.size() <= 1, round::toString);
          kinds.merge(fault.kind(), 1, Integer::sum);
        }
        assertTrue(account.none(), () -> "a round ends with faults: " + round);
        full += account.losses.size() == tolerance ? 1 : 0;
        quiet += round.isEmpty() ? 1 : 0;
        steps += round.size() + 1;
      }
      assertEquals(kinds(Fault.class), kinds.size(), kinds.toString());
      assertTrue(full > 100, "the budget is rarely used");
      assertTrue(quiet > 100, "rounds without faults are rare");
    }
  }

  @Test
  void aBudgetCountsANodeOnceAndDamageWhereverItIs() {
    FaultBudget budget = new FaultBudget(2);
    assertTrue(budget.spendNode("a"));
    assertTrue(budget.spendNode("a"));
    assertTrue(budget.spendBlock());
    assertFalse(budget.spendNode("b"));
    assertFalse(budget.spendBlock());
    assertFalse(budget.spendRack());
    assertTrue(budget.spendNode("a"));
    budget.reset();
    assertTrue(budget.spendRack());
    assertFalse(budget.spendNode("a"));
    assertFalse(budget.spendBlock());
  }
}
