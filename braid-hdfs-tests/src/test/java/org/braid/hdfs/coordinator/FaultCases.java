package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.braid.code.derive.ParityCopies;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.testing.InjectedFaults;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Stops a work of the lifecycle at every named step (or at those that match {@code
 * -Dbraid.fault.cases}), in every way a process can stop there, and asserts that every file reads
 * back identical, tolerance is never less than the weaker of before and after, a second run
 * finishes, and nothing is left over; with {@code -Dbraid.long=true} at all steps with copies of
 * parity, too. Each work is a test of its own, so that they run side by side.
 */
abstract class FaultCases {
  /** In which way a step is stopped. */
  enum Stop {
    /** The step throws. */
    EXCEPTION,
    /** The coordinator halts: nothing of it runs any more, not even its cleaning up. */
    COORDINATOR,
    /** The DataNode at work halts, and comes back later. */
    WORKER,
    /** The NameNode halts and starts again. */
    NAMENODE,
    /** The active one of two NameNodes halts, the other takes over. */
    FAILOVER
  }

  /** What is stopped. */
  enum Work {
    CONVERT,
    REPAIR,
    RESTORE
  }

  /**
   * How files are stored: by a code of one sub-block a block or of several, parity once or twice.
   */
  enum Stored {
    PLAIN("rs-3-2", 1),
    CUT("rotated-rs-3-2-4", 1),
    COPIED("rs-3-2", 2),
    COPIED_AND_CUT("rotated-rs-3-2-4", 2);

    private final String code;
    private final int copies;

    Stored(String code, int copies) {
      this.code = code;
      this.copies = copies;
    }

    ConvertReport convert(ClusterFixture fixture, String path) throws IOException {
      return fixture.convert(code, Optional.empty(), copies, path);
    }

    @Override
    public String toString() {
      return ParityCopies.name(code, copies);
    }
  }

  private static int number;
  private static @Nullable ClusterFixture shared;

  private final Random random;
  private final int nameNodes;
  private final Map<String, String> properties;

  /** Cases whose files are drawn at random, with one NameNode. */
  FaultCases(Random random) {
    this(random, 1);
  }

  FaultCases(Random random, int nameNodes) {
    this(random, nameNodes, Map.of());
  }

  /** The same with further properties of all daemons. */
  FaultCases(Random random, int nameNodes, Map<String, String> properties) {
    this.random = random;
    this.nameNodes = nameNodes;
    this.properties = properties;
  }

  private ClusterFixture fixture() throws IOException {
    ClusterFixture fixture = shared;
    if (fixture == null) {
      Map<String, String> all = new HashMap<>(properties);
      // With a node lost for good, HDFS would wait in safe mode for its blocks, for ever.
      all.put("dfs.namenode.safemode.threshold-pct", "0.5");
      fixture = new ClusterFixture(1, 5, 10, all, nameNodes);
      shared = fixture;
    }
    return fixture;
  }

  @BeforeAll
  static void quiet() {
    InjectedFaults.clear();
  }

  @AfterAll
  static void stop() throws Exception {
    ClusterFixture fixture = shared;
    if (fixture != null) {
      fixture.close();
    }
    shared = null;
  }

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    fixture().startAll();
    fixture().deleteAll();
  }

  private static Set<FaultStep> steps(String prefix) {
    Set<FaultStep> steps = EnumSet.noneOf(FaultStep.class);
    for (FaultStep step : FaultStep.values()) {
      if (step.name().startsWith(prefix)) {
        steps.add(step);
      }
    }
    return steps;
  }

  /**
   * Conversions stopped at their own steps, and at those of workers and NameNode that they need.
   */
  static List<Arguments> conversions() {
    List<Arguments> cases = new ArrayList<>();
    add(cases, Work.CONVERT, steps("CONVERT_"), Stop.EXCEPTION, Stop.COORDINATOR, Stop.NAMENODE);
    add(cases, Work.CONVERT, steps("WORKER_"), Stop.EXCEPTION, Stop.WORKER);
    add(cases, Work.CONVERT, steps("NAMENODE_TRIM"), Stop.EXCEPTION, Stop.NAMENODE);
    add(cases, Work.CONVERT, steps("NAMENODE_PUT"), Stop.EXCEPTION, Stop.NAMENODE);
    add(cases, Work.CONVERT, steps("NAMENODE_PERSIST"), Stop.EXCEPTION, Stop.NAMENODE);
    // Sub-blocks change what workers do with a block, and what is verified afterwards.
    add(cases, Stored.CUT, Work.CONVERT, FaultStep.WORKER_STORE, Stop.WORKER);
    add(cases, Stored.CUT, Work.CONVERT, FaultStep.WORKER_FINISH, Stop.EXCEPTION);
    add(cases, Stored.CUT, Work.CONVERT, FaultStep.CONVERT_VERIFIED, Stop.COORDINATOR);
    // Copies are members of their own, of which the second is written beside the first.
    add(cases, Stored.COPIED, Work.CONVERT, FaultStep.WORKER_STORE, Stop.WORKER);
    add(cases, Stored.COPIED_AND_CUT, Work.CONVERT, FaultStep.WORKER_FINISH, Stop.WORKER);
    add(cases, Stored.COPIED, Work.CONVERT, FaultStep.CONVERT_DESCRIBED, Stop.NAMENODE);
    add(cases, Stored.COPIED_AND_CUT, Work.CONVERT, FaultStep.CONVERT_TRIMMED, Stop.NAMENODE);
    addCopied(cases, Work.CONVERT, "WORKER_", "NAMENODE_TRIM", "NAMENODE_PUT");
    return cases;
  }

  /** The same of repairs. */
  static List<Arguments> repairs() {
    List<Arguments> cases = new ArrayList<>();
    // An exception leaves behind what a halt does: a repair has nothing to clean up.
    add(cases, Work.REPAIR, steps("REPAIR_"), Stop.COORDINATOR, Stop.NAMENODE);
    add(cases, Work.REPAIR, steps("REPAIR_VERIFIED"), Stop.EXCEPTION);
    add(cases, Work.REPAIR, steps("WORKER_"), Stop.EXCEPTION, Stop.WORKER);
    add(cases, Work.REPAIR, steps("NAMENODE_PUT"), Stop.EXCEPTION, Stop.NAMENODE);
    add(cases, Stored.CUT, Work.REPAIR, FaultStep.WORKER_STORE, Stop.EXCEPTION);
    add(cases, Stored.CUT, Work.REPAIR, FaultStep.WORKER_PUBLISHED, Stop.WORKER);
    add(cases, Stored.CUT, Work.REPAIR, FaultStep.REPAIR_REBUILT, Stop.COORDINATOR);
    add(cases, Stored.COPIED, Work.REPAIR, FaultStep.WORKER_READ, Stop.WORKER);
    add(cases, Stored.COPIED_AND_CUT, Work.REPAIR, FaultStep.WORKER_PUBLISHED, Stop.WORKER);
    add(cases, Stored.COPIED, Work.REPAIR, FaultStep.REPAIR_REBUILT, Stop.NAMENODE);
    add(cases, Stored.COPIED_AND_CUT, Work.REPAIR, FaultStep.REPAIR_VERIFIED, Stop.NAMENODE);
    addCopied(cases, Work.REPAIR, "WORKER_", "NAMENODE_PUT");
    return cases;
  }

  /** The same of restorations. */
  static List<Arguments> restorations() {
    List<Arguments> cases = new ArrayList<>();
    add(cases, Work.RESTORE, steps("RESTORE_"), Stop.EXCEPTION, Stop.COORDINATOR, Stop.NAMENODE);
    add(cases, Work.RESTORE, steps("NAMENODE_RAISE"), Stop.EXCEPTION, Stop.NAMENODE);
    addCopied(cases, Work.RESTORE, "NAMENODE_RAISE");
    return cases;
  }

  /** Everything that the coordinator and the NameNode do, over a failover. */
  static List<Arguments> failovers() {
    List<Arguments> cases = new ArrayList<>();
    for (Work work : Work.values()) {
      add(cases, work, steps(work + "_"), Stop.FAILOVER);
    }
    add(cases, Work.CONVERT, steps("NAMENODE_TRIM"), Stop.FAILOVER);
    add(cases, Work.CONVERT, steps("NAMENODE_PUT"), Stop.FAILOVER);
    add(cases, Work.CONVERT, steps("NAMENODE_PERSIST"), Stop.FAILOVER);
    add(cases, Work.REPAIR, steps("NAMENODE_PUT"), Stop.FAILOVER);
    add(cases, Work.RESTORE, steps("NAMENODE_RAISE"), Stop.FAILOVER);
    return cases;
  }

  /** One failover of each work. */
  static List<Arguments> failoverOfEach() {
    return List.of(
        Arguments.of(Work.CONVERT, FaultStep.NAMENODE_TRIM_BLOCK, Stop.FAILOVER, Stored.PLAIN),
        Arguments.of(Work.REPAIR, FaultStep.NAMENODE_PUT_STRIPE, Stop.FAILOVER, Stored.PLAIN),
        Arguments.of(Work.RESTORE, FaultStep.NAMENODE_RAISE, Stop.FAILOVER, Stored.PLAIN));
  }

  /** All of it with copies of parity, in the long run. */
  private static void addCopied(List<Arguments> cases, Work work, String... others) {
    if (!Boolean.getBoolean("braid.long")) {
      return;
    }
    for (Stored stored : List.of(Stored.COPIED, Stored.COPIED_AND_CUT)) {
      add(cases, stored, work, steps(work + "_"), Stop.COORDINATOR, Stop.NAMENODE);
      for (String prefix : others) {
        Stop halt = prefix.startsWith("WORKER_") ? Stop.WORKER : Stop.NAMENODE;
        add(cases, stored, work, steps(prefix), Stop.EXCEPTION, halt);
      }
    }
  }

  private static void add(
      List<Arguments> cases, Stored stored, Work work, FaultStep step, Stop stop) {
    add(cases, stored, work, EnumSet.of(step), stop);
  }

  private static void add(List<Arguments> cases, Work work, Set<FaultStep> steps, Stop... stops) {
    add(cases, Stored.PLAIN, work, steps, stops);
  }

  private static void add(
      List<Arguments> cases, Stored stored, Work work, Set<FaultStep> steps, Stop... stops) {
    int turn = 0;
    for (FaultStep step : steps) {
      turn++;
      // Relocation and trimming happen at every conversion, but not every plan sends.
      for (int i = 0; i < stops.length; i++) {
        boolean chosen = (turn + i) % stops.length == 0;
        if (runs(work + " " + step + " " + stops[i] + " " + stored, chosen)) {
          cases.add(Arguments.of(work, step, stops[i], stored));
        }
      }
    }
  }

  /**
   * By default each step is stopped in one of several ways, in the long run in all, or in those
   * that are named.
   */
  private static boolean runs(String name, boolean chosen) {
    String named = System.getProperty("braid.fault.cases");
    return named == null ? chosen || Boolean.getBoolean("braid.long") : name.matches(named);
  }

  /** One case. */
  final void nothingIsLost(Work work, FaultStep step, Stop stop, Stored stored) throws Exception {
    System.out.printf("stopping %s at %s: %s, %s%n", work, step, stop, stored);
    ClusterFixture fixture = fixture();
    String path = "/fault" + number++ + "/f";
    fixture.write(path, 7 * ClusterFixture.BLOCK + 77, 3, random);
    if (work != Work.CONVERT) {
      convertAll(fixture, stored, path);
    }
    if (work == Work.REPAIR) {
      fixture.hdfs.stopNode(fixture.heaviestNode());
    }
    Stopper stopper =
        new Stopper(
            fixture.hdfs,
            step,
            stop,
            () -> {
              // A repair waits for silent nodes until HDFS calls them dead.
              if (work == Work.REPAIR) {
                fixture.awaitDead();
              }
            });
    InjectedFaults.install(stopper);
    try {
      run(fixture, work, stored, path);
    } catch (IOException | Stopper.Halt e) {
      assertTrue(stopper.fired(), () -> "failed before the step was reached: " + e);
    } finally {
      InjectedFaults.clear();
    }
    assertTrue(stopper.fired(), () -> step + " was never reached");
    stopper.await();
    fixture.hdfs.awaitNodes();
    if (work != Work.REPAIR) {
      fixture.assertReads(path);
      fixture.assertTolerant(path);
    } else {
      fixture.assertReadsDegraded(path);
    }
    if (stop == Stop.WORKER) {
      stopper.restart();
    } else if (stop == Stop.FAILOVER) {
      fixture.awaitDead();
      fixture.reportBlocks();
    } else if (work == Work.REPAIR) {
      // As long as a home is only silent, what is rebuilt twice keeps all its copies.
      fixture.awaitDead();
    }
    finish(fixture, work, stored, path);
    fixture.assertReads(path);
    fixture.startAll();
    fixture.assertReads(path);
    fixture.assertTolerant(path);
    fixture.assertClean("/");
    fixture.fs.delete(new Path(path).getParent(), true);
    fixture.repair("/", "chain");
    assertEquals(0, fixture.stripes().size(), "parity is left over");
  }

  private static void convertAll(ClusterFixture fixture, Stored stored, String path)
      throws IOException {
    assertEquals(List.of(), stored.convert(fixture, path).skipped());
    fixture.assertConvertedOnDisks(path);
    assertEquals(stored.toString(), Movers.stripeOf(fixture, path).stripe().recordedCode().name());
  }

  private static void run(ClusterFixture fixture, Work work, Stored stored, String path)
      throws IOException {
    switch (work) {
      case CONVERT -> stored.convert(fixture, path);
      case REPAIR -> fixture.repair(path, "chain");
      case RESTORE -> {
        try (Cluster cluster = fixture.braid()) {
          cluster.restore(path, Progress.SILENT);
        }
      }
    }
  }

  /** The second run, which must finish. */
  private static void finish(ClusterFixture fixture, Work work, Stored stored, String path)
      throws IOException {
    switch (work) {
      case CONVERT -> convertAll(fixture, stored, path);
      case REPAIR -> {
        RepairReport report = fixture.repair(path, "chain");
        assertEquals(List.of(), report.unrepairable());
        fixture.assertConverted(path);
      }
      case RESTORE -> {
        try (Cluster cluster = fixture.braid()) {
          cluster.restore(path, Progress.SILENT);
        }
        fixture.awaitReplicas(path, 3);
        assertEquals(3, fixture.files(path).get(0).replication());
        FsckReport report = fixture.fsck("/");
        assertEquals(List.of(), report.orphans());
      }
    }
  }
}
