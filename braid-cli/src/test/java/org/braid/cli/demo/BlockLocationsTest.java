package org.braid.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.hdfs.api.view.PlacementView;
import org.braid.hdfs.api.view.PlacementView.Block;
import org.braid.hdfs.api.view.PlacementView.Node;
import org.junit.jupiter.api.Test;

final class BlockLocationsTest {
  private static final List<String> NAMES = List.of("a", "b", "c", "d");

  /** The view numbers nodes in another order than the cluster. */
  private static final List<Node> NODES =
      List.of(
          new Node("d", "/1", true),
          new Node("b", "/1", true),
          new Node("c", "/0", true),
          new Node("a", "/0", true));

  private static final List<Block> BLOCKS =
      List.of(
          new Block("f#0", 0, 0, false, 7, List.of(0)),
          new Block("f#1", 1, 0, false, 7, List.of(0, 1)),
          new Block("g#0", -1, -1, false, 7, List.of(2, 3)),
          new Block("parity 0", 0, 1, true, 7, List.of(1)),
          new Block("parity 0", 1, 1, true, 7, List.of(2)));

  private final BlockLocations locations =
      new BlockLocations(new PlacementView(NODES, BLOCKS), NAMES);

  private Set<String> lost(Set<Integer> down) {
    return locations.lost(n -> !down.contains(n)).stream()
        .map(b -> b.label() + "/" + b.stripe())
        .collect(Collectors.toSet());
  }

  @Test
  void aBlockIsLostWithItsLastHolder() {
    assertEquals(Set.of("f#0/0"), lost(Set.of(3)));
    assertEquals(Set.of("f#0/0", "f#1/1", "parity 0/0"), lost(Set.of(3, 1)));
    assertEquals(Set.of(), lost(Set.of(0)));
  }

  @Test
  void blocksAreBeyondRepairWhenNothingDeterminesThem() {
    ErasureCode copies = Codes.named("rep-2");
    assertEquals(
        Set.of("f#0", "parity 0"),
        locations.beyondRepair(copies, n -> n != 3 && n != 1).stream()
            .filter(b -> b.stripe() == 0)
            .map(Block::label)
            .collect(Collectors.toSet()));
    assertEquals(Set.of(), locations.beyondRepair(copies, n -> n != 3));
  }

  @Test
  void theSmallestFatalLossHurtsOneStripe() {
    FatalLoss loss = fatal("rep-2").orElseThrow();
    assertEquals(2, loss.nodes().size());
    assertEquals(1, loss.stripes());
    assertEquals(Set.of(0), loss.blocks().stream().map(Block::stripe).collect(Collectors.toSet()));
    assertEquals(Optional.empty(), fatal("rs-2-2"));
  }

  private Optional<FatalLoss> fatal(String name) {
    ErasureCode code = Codes.named(name);
    return FatalLoss.smallest(locations, code, Tolerance.of(code), n -> true);
  }

  @Test
  void theFullestNodeComesFirst() {
    assertEquals(List.of(1, 3, 2, 0), locations.heaviest(n -> true));
    assertEquals(List.of(3, 2, 0), locations.heaviest(n -> n != 1));
  }

  @Test
  void countsBlocksOfAStripe() {
    assertEquals(2, locations.mostInARack());
    assertEquals(1, locations.mostOnANode());
  }

  @Test
  void isSettledOnceEveryBlockHasOneCopy() {
    assertFalse(locations.settled(n -> true));
    List<Block> single = List.of(BLOCKS.get(0), BLOCKS.get(2), BLOCKS.get(3));
    assertTrue(new BlockLocations(new PlacementView(NODES, single), NAMES).settled(n -> true));
    assertFalse(new BlockLocations(new PlacementView(NODES, single), NAMES).settled(n -> n != 3));
  }
}
