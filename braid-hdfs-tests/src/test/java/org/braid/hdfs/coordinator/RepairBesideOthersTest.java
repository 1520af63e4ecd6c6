package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.stripes.StripeDescriptions;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.HeldStep;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.hdfs.testing.Plugins;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Repairs while others are at work, too. */
final class RepairBesideOthersTest {
  private static final Random RANDOM = Seeds.random(RepairBesideOthersTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(5, 10);

  @AfterEach
  void reset() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
  }

  private static BraidNameNodePlugin plugin() {
    return Plugins.of(fixture.hdfs.nameNode());
  }

  private static String converted(String path, int stripes) throws IOException {
    fixture.write(path, 3 * stripes * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", path);
    fixture.assertConverted(path);
    return path;
  }

  private static void assertWhole(String path) throws IOException {
    fixture.assertReads(path);
    fixture.assertTolerant(path);
  }

  /** A conversion may last for days; one loss of two that the code allows waits no such time. */
  @Test
  void lostBlocksAreRebuiltBesideAConversion() throws Exception {
    String path = converted("/conversion/f", 4);
    String other = "/converted-beside/f";
    fixture.write(other, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    FutureTask<ConvertReport> conversion = new FutureTask<>(() -> fixture.convert("rs-3-2", other));
    try (HeldStep held = new HeldStep(FaultStep.CONVERT_VERIFIED, detail -> true)) {
      new Thread(conversion, "test-convert").start();
      held.await();
      int node = fixture.homes(Movers.stripesOf(fixture, path).get(0)).get(0);
      fixture.hdfs.stopNode(node);
      Await.until(
          "its blocks to be rebuilt",
          () ->
              Movers.stripesOf(fixture, path).stream()
                  .noneMatch(s -> fixture.homes(s).contains(node)));
      assertWhole(path);
    }
    var unused = conversion.get(60, TimeUnit.SECONDS);
    // The node may have had parity of it, too.
    fixture.startAll();
    fixture.repair("/", "chain");
    fixture.convertAll("rs-3-2", other);
    fixture.assertConverted(other);
  }

  /** The NameNode's own guard names homes, too: what it says between two calls is not undone. */
  @Test
  void aHomeThatIsNamedMeanwhileIsNotNamedBack() throws Exception {
    String path = converted("/named/f", 1);
    StripeStatus stripe = Movers.stripesOf(fixture, path).get(0);
    List<Integer> homes = fixture.homes(stripe);
    String elsewhere =
        IntStream.range(0, fixture.hdfs.nodes())
            .filter(node -> !homes.contains(node))
            .mapToObj(fixture.hdfs::uuid)
            .findFirst()
            .orElseThrow();
    BraidNameNodePlugin plugin = plugin();
    // The guard may name that home back between two further puts, so that they are not all done.
    List<String> steps = Collections.synchronizedList(new ArrayList<>());
    InjectedFaults.install(
        (step, detail) -> {
          boolean meant = detail.equals(stripe.stripe().id());
          if (step == FaultStep.NAMENODE_PUT_STRIPE && meant) {
            steps.add("put");
            if (steps.size() == 1) {
              StripeIndex.Entry now = plugin.index().published(detail).orElseThrow();
              assertTrue(StripeDescriptions.move(plugin.host(), plugin.index(), now, 1, elsewhere));
            }
          }
          if (step == FaultStep.REPAIR_HOMED && meant) {
            steps.add("done");
          }
        });
    fixture.hdfs.stopNode(homes.get(0));
    assertEquals(List.of(), fixture.repair(path, "chain").unrepairable());
    assertEquals(List.of("put", "put"), steps.subList(0, 2), "the first one is not carried out");
    assertTrue(steps.contains("done"), steps::toString);
    fixture.hdfs.awaitDead(homes.get(0));
    try (NameNodeCalls calls = fixture.calls()) {
      Await.until(
          "all blocks to be at home",
          () -> {
            fixture.repair("/", "chain"); // the node had blocks of others, too
            return calls.damagedStripes().isEmpty();
          });
    }
    assertWhole(path);
  }
}
