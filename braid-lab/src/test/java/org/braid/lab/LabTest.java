package org.braid.lab;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.lab.namespace.Namespaces;
import org.braid.lab.network.CarriedBytes;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkLimits;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lab of four DataNodes in two racks, where this machine lets us have one. */
@Tag("lab")
final class LabTest {
  private static final double LINK = 50e6 / 8;
  private static final long MEBI = 1 << 20;

  /** What the looks at the ends of a measurement may take. */
  private static final long LOOKS_NANOS = 40_000_000;

  private static final int MOST_TRIES = 10;

  @TempDir private static Path dir;
  private static Lab lab;

  @BeforeAll
  static void start() throws Exception {
    Optional<String> obstacle = LabRegistry.obstacle();
    assumeTrue(obstacle.isEmpty(), () -> "no lab here: " + obstacle.orElse(""));
    LabSettings settings =
        LabSettings.of(LabTopology.parse("2x2", 1), LinkLimits.of(LINK, 2)).withRoom(512 * MEBI);
    lab = LabStarter.start(LabRegistry.in(dir.resolve("labs")), settings, RunProgress.NONE);
  }

  @AfterAll
  static void stop() {
    if (lab != null) {
      Namespaces.Identity space = lab.space().identity();
      lab.close();
      assertFalse(space.alive());
      assertFalse(Files.exists(lab.directory().root()));
    }
  }

  /**
   * Bytes a second of payload that a flow has, over two seconds, once it flows. What is counted is
   * as of some moment of a look: seconds of which looks took a large part are measured anew.
   */
  private static double rate(Flow flow) throws Exception {
    try (FlowGroup traffic = lab.traffic(List.of(flow))) {
      Thread.sleep(800);
      for (int tries = 1; ; tries++) {
        long start = System.nanoTime();
        long before = traffic.received();
        long looked = System.nanoTime();
        Thread.sleep(2000);
        long again = System.nanoTime();
        long after = traffic.received();
        long end = System.nanoTime();
        if ((looked - start) + (end - again) < LOOKS_NANOS || tries == MOST_TRIES) {
          return (after - before) / ((end - start) * 1e-9);
        }
      }
    }
  }

  @Test
  void linksKeepTheirLimitsAndLimitsChangeInPlace() throws Exception {
    lab.limit(LinkLimits.of(LINK, 2));
    // Inside a rack a link, into another one an uplink of two halves.
    assertEquals(1, rate(Flow.tcp("r0n0", "r0n1")) / (LINK * LinkTest.PAYLOAD), 0.12);
    lab.limit(LinkLimits.of(LINK, 8));
    assertEquals(1, rate(Flow.tcp("r0n0", "r1n1")) / (LINK / 4 * LinkTest.PAYLOAD), 0.12);
    lab.limit(LinkLimits.of(LINK, 1).with("c0", LINK / 2));
    assertEquals(1, rate(Flow.tcp("r0n0", "c0")) / (LINK / 2 * LinkTest.PAYLOAD), 0.12);
    lab.unlimited();
    assertTrue(rate(Flow.tcp("r0n0", "r1n1")) > 4 * LINK);
    assertThrows(ExperimentException.class, () -> lab.limit(LinkLimits.NONE.with("r7", LINK)));
    lab.limit(LinkLimits.of(LINK, 2));
  }

  @Test
  void countersSayWhatLinksCarried() throws Exception {
    lab.limit(LinkLimits.of(LINK, 1));
    Counters before = lab.counters();
    double sent = LINK / 4;
    double rate = rate(Flow.udp("r0n1", "r1n0", sent));
    assertEquals(1, rate / sent, 0.1);
    Counters counters = lab.counters().since(before);
    CarriedBytes sender = counters.links().hosts().get("r0n1");
    CarriedBytes receiver = counters.links().hosts().get("r1n0");
    long uplink = counters.links().racks().get("r0").out();
    assertTrue(sender.out() > 1.5 * sent, sender.toString());
    assertEquals(1, (double) receiver.in() / sender.out(), 0.1);
    assertEquals(1, (double) uplink / sender.out(), 0.1);
    assertTrue(receiver.out() < sender.out() / 10, receiver.toString());
    assertTrue(counters.machine().busy() > 0);
    assertTrue(counters.seconds() > 2);
  }

  @Test
  void programsRunOnTheirHost() throws Exception {
    try (Driver driver = lab.driver("c0", EchoMain.class.getName(), List.of("here"))) {
      String where = driver.call(new TextNode("where")).path("answer").asText();
      assertEquals(lab.topology().host("c0").address() + " here", where);
      ExperimentException told =
          assertThrows(ExperimentException.class, () -> driver.call(new TextNode("fail")));
      assertEquals(ExperimentException.Cause.TRIAL, told.cause());
      ExperimentException ended =
          assertThrows(ExperimentException.class, () -> driver.call(new TextNode("end")));
      assertTrue(String.valueOf(ended.getMessage()).contains("ends as told"), ended.getMessage());
      assertThrows(ExperimentException.class, () -> driver.call(new TextNode("where")));
    }
    Process other = lab.exec("r1n1", List.of("cat", "/etc/hosts")).start();
    assertTrue(
        new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .contains("10.77.2.2 r1n1"));
  }

  @Test
  void daemonsAreKilledStoppedAndStartedAgain() throws Exception {
    lab.kill("r0n0");
    assertFalse(lab.space().members().containsKey("r0n0"));
    // That is no accident.
    lab.check();
    assertThrows(ExperimentException.class, () -> lab.pause("r0n0"));
    lab.pause("r1n0");
    assertTrue(lab.space().members().get("r1n0").stopped());
    lab.mend();
    assertFalse(lab.space().members().get("r1n0").stopped());
    assertTrue(lab.space().members().containsKey("r0n0"));
  }

  /** A process that is busy in the kernel stops a moment after it was told to. */
  @Test
  void aPausedDaemonIsStopped() throws Exception {
    for (int round = 0; round < 50; round++) {
      lab.pause("nn");
      assertTrue(lab.space().members().get("nn").stopped(), "round " + round);
      lab.resume("nn");
      assertFalse(lab.space().members().get("nn").stopped(), "round " + round);
    }
  }

  @Test
  void accidentsAreNoticed() throws Exception {
    try (Driver driver = lab.driver("c0", EchoMain.class.getName(), List.of("x"))) {
      CompletableFuture<ObjectNode> answer = driver.send(new TextNode("wait"));
      long pid = lab.space().members().get("r1n1").pid();
      ProcessHandle.of(pid).orElseThrow().destroyForcibly();
      ExperimentException e = assertThrows(ExperimentException.class, () -> driver.await(answer));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains("DataNode r1n1 ended by itself"), message);
      assertTrue(message.contains("r1n1.log"), message);
      assertTrue(e.endsRun());
    }
    lab.restart(List.of("r1n1"));
    assertDoesNotThrow(() -> lab.check());
  }

  @Test
  void nothingIsOutside() throws Exception {
    Process ping =
        lab.exec(
                "c0",
                List.of(
                    "sh", "-c", "ip route get 192.0.2.1; ip -o link | wc -l; cat /etc/resolv.conf"))
            .redirectErrorStream(true)
            .start();
    String said = new String(ping.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(said.contains("unreachable"), said);
    // lo and eth0
    assertTrue(said.lines().anyMatch(line -> line.strip().equals("2")), said);
  }

  @Test
  void whatDoesNotFitIsRefusedWithNumbers() {
    LabSettings large = lab.settings().withRoom(1L << 50);
    ExperimentException memory =
        assertThrows(
            ExperimentException.class,
            () -> LabStarter.start(LabRegistry.in(dir.resolve("labs")), large, RunProgress.NONE));
    assertEquals(ExperimentException.Cause.REFUSED, memory.cause());
    assertTrue(String.valueOf(memory.getMessage()).contains("1024.0 TiB for data"));
    ExperimentException disk =
        assertThrows(
            ExperimentException.class,
            () ->
                LabStarter.start(
                    LabRegistry.in(dir.resolve("labs")), large.in(dir), RunProgress.NONE));
    assertTrue(String.valueOf(disk.getMessage()).contains(dir + " has"), disk.getMessage());
    assertTrue(String.valueOf(disk.getMessage()).contains("1024.0 TiB"), disk.getMessage());
  }

  @Test
  void killedRunsLeaveNothingButFilesThatDownRemoves() throws Exception {
    Path place = dir.resolve("killed");
    Process process = other(place, "run");
    assertEquals("up", process.inputReader().readLine());
    LabRegistry labs = LabRegistry.in(place);
    LabRegistry.Status status = labs.list().get(0);
    assertEquals(LabRegistry.State.IN_USE, status.state());
    assertEquals(2, status.daemons().size());
    assertTrue(status.daemons().stream().allMatch(daemon -> daemon.pid() > 0));
    assertEquals(List.of(), labs.down(LabRegistry.Scope.KEPT));
    process.destroyForcibly().waitFor();
    LabRecord lab = LabRecord.read(status.directory()).orElseThrow();
    awaitGone(lab.space(), status);
    assertEquals(LabRegistry.State.LEFTOVER, labs.list().get(0).state());
    assertEquals(1, labs.down(LabRegistry.Scope.KEPT).size());
    assertEquals(List.of(), labs.list());
    assertFalse(Files.exists(status.directory()));
  }

  @Test
  void keptLabsOutliveTheirProcessAndEndWithTheirKeeper() throws Exception {
    Path place = dir.resolve("kept");
    assertEquals(0, other(place, "up").waitFor());
    LabRegistry labs = LabRegistry.in(place);
    LabRegistry.Status status = labs.kept().orElseThrow();
    try (Lab joined = LabStarter.open(labs, LabMain.settings(), RunProgress.NONE)) {
      assertEquals(LabRegistry.KEPT, joined.directory().root().getFileName().toString());
      joined.check();
      // It is in use.
      assertThrows(
          ExperimentException.class,
          () -> LabStarter.open(labs, LabMain.settings(), RunProgress.NONE));
    }
    ExperimentException second =
        assertThrows(
            ExperimentException.class, () -> labs.up(LabMain.settings(), RunProgress.NONE));
    assertTrue(String.valueOf(second.getMessage()).contains("braid lab down"));
    // A program in it stands where its caller does, and finds the lab's NameNode.
    Process program =
        labs.program("c0", List.of("sh", "-c", "pwd; hostname; ls $HADOOP_CONF_DIR; exit 3"))
            .redirectErrorStream(true)
            .start();
    assertEquals(
        List.of(Path.of("").toAbsolutePath().toString(), "c0", "core-site.xml"),
        new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList());
    assertEquals(3, program.waitFor());
    assertThrows(ExperimentException.class, () -> labs.program("nobody", List.of("true")));
    LabRecord lab = LabRecord.read(status.directory()).orElseThrow();
    assertTrue(lab.space().alive());
    ProcessHandle.of(status.keeper()).orElseThrow().destroyForcibly();
    awaitGone(lab.space(), status);
    assertEquals(1, labs.down(LabRegistry.Scope.KEPT).size());
    assertEquals(List.of(), labs.list());
  }

  private static Process other(Path place, String what) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            LabMain.class.getName(),
            place.toString(),
            what);
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Waits for the kernel, and looks whether anything is left. */
  private static void awaitGone(Namespaces.Identity space, LabRegistry.Status status)
      throws Exception {
    Await.until("the namespaces to end", () -> !space.alive());
    Await.untilEqual("daemons left", 0L, () -> daemons(status));
    assertFalse(Files.readString(Path.of("/proc/mounts")).contains(status.directory().toString()));
  }

  private static long daemons(LabRegistry.Status status) {
    return status.daemons().stream()
        .filter(daemon -> daemon.pid() > 0)
        .map(daemon -> ProcessHandle.of(daemon.pid()))
        .filter(Optional::isPresent)
        .count();
  }
}
