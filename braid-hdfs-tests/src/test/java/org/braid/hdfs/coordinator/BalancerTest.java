package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaCachingGetSpaceUsed;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.coordinator.HdfsMovers.Policy;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** HDFS's own Balancer and Mover beside stripes. */
@Timeout(180)
final class BalancerTest {
  private static final Random RANDOM = Seeds.random(BalancerTest.class);
  private static final int RACKS = 4;
  private static final int NODES = 12;
  private static final int STRIPES = 8;

  /** A block is less than the Balancer's threshold of a percent, so that it comes to rest. */
  private static final long SMALL = 128 * ClusterFixture.BLOCK;

  private static final long LARGE = 2048 * ClusterFixture.BLOCK;
  private static final String FILE = "/converted/f";
  private static final String PLAIN = "/replicated/f";

  /** What could not be decided about copies is looked at again after a minute at the latest. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(
          RACKS,
          NODES,
          Map.of(
              "dfs.datanode.data.dir",
              "[DISK]disk,[SSD]ssd",
              "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space",
              "0",
              "dfs.namenode.decommission.interval",
              "1",
              // What blocks take, not what the machine's disk holds.
              "fs.getspaceused.classname",
              ReplicaCachingGetSpaceUsed.class.getName()));

  @BeforeAll
  static void prepare() throws Exception {
    capacities(Set.of());
    convert(FILE);
  }

  private static void convert(String path) throws Exception {
    fixture.write(path, STRIPES * 3 * ClusterFixture.BLOCK - 1000, 3, RANDOM);
    fixture.convertAll("rs-3-2", path);
    fixture.assertConverted(path);
    assertSettled(path);
  }

  @BeforeEach
  void pinAll() throws Exception {
    capacities(Set.of());
    for (StripeStatus status : fixture.stripes()) {
      for (Member member : status.stripe().members()) {
        if (!member.isVirtual()) {
          Movers.pin(fixture, member.block(), fixture.hdfs.indexOf(member.home()).orElseThrow());
        }
      }
    }
  }

  /** Makes all DataNodes small but some, so that blocks are wanted there. */
  private static void capacities(Set<Integer> large) throws IOException {
    for (int i = 0; i < NODES; i++) {
      HdfsMovers.capacity(fixture.hdfs, i, StorageType.DISK, large.contains(i) ? LARGE : SMALL);
      HdfsMovers.capacity(fixture.hdfs, i, StorageType.SSD, 0);
    }
    awaitRoom(node -> large.contains(node) ? LARGE : SMALL);
  }

  /** The NameNode hears of capacities by heartbeats, and the Balancer from the NameNode. */
  private static void awaitRoom(IntToLongFunction bytes) throws IOException {
    Await.until(
        "all storage to be reported",
        () ->
            Arrays.stream(fixture.fs.getDataNodeStats())
                .allMatch(
                    node ->
                        node.getCapacity()
                            == bytes.applyAsLong(
                                fixture.hdfs.indexOf(node.getDatanodeUuid()).orElseThrow())));
  }

  /** How many blocks of stripes are at home on a node. */
  private static long homes(int node) throws IOException {
    return places().values().stream()
        .filter(place -> place.startsWith(fixture.hdfs.uuid(node) + " "))
        .count();
  }

  private static Set<Integer> nodes(IntPredicate which) {
    return IntStream.range(0, NODES).filter(which).boxed().collect(Collectors.toSet());
  }

  /** The nodes of each block of all stripes, and what its home is. */
  private static Map<Long, String> places() throws IOException {
    Map<Long, String> places = new TreeMap<>();
    for (StripeStatus status : fixture.stripes()) {
      for (int i = 0; i < status.members().size(); i++) {
        Member member = status.stripe().member(i);
        if (!member.isVirtual()) {
          places.put(member.block().id(), member.home() + " " + holders(status, i).toString());
        }
      }
    }
    return places;
  }

  private static List<String> holders(StripeStatus status, int member) {
    return status.member(member).status().replicas().stream()
        .map(replica -> replica.node())
        .toList();
  }

  /** What stripes break by where their blocks are: nodes with two blocks, racks with three. */
  private static Map<String, Set<String>> broken() throws IOException {
    Map<String, Set<String>> broken = new HashMap<>();
    for (StripeStatus status : fixture.stripes()) {
      Map<String, Integer> held = new HashMap<>();
      for (int i = 0; i < status.members().size(); i++) {
        if (!status.stripe().isVirtual(i)) {
          String node = holders(status, i).get(0);
          held.merge(
              fixture.hdfs.nodeName(fixture.hdfs.indexOf(node).orElseThrow()), 1, Integer::sum);
          held.merge("/" + fixture.rack(node), 1, Integer::sum);
        }
      }
      Set<String> names = new TreeSet<>();
      held.forEach(
          (name, count) -> {
            if (count > (name.startsWith("/") ? status.stripe().promise().perRack() : 1)) {
              names.add(name);
            }
          });
      if (!names.isEmpty()) {
        broken.put(status.stripe().id(), names);
      }
    }
    return broken;
  }

  private static boolean oneCopyEach() throws IOException {
    for (StripeStatus status : fixture.stripes()) {
      for (int i = 0; i < status.members().size(); i++) {
        boolean settled =
            holders(status, i).size() == 1 && status.member(i).status().going().size() == 0;
        if (!status.stripe().isVirtual(i) && !settled) {
          return false;
        }
      }
    }
    return true;
  }

  /** Asserts that each block has one copy, at home, by the rule, and that all can be read. */
  private static void assertSettled(String path) throws IOException {
    Await.until("surplus copies to go", PATIENCE, BalancerTest::oneCopyEach);
    assertEquals(Map.of(), broken());
    Await.until(
        "all blocks to be at home",
        BalancerTest::places,
        seen -> seen.values().stream().allMatch(place -> place.matches("(\\S+) \\[\\1\\]")));
    fixture.assertTolerant(path);
    fixture.assertClean(path);
    fixture.assertReads(path);
  }

  private static long blocksOn(String path, Set<Integer> nodes) throws IOException {
    Set<String> uuids = nodes.stream().map(fixture.hdfs::uuid).collect(Collectors.toSet());
    return fixture.files(path).stream()
        .flatMap(file -> file.blocks().stream())
        .flatMap(block -> block.replicas().stream())
        .filter(replica -> uuids.contains(replica.node()))
        .count();
  }

  private static void unpinAll() throws IOException {
    for (StripeStatus status : fixture.stripes()) {
      for (Member member : status.stripe().members()) {
        if (!member.isVirtual()) {
          int home = fixture.hdfs.indexOf(member.home()).orElseThrow();
          Movers.unpin(fixture, member.block(), home);
        }
      }
    }
  }

  /** Reads a file again and again beside other work. */
  private static final class Reader implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<Integer> reads;
    private volatile boolean over;

    Reader(String path) {
      reads =
          thread.submit(
              () -> {
                int done = 0;
                while (!over || done == 0) {
                  fixture.assertReads(path);
                  done++;
                }
                return done;
              });
    }

    @Override
    public void close() throws Exception {
      over = true;
      thread.shutdown();
      assertTrue(reads.get(60, TimeUnit.SECONDS) > 0);
    }
  }

  @Test
  void pinnedBlocksStayWhileReplicasAreBalanced() throws Exception {
    fixture.write(PLAIN, 16 * ClusterFixture.BLOCK, 3, RANDOM);
    Set<Integer> added = nodes(i -> i >= 8);
    Map<Long, String> before = places();
    long held = blocksOn(PLAIN, added);
    capacities(added);
    try (Reader reader = new Reader(FILE)) {
      HdfsMovers.balance(fixture.hdfs, Policy.HDFS);
    }
    assertTrue(blocksOn(PLAIN, added) > held, "the Balancer balanced nothing");
    assertEquals(before, places());
    assertSettled(FILE);
    fixture.assertReads(PLAIN);
    fixture.fs.delete(new Path(PLAIN), false);
  }

  /** Blocks that are in no stripe go where HDFS's Balancer wants them, to other racks, too. */
  @Test
  void onlyReplicasOfOrdinaryFilesGoToOtherRacks() throws Exception {
    Set<Integer> added = nodes(i -> i % RACKS == 2);
    fixture.write(PLAIN, 32 * ClusterFixture.BLOCK, 1, RANDOM);
    long held = blocksOn(PLAIN, added);
    capacities(added);
    HdfsMovers.balance(fixture.hdfs, Policy.BRAIDS);
    assertTrue(
        blocksOn(PLAIN, added) > held, "the Balancer moved no block that has a single replica");
    fixture.assertReads(PLAIN);
    fixture.fs.delete(new Path(PLAIN), false);
  }

  /** There is room at a node of each rack: blocks go there, but no two of a stripe. */
  @Test
  void unpinnedBlocksMoveWithinRacksByTheRule() throws Exception {
    Set<Integer> emptiest = new TreeSet<>();
    for (int rack = 0; rack < RACKS; rack++) {
      int least = rack;
      for (int node = rack; node < NODES; node += RACKS) {
        least = homes(node) < homes(least) ? node : least;
      }
      emptiest.add(least);
    }
    assertMovesByTheRule(Policy.BRAIDS, emptiest);
  }

  /**
   * There is room in a rack, and nobody told the Balancer of Braid's policy: the NameNode knows it.
   */
  @Test
  void unpinnedBlocksMoveToOtherRacksByTheRule() throws Exception {
    int emptiest = 0;
    long least = Long.MAX_VALUE;
    for (int rack = 0; rack < RACKS; rack++) {
      long held = 0;
      for (int node = rack; node < NODES; node += RACKS) {
        held += homes(node);
      }
      emptiest = held < least ? rack : emptiest;
      least = Math.min(held, least);
    }
    int rack = emptiest;
    assertMovesByTheRule(Policy.HDFS, nodes(node -> node % RACKS == rack));
  }

  private static void assertMovesByTheRule(Policy policy, Set<Integer> added) throws Exception {
    unpinAll();
    Map<Long, String> before = places();
    capacities(added);
    try (Reader reader = new Reader(FILE)) {
      HdfsMovers.balance(fixture.hdfs, policy);
    }
    assertSettled(FILE);
    assertFalse(before.equals(places()), "the Balancer moved no block of a stripe");
  }

  /** What no NameNode with Braid saw moving is found, named and brought back. */
  @Test
  void whatWasMovedWithoutBraidIsFoundAndMovedBack() throws Exception {
    unpinAll();
    capacities(nodes(i -> i % RACKS == 3));
    try (Reader reader = new Reader(FILE)) {
      HdfsMovers.withoutPlugin(fixture.hdfs, () -> HdfsMovers.balance(fixture.hdfs, Policy.HDFS));
      Await.until("surplus copies to go", BalancerTest::oneCopyEach);
      Map<String, Set<String>> broken = broken();
      assertFalse(broken.isEmpty(), "the Balancer broke no rule");
      List<FsckReport.BlockState> findings =
          fixture.fsck("/").files().stream().flatMap(file -> file.findings().stream()).toList();
      assertEquals(
          broken.keySet(),
          findings.stream().map(FsckReport.BlockState::stripe).collect(Collectors.toSet()));
      for (FsckReport.BlockState finding : findings) {
        assertEquals(State.DEGRADED, finding.state());
        assertNamed(broken.get(finding.stripe()), finding.why());
      }
      RepairReport report = fixture.repair("/", "chain");
      assertEquals(List.of(), report.unrepairable());
      assertTrue(report.repaired().size() >= broken.size(), report.repaired().toString());
    }
    assertSettled(FILE);
  }

  /** A block that is second on a node is not named as one too many in its rack, too. */
  private static void assertNamed(Set<String> broken, String why) {
    Set<String> nodes =
        broken.stream().filter(name -> !name.startsWith("/")).collect(Collectors.toSet());
    for (String name : nodes.isEmpty() ? broken : nodes) {
      assertTrue(why.contains(name + " holds"), name + " is not in: " + why);
    }
  }

  /** Some nodes get fast storage, and a directory is to be there. */
  @Test
  void theMoverKeepsTheRule() throws Exception {
    String directory = "/stored";
    String path = directory + "/f";
    convert(path);
    fixture.fs.setStoragePolicy(new Path(directory), "ALL_SSD");
    for (int node : nodes(i -> i >= 8)) {
      HdfsMovers.capacity(fixture.hdfs, node, StorageType.SSD, LARGE);
    }
    awaitRoom(node -> node >= 8 ? SMALL + LARGE : SMALL);
    Map<Long, String> before = places();
    try (Reader reader = new Reader(path)) {
      HdfsMovers.move(fixture.hdfs, Policy.HDFS, directory);
      long there = onSsd(path);
      assertEquals(blocksOn(path, nodes(i -> i >= 8)), there);
      assertEquals(before, places());
      unpinAll();
      HdfsMovers.move(fixture.hdfs, Policy.HDFS, directory);
      assertSettled(path);
      assertTrue(onSsd(path) > there, "the Mover moved no block of a stripe");
    }
    int node = fixture.heaviestNode();
    fixture.hdfs.stopNode(node);
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.startAll();
    assertSettled(path);
    fixture.fs.setStoragePolicy(new Path(directory), "HOT");
  }

  private static long onSsd(String path) throws IOException {
    return Arrays.stream(fixture.fs.getFileBlockLocations(new Path(path), 0, Long.MAX_VALUE))
        .filter(
            block -> Arrays.equals(block.getStorageTypes(), new StorageType[] {StorageType.SSD}))
        .count();
  }

  /** One is decommissioned, another one goes to maintenance. */
  @Test
  void nodesLeaveWhileTheBalancerRuns() throws Exception {
    unpinAll();
    int first = fixture.heaviestNode();
    int second = (first + 1) % NODES;
    capacities(nodes(i -> i != first && i != second && i >= 6));
    var nodes = fixture.hdfs.nameNode().getNamesystem().getBlockManager().getDatanodeManager();
    DatanodeAdminManager admin = nodes.getDatanodeAdminManager();
    DatanodeDescriptor decommissioned = nodes.getDatanode(fixture.hdfs.uuid(first));
    DatanodeDescriptor maintained = nodes.getDatanode(fixture.hdfs.uuid(second));
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Reader reader = new Reader(FILE)) {
      Future<Integer> balancer = thread.submit(() -> HdfsMovers.balance(fixture.hdfs, Policy.HDFS));
      underLock(
          () -> {
            admin.startDecommission(decommissioned);
            admin.startMaintenance(maintained, Long.MAX_VALUE);
          });
      assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
      balancer.get(60, TimeUnit.SECONDS);
      Await.until(
          "the nodes to leave",
          () -> decommissioned.isDecommissioned() && maintained.isInMaintenance());
      // Copies that HDFS makes by itself become homes as soon as the NameNode has looked at them.
      Await.until("blocks to be at home elsewhere", () -> homes(first) == 0 && homes(second) == 0);
      // A copy by HDFS and a move by the Balancer at the same time may need a last move.
      assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
      fixture.assertClean(FILE);
      assertEquals(0, fixture.repair("/", "chain").repaired().size());
    } finally {
      thread.shutdown();
      underLock(
          () -> {
            admin.stopDecommission(decommissioned);
            admin.stopMaintenance(maintained);
          });
    }
    assertSettled(FILE);
  }

  private static void underLock(Runnable change) {
    var namesystem = fixture.hdfs.nameNode().getNamesystem();
    namesystem.writeLock();
    try {
      change.run();
    } finally {
      namesystem.writeUnlock("test");
    }
  }
}
