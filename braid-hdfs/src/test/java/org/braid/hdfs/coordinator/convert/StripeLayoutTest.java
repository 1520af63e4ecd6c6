package org.braid.hdfs.coordinator.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.braid.code.Codes;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.convert.Grouper.DataBlock;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoragePolicy;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.junit.jupiter.api.Test;

/** Where the blocks of a stripe go when nodes are full, a block a rack. */
final class StripeLayoutTest {
  private static final String CODE = "rs-3-2";
  private static final int SEEDS = 50;
  private static final StoragePolicy COLD =
      new StoragePolicy("COLD", "ARCHIVE", List.of(), List.of());

  /** In each rack the first node has room on an archive, the second one's is full. */
  private final FakeCluster cluster = new FakeCluster(5, 2);

  StripeLayoutTest() {
    for (int rack = 0; rack < 5; rack++) {
      cluster.store("r" + rack + "n0", Map.of("DISK", 100L, "ARCHIVE", 100L));
      cluster.store("r" + rack + "n1", Map.of("DISK", 100L, "ARCHIVE", 9L));
    }
  }

  /** A block of 10 bytes with replicas on a type of storage. */
  private static BlockStatus block(int id, String type, String... nodes) {
    List<Replica> replicas = new ArrayList<>();
    for (String node : nodes) {
      replicas.add(new Replica(node, false, false, true, type));
    }
    return new BlockStatus(new BlockIdentity(id, 1, 10), replicas, 3, true, List.of());
  }

  private StripeLayout lay(long seed, BlockStatus... blocks) throws IOException {
    return lay(COLD, seed, blocks);
  }

  private StripeLayout lay(StoragePolicy policy, long seed, BlockStatus... blocks)
      throws IOException {
    return lay(policy, List.of(), seed, blocks);
  }

  private StripeLayout lay(
      StoragePolicy policy, List<String> avoided, long seed, BlockStatus... blocks)
      throws IOException {
    StoredFile file =
        FakeFile.at("/f", 7).length(30, 10).replication(3).blocks(blocks).storage(policy).build();
    List<DataBlock> data = new ArrayList<>();
    for (int i = 0; i < blocks.length; i++) {
      data.add(new DataBlock(file, i, blocks[i]));
    }
    ClusterState state = cluster.look();
    StripeRule rule = StripeRules.on(Codes.named(CODE), OptionalInt.empty(), state.eligible());
    ConvertRequest request =
        new ConvertRequest(
            List.of("/f"),
            CODE,
            OptionalInt.empty(),
            ConvertRequest.Method.DEFAULT,
            1,
            512,
            1,
            Progress.SILENT);
    StripeLayout.Layouter layouter =
        new StripeLayout.Layouter(rule, request, new ReadLoads(), new BadReplicas());
    layouter.avoid(avoided);
    return layouter.lay(new Group(data), state, new SplittableRandom(seed));
  }

  private static List<String> names(StripeLayout layout, int[] nodes) {
    return Arrays.stream(nodes).mapToObj(node -> layout.state().node(node).uuid()).toList();
  }

  private static Set<Character> racks(StripeLayout layout) {
    return names(layout, layout.places().nodes()).stream()
        .map(name -> name.charAt(1))
        .collect(Collectors.toSet());
  }

  @Test
  void blocksStayOnFullNodesAndParityGoesWhereRoomIs() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      StripeLayout layout =
          lay(
              seed,
              block(1, "ARCHIVE", "r0n1"),
              block(2, "ARCHIVE", "r1n1", "r0n1"),
              block(3, "ARCHIVE", "r2n1", "r3n1", "r4n1"));
      List<String> data = names(layout, layout.places().dataNodes());
      assertEquals(List.of(), layout.places().relocated());
      assertEquals(List.of("r0n1", "r1n1"), data.subList(0, 2));
      assertTrue(data.get(2).endsWith("n1"), data.toString());
      for (String parity : names(layout, layout.places().parityNodes())) {
        assertTrue(parity.endsWith("n0"), parity);
      }
      assertEquals(5, racks(layout).size());
    }
  }

  @Test
  void whatMovesGoesWhereRoomIs() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      StripeLayout layout =
          lay(
              seed,
              block(1, "ARCHIVE", "r0n1"),
              block(2, "ARCHIVE", "r0n1"),
              block(3, "ARCHIVE", "r2n1"));
      assertEquals(1, layout.places().relocated().size());
      int moved = layout.places().relocated().get(0);
      List<String> data = names(layout, layout.places().dataNodes());
      assertTrue(moved < 2 && data.get(moved).endsWith("n0"), data.toString());
      assertEquals("r0n1", data.get(1 - moved));
      assertEquals(5, racks(layout).size());
    }
  }

  /** Otherwise it could not be moved to the type within its node afterwards. */
  @Test
  void aBlockOnAnotherTypeStaysOnlyWhereRoomIsOnTheType() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      StripeLayout layout =
          lay(
              seed,
              block(1, "ARCHIVE", "r0n1"),
              block(2, "DISK", "r1n0", "r2n1"),
              block(3, "DISK", "r3n1", "r0n1"));
      List<String> data = names(layout, layout.places().dataNodes());
      assertEquals(List.of("r0n1", "r1n0"), data.subList(0, 2));
      assertTrue(data.get(2).endsWith("n0"), data.toString());
      assertEquals(List.of(2), layout.places().relocated());
    }
  }

  /** There is fast storage in four racks, for stripes of five blocks. */
  @Test
  void asManyBlocksAsFitAreOnTheTypeWhereAnotherStandsIn() throws IOException {
    StoragePolicy fast =
        new StoragePolicy("ONE_SSD", "SSD", List.of("SSD", "DISK"), List.of("SSD", "DISK"));
    for (int rack = 0; rack < 4; rack++) {
      cluster.store("r" + rack + "n0", Map.of("DISK", 100L, "SSD", 100L));
    }
    for (int seed = 0; seed < SEEDS; seed++) {
      StripeLayout layout =
          lay(
              fast,
              seed,
              block(1, "SSD", "r0n0"),
              block(2, "SSD", "r1n0"),
              block(3, "DISK", "r4n0", "r4n1"));
      assertEquals(List.of(), layout.places().relocated());
      assertEquals(
          Set.of("r2n0", "r3n0"), Set.copyOf(names(layout, layout.places().parityNodes())));
    }
  }

  @Test
  void parityWithoutRoomIsRefusedInNumbers() {
    for (int rack = 1; rack < 5; rack++) {
      cluster.store("r" + rack + "n0", Map.of("DISK", 100L));
    }
    RefusedException refused =
        assertThrows(
            RefusedException.class,
            () ->
                lay(
                    1,
                    block(1, "ARCHIVE", "r1n1"),
                    block(2, "ARCHIVE", "r2n1"),
                    block(3, "ARCHIVE", "r3n1")));
    String message = String.valueOf(refused.getMessage());
    assertTrue(
        message.endsWith(
            "; 4 of the 10 nodes that may get blocks have no ARCHIVE storage"
                + "; 5 of the 10 nodes that may get blocks have no room on ARCHIVE for one of 10"
                + " bytes"),
        message);
  }

  /** HDFS would take the new copy for the bad one, or for the one that goes. */
  @Test
  void aBlockDoesNotMoveToANodeWithABadReplicaOrOneThatGoes() throws IOException {
    List<Replica> replicas =
        List.of(
            new Replica("r0n0", false, false, true, "DISK"),
            new Replica("r1n0", false, true, true, "DISK"));
    BlockStatus moving =
        new BlockStatus(new BlockIdentity(2, 1, 10), replicas, 3, true, List.of("r2n0"));
    Set<String> homes = new TreeSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      StripeLayout layout =
          lay(StoragePolicy.HOT, seed, block(1, "DISK", "r0n0"), moving, block(3, "DISK", "r0n0"));
      if (layout.places().relocated().contains(1)) {
        homes.add(names(layout, layout.places().dataNodes()).get(1));
      }
    }
    assertTrue(homes.size() > 3, homes.toString());
    assertFalse(homes.contains("r1n0") || homes.contains("r2n0"), homes.toString());
  }

  @Test
  void aReplicaIsNotReadWhereSomethingFailedIfThereIsAnother() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      StripeLayout layout =
          lay(
              StoragePolicy.HOT,
              List.of("r0n0", "r2n0"),
              seed,
              block(1, "DISK", "r0n0", "r1n0"),
              block(2, "DISK", "r2n0"),
              block(3, "DISK", "r0n0", "r3n1"));
      List<String> sources = names(layout, layout.sources());
      assertEquals(List.of("r1n0", "r2n0", "r3n1"), sources);
    }
  }

  @Test
  void aBlockWithoutAReadableReplicaSaysWhatToDo() {
    cluster.silence("r0n0");
    IOException e =
        assertThrows(IOException.class, () -> lay(StoragePolicy.HOT, 1, block(1, "DISK", "r0n0")));
    assertEquals(
        "block 0 of /f (blk_1) has no readable replica of 1: bring their DataNodes back, then"
            + " convert again",
        e.getMessage());
  }
}
