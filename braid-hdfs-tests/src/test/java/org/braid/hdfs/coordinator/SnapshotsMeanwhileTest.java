package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A snapshot of everything, of the file's directory or of Braid's own is taken at each step of a
 * conversion before replicas are dropped. The file stays replicated, in the snapshot, too; nothing
 * is left over when the snapshot is gone, and the file is converted then.
 */
final class SnapshotsMeanwhileTest {
  private static final Random RANDOM = Seeds.random(SnapshotsMeanwhileTest.class);
  private static final String DIRECTORY = "/snapped";
  private static final String FILE = DIRECTORY + "/f";
  private static final String NAME = "meanwhile";
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(5, 10);

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    SnapshottableDirectoryStatus[] left = fixture.fs.getSnapshottableDirListing();
    for (int i = 0; left != null && i < left.length; i++) {
      fixture.fs.deleteSnapshot(left[i].getFullPath(), NAME);
      fixture.fs.disallowSnapshot(left[i].getFullPath());
    }
    fixture.deleteAll();
    fixture.repair("/", "chain");
  }

  static List<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (FaultStep step : FaultStep.values()) {
      if (step.compareTo(FaultStep.CONVERT_ENCODED) >= 0
          && step.compareTo(FaultStep.CONVERT_TRIMMED) < 0) {
        cases.add(Arguments.of(step, "/"));
        cases.add(Arguments.of(step, DIRECTORY));
        cases.add(Arguments.of(step, BraidPaths.ROOT));
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aSnapshotThatIsTakenMeanwhileCostsNothing(FaultStep at, String place) throws Exception {
    fixture.write(FILE, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    byte[] content = fixture.content(FILE);
    Path snapshotted = new Path(place);
    fixture.fs.mkdirs(snapshotted);
    fixture.fs.allowSnapshot(snapshotted);
    AtomicBoolean taken = new AtomicBoolean();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == at && taken.compareAndSet(false, true)) {
            fixture.fs.createSnapshot(snapshotted, NAME);
          }
        });
    List<Skipped> skipped = fixture.convert("rs-3-2", FILE).skipped();
    InjectedFaults.clear();
    assertTrue(taken.get());
    assertTrue(Set.of("HELD", "IN_SNAPSHOT").containsAll(causes(skipped)), skipped.toString());
    fixture.assertReads(FILE);
    if (!place.equals(BraidPaths.ROOT)) {
      assertEquals(1, skipped.size(), "the snapshot has the file with its replicas");
      fixture.awaitReplicas(FILE, 3);
      String inSnapshot = (place + "/.snapshot/" + NAME).replace("//", "/");
      inSnapshot += FILE.substring(place.equals("/") ? 0 : place.length());
      assertArrayEquals(content, ClusterFixture.read(fixture.fs, inSnapshot));
      List<Skipped> again = fixture.convert("rs-3-2", FILE).skipped();
      assertTrue(Set.of("HELD", "IN_SNAPSHOT").containsAll(causes(again)), again.toString());
      assertArrayEquals(content, ClusterFixture.read(fixture.fs, inSnapshot));
    }
    fixture.fs.deleteSnapshot(snapshotted, NAME);
    fixture.fs.disallowSnapshot(snapshotted);
    fixture.convertAll("rs-3-2", FILE);
    fixture.repair("/", "chain");
    fixture.assertReads(FILE);
    fixture.assertConverted(FILE);
    fixture.assertTolerant(FILE);
    fixture.assertClean(FILE);
    assertEquals(1, fixture.stripes().size());
    Await.until(
        "nothing else to be stored",
        () -> fixture.hdfs.nameNode().getNamesystem().getBlocksTotal(),
        blocks -> blocks == 5);
  }

  private static Set<String> causes(List<Skipped> skipped) {
    return Set.copyOf(skipped.stream().map(Skipped::cause).toList());
  }
}
