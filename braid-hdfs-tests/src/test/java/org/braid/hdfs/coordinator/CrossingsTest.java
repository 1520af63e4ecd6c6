package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.coordinator.Crossing.Command;
import org.braid.hdfs.coordinator.Crossing.Operation;
import org.braid.hdfs.coordinator.FaultCases.Stop;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.hdfs.testing.LostLease;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What users and machines do at each step of each command: every byte reads back at every moment,
 * every block has two copies or a whole stripe, a second run finishes, and nothing is left over. A
 * sample runs by default, all with {@code -Dbraid.long=true}; {@code -Dbraid.crossings=REGEX}
 * chooses by name. In the end a table says how often each crossing was reached.
 */
final class CrossingsTest {
  private static final Random RANDOM = Seeds.random(CrossingsTest.class);
  private static final String CODE = "rs-3-2";

  /** What users ask for may wait for the work that is stopped. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  private static final Duration LONG = Duration.ofSeconds(60);

  /** Commands that find every block as safe as promised. */
  private static final Set<Command> STARTS_SAFE = EnumSet.of(Command.CONVERT, Command.RESTORE);

  private static final Map<Crossing, Integer> COUNTERS = new ConcurrentHashMap<>();
  private static @Nullable ClusterFixture shared;
  private static int nameNodes;
  private static int number;

  private @Nullable CrossedFiles crossed;

  @AfterAll
  static void stop() throws Exception {
    close();
    String table = Crossing.table(COUNTERS);
    System.out.println(table);
    Files.writeString(Files.createDirectories(Path.of("target")).resolve("crossings.txt"), table);
    List<Crossing> missed =
        COUNTERS.entrySet().stream().filter(e -> e.getValue() == 0).map(Map.Entry::getKey).toList();
    assertEquals(List.of(), missed, "crossings that were never reached");
  }

  private static void close() throws IOException {
    ClusterFixture fixture = shared;
    shared = null;
    if (fixture != null) {
      fixture.close();
    }
  }

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    ClusterFixture fixture = shared;
    if (fixture != null) {
      fixture.startAll();
      if (crossed != null) {
        crossed.deleteAll();
      }
      crossed = null;
    }
  }

  /** A cluster with as many NameNodes. */
  private static ClusterFixture fixture(int count) throws IOException {
    ClusterFixture fixture = shared;
    if (fixture == null || nameNodes != count) {
      close();
      // With a node lost for good, HDFS would wait in safe mode for its blocks, for ever.
      Map<String, String> properties = Map.of("dfs.namenode.safemode.threshold-pct", "0.5");
      fixture = new ClusterFixture(1, 6, 12, properties, count);
      shared = fixture;
      nameNodes = count;
    }
    return fixture;
  }

  private static List<Crossing> crossings() {
    List<Crossing> selected = Crossing.selected(RANDOM);
    selected.forEach(crossing -> COUNTERS.put(crossing, 0));
    return selected;
  }

  @Test
  void everyStepIsCrossed() {
    // Users' removals are no command's: SafeRemovalsTest and GuardBesideRemovalsTest hold them.
    Set<FaultStep> steps = EnumSet.complementOf(EnumSet.of(FaultStep.NAMENODE_REMOVE));
    for (Command command : Command.values()) {
      steps.removeAll(command.steps());
    }
    assertEquals(Set.of(), steps, "steps that no command takes");
  }

  /** Else crossings were never reached. */
  @ParameterizedTest
  @EnumSource
  void takesItsSteps(Command command) throws Exception {
    ClusterFixture fixture = fixture(Math.max(1, nameNodes));
    CrossedFiles files = files(fixture);
    prepare(command, fixture, files);
    Set<FaultStep> reached = EnumSet.noneOf(FaultStep.class);
    InjectedFaults.install(
        (step, detail) -> {
          synchronized (reached) {
            reached.add(step);
          }
        });
    run(command, fixture, files.root);
    InjectedFaults.clear();
    Set<FaultStep> missed = EnumSet.copyOf(command.steps());
    missed.removeAll(reached);
    assertEquals(Set.of(), missed, "steps that the command does not take");
  }

  @Timeout(120) // what has lost its lease does not wait as long as what holds it
  @ParameterizedTest(name = "{0}")
  @MethodSource("crossings")
  void nothingIsLost(Crossing crossing) throws Exception {
    Command command = crossing.command();
    Operation operation = crossing.operation();
    ClusterFixture fixture = fixture(operation == Operation.FAILOVER ? 2 : 1);
    CrossedFiles files = files(fixture);
    prepare(command, fixture, files);
    try (SafetyWatch watch = watch(crossing, fixture, files)) {
      cross(crossing, fixture, files);
    }
    files.deleteAll();
    fixture.repair("/", "chain");
    assertEquals(0, fixture.stripes().size(), "parity is left over");
  }

  private static void cross(Crossing crossing, ClusterFixture fixture, CrossedFiles files)
      throws Exception {
    Command command = crossing.command();
    Operation operation = crossing.operation();
    Disturbance disturbance = disturbance(crossing, fixture, files);
    InjectedFaults.install(disturbance);
    try {
      run(command, fixture, files.root);
    } catch (IOException | Stopper.Halt e) {
      if (!operation.stops() || !disturbance.fired()) {
        throw e;
      }
    } finally {
      InjectedFaults.clear();
      COUNTERS.merge(crossing, disturbance.fired() ? 1 : 0, Integer::sum);
    }
    assertTrue(disturbance.fired(), crossing.step() + " was never reached");
    disturbance.await();
    fixture.hdfs.awaitNodes();
    if (operation == Operation.APPEND_AND_DIE) {
      files.close();
    }
    if (operation == Operation.FAILOVER) {
      fixture.reportBlocks();
    }
    if (command == Command.REPAIR || operation == Operation.DATANODE_CRASH) {
      files.assertReadsDegraded();
    } else {
      files.assertReads();
    }
    // What a coordinator that watches does by itself.
    fixture.repair("/", "chain");
    files.assertSafe();
    files.awaitCopies();
    files.lift();
    finish(crossing, fixture, files);
    files.assertReads();
    files.assertSafe();
    fixture.startAll();
    files.assertReads();
    restore(fixture, files.root);
    files.assertReads();
    files.assertReplicated(operation == Operation.LOWER_REPLICATION ? 2 : 3);
  }

  private CrossedFiles files(ClusterFixture fixture) {
    crossed = new CrossedFiles(fixture, "/crossing" + number++, RANDOM);
    return crossed;
  }

  /** Brings files into the state that a command is for. */
  private static void prepare(Command command, ClusterFixture fixture, CrossedFiles files)
      throws Exception {
    files.write("d/f", 7 * ClusterFixture.BLOCK + 77);
    files.write("d/g", 2 * ClusterFixture.BLOCK);
    files.write("d/h", ClusterFixture.BLOCK / 2);
    files.write("d/onto", ClusterFixture.BLOCK + 5);
    if (command == Command.CONVERT) {
      return;
    }
    fixture.convertAll(CODE, files.root);
    switch (command) {
      case REPAIR -> loseNode(fixture, fixture.heaviestNode());
      case RELOCATE -> {
        StripeStatus stripe = Movers.stripeOf(fixture, files.root + "/d/f");
        List<Integer> homes = fixture.homes(stripe);
        BlockIdentity block = stripe.stripe().member(0).block();
        Movers.move(fixture, block, homes.get(0), homes.get(1));
      }
      case REENCODE -> files.thin();
      default -> {}
    }
  }

  /** A node loses what it has of stripes, as if its disk was exchanged. */
  private static void loseNode(ClusterFixture fixture, int index) throws IOException {
    DataNode node = fixture.hdfs.dataNode(index);
    List<BlockIdentity> lost =
        fixture.stripes().stream()
            .flatMap(status -> status.stripe().members().stream())
            .filter(member -> member.home().equals(fixture.hdfs.uuid(index)))
            .map(Member::block)
            .toList();
    node.getFSDataset()
        .invalidate(
            fixture.hdfs.nameNode().getNamesystem().getBlockPoolId(),
            lost.stream()
                .map(block -> new Block(block.id(), block.length(), block.generation()))
                .toArray(Block[]::new));
    for (BlockIdentity block : lost) {
      Await.until("the loss to be reported", () -> Movers.holders(fixture, block).isEmpty());
    }
  }

  private static void run(Command command, ClusterFixture fixture, String root) throws IOException {
    switch (command) {
      case CONVERT -> fixture.convert(CODE, root);
      case RESTORE -> restore(fixture, root);
      case REPAIR, RELOCATE, REENCODE -> fixture.repair("/", "chain");
    }
  }

  private static void restore(ClusterFixture fixture, String root) throws IOException {
    try (Cluster cluster = fixture.braid()) {
      cluster.restore(root, Progress.SILENT);
    }
  }

  /** Looks whether blocks are safe at every moment; none where machines or users harm them. */
  private static @Nullable SafetyWatch watch(
      Crossing crossing, ClusterFixture fixture, CrossedFiles files) {
    Operation operation = crossing.operation();
    return STARTS_SAFE.contains(crossing.command()) && !operation.thins() && !operation.stops()
        ? new SafetyWatch(fixture.hdfs.nameNode(), files.root)
        : null;
  }

  private static Disturbance disturbance(
      Crossing crossing, ClusterFixture fixture, CrossedFiles files) {
    FaultStep step = crossing.step();
    Operation operation = crossing.operation();
    Command rival = crossing.command() == Command.RESTORE ? Command.CONVERT : Command.RESTORE;
    return switch (operation) {
      case COORDINATOR_CRASH -> new Stopper(fixture.hdfs, step, Stop.COORDINATOR);
      case NAMENODE_RESTART -> new Stopper(fixture.hdfs, step, Stop.NAMENODE);
      case FAILOVER -> new Stopper(fixture.hdfs, step, Stop.FAILOVER);
      case DATANODE_CRASH ->
          step.name().startsWith("WORKER_")
              ? new Stopper(fixture.hdfs, step, Stop.WORKER)
              : new Meanwhile(step, LONG, () -> fixture.hdfs.stopNode(holder(fixture, files)));
      case DATANODE_RESTART ->
          new Meanwhile(
              step,
              LONG,
              () -> {
                int node = holder(fixture, files);
                fixture.hdfs.stopNode(node);
                fixture.start(node);
              });
      case SECOND_COMMAND ->
          new Meanwhile(step, Duration.ZERO, () -> run(rival, fixture, files.root));
      case LEASE_TAKEN ->
          new Meanwhile(
              step,
              LONG,
              () -> {
                LostLease.lose(fixture.hdfs);
                run(rival, fixture, files.root);
              });
      default ->
          new Meanwhile(
              step,
              SHORT,
              () -> {
                files.run(operation);
                if (STARTS_SAFE.contains(crossing.command()) && !operation.thins()) {
                  files.assertSafe();
                }
              });
    };
  }

  /** A node with a copy of the first block. */
  private static int holder(ClusterFixture fixture, CrossedFiles files) throws IOException {
    return fixture.files(files.root).get(0).blocks().stream()
        .flatMap(block -> block.replicas().stream())
        .filter(Replica::live)
        .mapToInt(replica -> fixture.hdfs.indexOf(replica.node()).orElseThrow())
        .findFirst()
        .orElseThrow();
  }

  /** The second run, which must finish. */
  private static void finish(Crossing crossing, ClusterFixture fixture, CrossedFiles files)
      throws IOException {
    switch (crossing.command()) {
      case CONVERT -> {
        Set<String> causes =
            crossing.operation() == Operation.SNAPSHOT_AND_DELETE
                ? Set.of("NO_GAIN", "IN_SNAPSHOT")
                : Set.of("NO_GAIN");
        ConvertReport second = fixture.convert(CODE, files.root);
        assertTrue(
            second.skipped().stream()
                .allMatch(
                    s -> causes.contains(s.cause()) || s.reason().contains("held by a snapshot")),
            second.skipped().toString());
      }
      case RESTORE -> {
        restore(fixture, files.root);
        files.assertReplicated(crossing.operation() == Operation.LOWER_REPLICATION ? 2 : 3);
      }
      case REPAIR, RELOCATE, REENCODE ->
          // What has to wait for copies that HDFS makes is done by a later look.
          Await.until(
              "repairs to leave nothing to be found",
              () -> {
                assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
                return findings(fixture);
              },
              String::isEmpty);
    }
    files.assertSafe();
    assertEquals("", findings(fixture));
  }

  private static String findings(ClusterFixture fixture) throws IOException {
    FsckReport report = fixture.fsck("/");
    StringBuilder text = new StringBuilder();
    for (FsckReport.FileState file : report.files()) {
      if (!file.findings().isEmpty()) {
        text.append(file.path()).append(": ").append(file.findings()).append("; ");
      }
    }
    report.orphans().forEach(orphan -> text.append("orphan ").append(orphan).append("; "));
    return text.toString();
  }
}
