package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.fault.FaultHook;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.testing.Disks;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversions at random steps of which a random node stops, starts again or loses a replica. */
final class ConvertStopsTest {
  private static final Random RANDOM = Seeds.random(ConvertStopsTest.class);
  private static final int ROUNDS = Boolean.getBoolean("braid.long") ? 40 : 3;
  private static final List<FaultStep> STEPS =
      Arrays.stream(FaultStep.values()).filter(step -> step.name().startsWith("CONVERT_")).toList();

  /** What no operator can do anything with. */
  private static final Pattern INTERNAL =
      Pattern.compile("Exception|an error of Braid|its own node|No value present|null");

  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(1, 6, 12, Map.of("dfs.namenode.safemode.threshold-pct", "0.5"));

  @AfterEach
  void reset() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
    fixture.deleteAll();
  }

  /** What happens at one of the steps. */
  private enum Event {
    /** A node stops. */
    STOP,
    /** The same, and HDFS calls it dead. */
    STOP_AND_MISS,
    /** A replica goes bad on its disk. */
    LOSE
  }

  private static final List<Event> EVENTS = List.of(Event.STOP, Event.STOP_AND_MISS, Event.LOSE);

  /** At one step something happens; a node that stopped starts again some steps later. */
  private static final class Stops implements FaultHook {
    private final Event event;
    private final FaultStep step;
    private final int node;
    private final int random;
    private int until;
    private int back;
    private boolean happened;

    Stops(Random random) {
      event = EVENTS.get(random.nextInt(EVENTS.size()));
      step = STEPS.get(random.nextInt(STEPS.size()));
      until = step == FaultStep.CONVERT_GROUPED ? 0 : random.nextInt(2);
      node = random.nextInt(fixture.hdfs.nodes());
      back = random.nextInt(12);
      this.random = random.nextInt(1 << 20);
    }

    @Override
    public synchronized void reached(FaultStep reached, String detail) throws IOException {
      if (!STEPS.contains(reached)) {
        return;
      }
      if (happened) {
        if (event != Event.LOSE && back-- == 0) {
          fixture.hdfs.startNode(node);
        }
        return;
      }
      if (reached == step && until-- == 0) {
        happened = true;
        happen();
      }
    }

    private void happen() throws IOException {
      switch (event) {
        case STOP -> fixture.hdfs.stopNode(node);
        case STOP_AND_MISS -> {
          fixture.hdfs.stopNode(node);
          fixture.awaitDead();
        }
        case LOSE -> lose();
      }
    }

    /** A replica of a block that has others goes bad on its disk. */
    private void lose() throws IOException {
      List<BlockStatus> blocks = new ArrayList<>();
      for (StoredFile file : fixture.files("/stops")) {
        blocks.addAll(file.blocks());
      }
      BlockStatus block = blocks.get(random % blocks.size());
      List<Replica> replicas = block.replicas();
      if (replicas.size() > 1) {
        String uuid = replicas.get(random % replicas.size()).node();
        int holder = fixture.hdfs.indexOf(uuid).orElseThrow();
        if (Disks.file(fixture.hdfs, holder, block.block().id()).isPresent()) {
          Disks.flip(fixture.hdfs, holder, block.block().id(), 7);
        }
      }
    }

    @Override
    public String toString() {
      return "%s of node %d at %s no. %d, back after %d".formatted(event, node, step, until, back);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-3-2", "lrc-4-2-2"})
  void whateverStopsFilesStayAndASecondConversionFinishes(String code) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      List<String> paths = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        String path = "/stops/" + round + "/f" + i;
        fixture.write(path, 3 * ClusterFixture.BLOCK - 77 * i, 3, RANDOM);
        paths.add(path);
      }
      Stops stops = new Stops(RANDOM);
      String what = code + " " + round + ": " + stops;
      System.out.println(what);
      InjectedFaults.install(stops);
      List<Skipped> skipped = fixture.convert(code, "/stops").skipped();
      InjectedFaults.clear();
      for (Skipped file : skipped) {
        assertFalse(INTERNAL.matcher(file.reason()).find(), what + ": " + file);
      }
      for (String path : paths) {
        fixture.assertReadsDegraded(path);
      }
      fixture.startAll();
      assertEquals(List.of(), fixture.convert(code, "/stops").skipped(), what);
      for (String path : paths) {
        if (stops.event == Event.LOSE) {
          // A copy that went bad once it was checked may be the one that was kept.
          fixture.assertReadsDegraded(path);
        } else {
          fixture.assertReads(path);
        }
      }
      fixture.assertConverted("/stops");
      fixture.deleteAll();
    }
  }

  /** Else its files would be left until somebody has repaired a stripe that nobody reads yet. */
  @ParameterizedTest
  @ValueSource(strings = {"CONVERT_VERIFIED", "CONVERT_PUBLISHED"})
  void aParityWhoseNodeStopsIsRebuiltElsewhere(FaultStep step) throws Exception {
    String path = "/parity/f";
    fixture.write(path, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    InjectedFaults.install(
        (reached, detail) -> {
          if (reached == step) {
            fixture.hdfs.stopNode(parityNode());
            fixture.awaitDead();
          }
        });
    assertEquals(List.of(), fixture.convert("rs-3-2", path).skipped());
    InjectedFaults.clear();
    fixture.assertConverted(path);
    fixture.assertTolerant(path);
    fixture.assertClean("/parity");
    fixture.startAll();
    fixture.assertReads(path);
  }

  /** A node that has a block that no file of users has. */
  private static int parityNode() throws IOException {
    var files = fixture.fs.listFiles(new Path(BraidPaths.ROOT), true);
    while (files.hasNext()) {
      var file = files.next();
      if (file.getLen() >= ClusterFixture.BLOCK) {
        int port =
            Integer.parseInt(file.getBlockLocations()[0].getNames()[0].replaceAll(".*:", ""));
        return IntStream.range(0, fixture.hdfs.nodes())
            .filter(node -> fixture.hdfs.dataNode(node).getXferPort() == port)
            .findFirst()
            .orElseThrow();
      }
    }
    throw new AssertionError("there is no parity");
  }
}
