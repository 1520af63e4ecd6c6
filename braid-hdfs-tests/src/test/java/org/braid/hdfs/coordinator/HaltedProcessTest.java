package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A coordinator in a process of its own is halted at a step, as if it was killed: nothing of it
 * gets to clean up, its lease runs out, and another one finishes the work.
 */
final class HaltedProcessTest {
  private static final Random RANDOM = Seeds.random(HaltedProcessTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(5, 10);

  @ParameterizedTest(name = "{0} halted at {1}")
  @CsvSource({"convert, CONVERT_CONCATENATED", "restore, RESTORE_RAISED"})
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void anotherCoordinatorFinishesInTheLongRun(String work, FaultStep step) throws Exception {
    anotherCoordinatorFinishes(work, step);
  }

  @ParameterizedTest(name = "{0} halted at {1}")
  @CsvSource({"convert, CONVERT_TRIMMED", "repair, REPAIR_REBUILT"})
  void anotherCoordinatorFinishes(String work, FaultStep step) throws Exception {
    String path = "/halted-" + step + "/f";
    fixture.write(path, 8 * ClusterFixture.BLOCK + 1, 3, RANDOM);
    if (!work.equals("convert")) {
      fixture.convertAll("rs-3-2", path);
      fixture.assertConvertedOnDisks(path);
    }
    if (work.equals("repair")) {
      // Other files are there, too, and the node that holds most may hold nothing of this one.
      fixture.hdfs.stopNode(fixture.homes(Movers.stripeOf(fixture, path)).get(0));
    }
    assertEquals(InjectedFaults.HALTED, halt(work, step, path));
    if (work.equals("repair")) {
      fixture.assertReadsDegraded(path);
    } else {
      fixture.assertReads(path);
      fixture.assertTolerant(path);
    }
    try (Cluster cluster = fixture.braid()) {
      CoordinatorProcess.work(cluster, work, path);
      if (work.equals("restore")) {
        fixture.awaitReplicas(path, 3);
      } else {
        fixture.assertConverted(path);
      }
    }
    fixture.startAll();
    fixture.assertReads(path);
    fixture.assertTolerant(path);
    fixture.assertClean("/");
  }

  private static int halt(String work, FaultStep step, String path) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(new File(System.getProperty("java.home"), "bin/java").getPath());
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.add("-D" + InjectedFaults.PROPERTY + "=" + step);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(CoordinatorProcess.class.getName());
    command.add(fixture.hdfs.uri());
    command.add(work);
    command.add(path);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(new File("target/halted-" + step + ".log"))
            .start();
    try {
      assertTrue(process.waitFor(90, TimeUnit.SECONDS), "the coordinator did not reach " + step);
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  /** A coordinator's process. */
  static final class CoordinatorProcess {
    private CoordinatorProcess() {}

    /** Runs one piece of work: address, work, path. */
    public static void main(String[] args) throws Exception {
      try (Cluster cluster =
          Braid.connect(
              new org.braid.hdfs.api.Connection(
                  java.util.Optional.of(args[0]), List.of(), java.util.Map.of()))) {
        work(cluster, args[1], args[2]);
      }
    }

    static void work(Cluster cluster, String work, String path) throws Exception {
      switch (work) {
        case "convert" ->
            assertEquals(
                List.of(), cluster.convert(ClusterFixture.request("rs-3-2", path)).skipped());
        case "repair" ->
            assertEquals(
                List.of(),
                cluster
                    .repair(
                        new org.braid.hdfs.api.RepairRequest(
                            path, "chain", 2, ClusterFixture.SLICE, 3, Progress.SILENT))
                    .unrepairable());
        case "restore" -> cluster.restore(path, Progress.SILENT);
        default -> throw new IllegalArgumentException(work);
      }
    }
  }
}
