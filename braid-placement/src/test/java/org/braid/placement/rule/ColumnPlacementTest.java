package org.braid.placement.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.flow.HungarianMethod;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.replication.EncoderChoice;
import org.braid.placement.replication.RandomReplication;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicatedStripe;
import org.braid.placement.replication.ReplicationPolicies;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class ColumnPlacementTest {
  private static final StripeLimits ANY = StripeLimits.perRack(1);

  @Test
  void columnsHaveTheirOwnRacksAndRowsTheirOwnNodes() {
    Random random = Seeds.random(getClass());
    for (String name :
        List.of("rstair-n5-r4-m1-e2-l1", "rstair-n6-r5-m1-e2.4-l1", "stair-n4-r3-m1-e1-l0")) {
      ErasureCode code = Codes.named(name);
      for (int round = 0; round < 30; round++) {
        Topology topology = Topology.of(6 + random.nextInt(4), 5 + random.nextInt(3));
        List<int[]> replicas = new ArrayList<>();
        for (int block = 0; block < code.k(); block++) {
          replicas.add(
              RandomReplication.place(
                  EligibleNodes.all(topology), -1, 3, ReplicaLayout.HDFS, random));
        }
        assertGrid(
            code,
            topology,
            StripeRules.of(code, ANY).layout(EligibleNodes.all(topology), replicas, random));
      }
    }
  }

  /** A NameNode asks for each draw of a new block: racks without replicas must cost nothing. */
  @Test
  void manyRacksTakeNoLonger() {
    Random random = Seeds.random(getClass());
    ErasureCode code = Codes.named("rstair-n6-r5-m1-e2.4-l1");
    EligibleNodes nodes = EligibleNodes.all(Topology.of(100, 50));
    List<int[]> replicas = new ArrayList<>();
    for (int block = 0; block < code.k(); block++) {
      replicas.add(RandomReplication.place(nodes, -1, 3, ReplicaLayout.HDFS, random));
    }
    StripeRule rule = StripeRules.of(code, ANY);
    assertTimeout(
        Duration.ofSeconds(15),
        () -> {
          for (int draw = 0; draw < 5000; draw++) {
            assertTrue(rule.keeps(nodes, replicas, 1));
          }
        });
  }

  private static void assertGrid(ErasureCode code, Topology topology, EncodedStripe layout) {
    int[] nodes = layout.nodes();
    assertEquals(code.n(), Arrays.stream(nodes).distinct().count());
    List<Integer> columns = code.racks().orElseThrow();
    Map<Integer, Integer> rackOf = new HashMap<>();
    for (int block = 0; block < nodes.length; block++) {
      int rack = topology.rackOf(nodes[block]);
      assertEquals(rack, rackOf.computeIfAbsent(columns.get(block), c -> rack));
    }
    assertEquals(rackOf.size(), rackOf.values().stream().distinct().count());
  }

  /** Random columns and racks, against every assignment. */
  @Test
  void assignmentIsTheBest() {
    Random random = Seeds.random(getClass());
    for (int round = 0; round < 2000; round++) {
      int rows = 1 + random.nextInt(5);
      int columns = rows + random.nextInt(3);
      int[][] gain = new int[rows][columns];
      for (int[] row : gain) {
        Arrays.setAll(row, c -> random.nextInt(6));
      }
      int[] best = HungarianMethod.best(gain);
      assertEquals(rows, Arrays.stream(best).distinct().count());
      assertEquals(search(gain, 0, 0), IntStream.range(0, rows).map(r -> gain[r][best[r]]).sum());
    }
  }

  private static int search(int[][] gain, int row, int used) {
    if (row == gain.length) {
      return 0;
    }
    int best = -1;
    for (int c = 0; c < gain[row].length; c++) {
      if ((used >> c & 1) == 0) {
        best = Math.max(best, gain[row][c] + search(gain, row + 1, used | 1 << c));
      }
    }
    return best;
  }

  @Test
  void encodingAwareReplicationNeedsNoRelocation() {
    Random random = Seeds.random(getClass());
    ErasureCode code = Codes.named("rstair-n5-r4-m1-e2-l1");
    for (Topology topology : List.of(Topology.of(5, 4), Topology.of(9, 6))) {
      BlockPlacer policy =
          ReplicationPolicies.EAR.placer(StripeRules.of(code, ANY), ReplicaLayout.HDFS);
      for (int round = 0; round < 20; round++) {
        ReplicatedStripe state = ReplicatedStripe.EMPTY;
        for (int block = 0; block < code.k(); block++) {
          state = state.plus(policy.place(state, EligibleNodes.all(topology), -1, 3, random));
        }
        int encoder = EncoderChoice.coreRack(EligibleNodes.all(topology), state.replicas(), random);
        assertEquals(0, EncoderChoice.crossRackDownloads(topology, encoder, state.replicas()));
        EncodedStripe layout =
            StripeRules.of(code, ANY).layout(EligibleNodes.all(topology), state.replicas(), random);
        assertEquals(List.of(), layout.relocated());
        assertGrid(code, topology, layout);
      }
    }
  }

  @Test
  void refusesTooFewRacksWithNumbers() {
    ErasureCode code = Codes.named("rstair-n5-r4-m1-e2-l1");
    List<int[]> nowhere = IntStream.range(0, code.k()).mapToObj(i -> new int[0]).toList();
    assertTrue(code.racks().isPresent());
    assertEquals(
        "rstair-n5-r4-m1-e2-l1 needs 5 racks of 4 nodes, one for each column of its grid, 4 racks"
            + " that it may use have so many: add racks, or nodes to the small ones, or choose a"
            + " code with a smaller grid",
        assertThrows(
                PlacementException.class,
                () ->
                    StripeRules.of(code, ANY)
                        .layout(
                            EligibleNodes.of(Topology.of(6, 4), node -> node > 1 && node != 4),
                            nowhere,
                            new Random(1)))
            .getMessage());
    assertEquals(
        "replicas of 7 data blocks for rs-6-3, needed are 1 to 6",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    StripeRules.of(Codes.named("rs-6-3"), ANY)
                        .layout(
                            EligibleNodes.all(Topology.of(6, 4)),
                            nowhere.subList(0, 7),
                            new Random(1)))
            .getMessage());
  }

  /** Blocks, and a whole rack, rebuilt: the stripe is a grid again. */
  @Test
  void rebuiltBlocksKeepTheGrid() {
    Random random = Seeds.random(getClass());
    ErasureCode code = Codes.named("rstair-n5-r4-m1-e2-l1");
    Topology topology = Topology.of(7, 6);
    List<int[]> nowhere = IntStream.range(0, code.k()).mapToObj(i -> new int[0]).toList();
    for (int round = 0; round < 100; round++) {
      EncodedStripe layout =
          StripeRules.of(code, ANY).layout(EligibleNodes.all(topology), nowhere, random);
      int[] nodes = layout.nodes();
      int dead = topology.rackOf(nodes[random.nextInt(nodes.length)]);
      int down = nodes[random.nextInt(nodes.length)];
      List<Integer> lost =
          IntStream.range(0, nodes.length)
              .filter(b -> nodes[b] == down || topology.rackOf(nodes[b]) == dead)
              .boxed()
              .toList();
      int[] rebuilt =
          StripeRules.of(code, ANY)
              .destinations(
                  EligibleNodes.of(topology, node -> node != down && topology.rackOf(node) != dead),
                  nodes,
                  lost,
                  random);
      for (int i = 0; i < rebuilt.length; i++) {
        assertTrue(rebuilt[i] != down && topology.rackOf(rebuilt[i]) != dead);
        nodes[lost.get(i)] = rebuilt[i];
      }
      int k = code.k();
      assertGrid(
          code,
          topology,
          new EncodedStripe(
              Arrays.copyOf(nodes, k), List.of(), Arrays.copyOfRange(nodes, k, nodes.length)));
    }
    EncodedStripe layout =
        StripeRules.of(code, ANY).layout(EligibleNodes.all(Topology.of(5, 4)), nowhere, random);
    int[] all = layout.nodes();
    List<Integer> column = ColumnPlacement.columns(code).get(0);
    int dead = Topology.of(5, 4).rackOf(all[column.get(0)]);
    assertEquals(
        "no rack left for a lost column of 4 blocks: none without a block of the stripe has so many"
            + " eligible nodes (16 in 4 racks): add a rack or nodes",
        assertThrows(
                PlacementException.class,
                () ->
                    StripeRules.of(code, ANY)
                        .destinations(
                            EligibleNodes.of(Topology.of(5, 4), n -> n / 4 != dead),
                            all,
                            column,
                            random))
            .getMessage());
  }
}
