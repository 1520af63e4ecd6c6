package org.braid.code.derive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.HandMade;
import org.braid.code.Matrix;
import org.braid.code.derive.RepairSearch.Effort;
import org.junit.jupiter.api.Test;

final class RepairCostTest {
  @Test
  void allSinglesAndPairsOfAShortCode() {
    ErasureCode code = HandMade.twoXorGroups();
    List<RepairCost> singles = RepairCost.singles(code, Effort.MANY);
    assertEquals(List.of(RepairAim.values()), singles.stream().map(RepairCost::aim).toList());
    for (RepairCost cost : singles) {
      assertEquals(2, cost.average());
      assertEquals(6, cost.repairs().size());
      assertTrue(cost.isExact() && !cost.isSampled());
      assertTrue(cost.repairs().stream().allMatch(r -> r.aim() == cost.aim()));
    }
    RepairCost pairs = RepairCost.under(RepairAim.BYTES, RepairCost.pairs(code, Effort.MANY));
    // Two of the same group of three are fatal.
    assertEquals(15, pairs.patterns());
    assertEquals(6, pairs.fatal());
    assertEquals(9, pairs.repairs().size());
    assertEquals(4, pairs.average());
    assertEquals(4, pairs.worst());
    assertFalse(pairs.isSampled());
  }

  @Test
  void manyPairsAreSampledAlikeBySeed() {
    ErasureCode code = Codes.named("rs-19-2");
    Effort effort = new Effort(1_000_000, 5);
    RepairCost pairs = RepairCost.under(RepairAim.BLOCKS, RepairCost.pairs(code, effort));
    assertTrue(pairs.isSampled());
    assertEquals(210, pairs.patterns());
    assertEquals(19, pairs.average());
    assertEquals(pairs, RepairCost.under(RepairAim.BLOCKS, RepairCost.pairs(code, effort)));
  }

  @Test
  void updatesCountParityThatChanges() {
    assertEquals(new UpdateCost(3, 3, 3), UpdateCost.of(Codes.named("rs-6-3")));
    assertEquals(new UpdateCost(1, 1, 1), UpdateCost.of(HandMade.twoXorGroups()));
    // Columns with 1, 0, 2, 1 entries; block 0 changes half of the parity block, block 1 all.
    ErasureCode uneven = HandMade.of(2, 2, new int[] {1, 0, 5, 0}, new int[] {0, 0, 7, 1});
    assertEquals(new UpdateCost(1, 2, 0.75), UpdateCost.of(uneven));
  }

  @Test
  void copiesOfParity() {
    ErasureCode copied = new ParityCopies(HandMade.twoXorGroups(), 2);
    assertEquals(8, copied.n());
    assertEquals(copied.generator().select(4, 5), copied.generator().select(6, 7));
    assertEquals(Matrix.identity(4), copied.generator().select(0, 1, 2, 3));
    assertEquals(1, Tolerance.of(copied).proven());
    // Each parity is its copy, data is as before.
    assertEquals(
        List.of(2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0),
        RepairCost.under(RepairAim.BYTES, RepairCost.singles(copied, Effort.MANY))
            .repairs()
            .stream()
            .map(Repair::traffic)
            .toList());
  }
}
