package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.Descriptions;
import org.braid.hdfs.testing.ExactFiles;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Damaged descriptions, parity that is gone, and disks that have less room than they say. */
final class BadInputTest {
  private static final Random RANDOM = Seeds.random(BadInputTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(5, 10);

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    fixture.deleteAll();
  }

  @Test
  void aDescriptionThatWasCutShortIsKeptAndCostsNoOtherStripe() throws Exception {
    fixture.write("/cut/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/cut");
    StripeStatus status = fixture.stripes().get(0);
    fixture.write("/whole/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/whole");
    // Nobody could tell them from those that the description would have kept.
    Await.until(
        "surplus copies to go",
        () ->
            fixture.stripes().stream()
                .flatMap(stripe -> stripe.members().stream())
                .allMatch(member -> member.status().going().isEmpty()));
    Path parity = new Path(status.parityPath());
    byte[] attribute = fixture.fs.getXAttr(parity, BraidPaths.STRIPE_XATTR);
    for (int length : new int[] {attribute.length / 2, 1, 0}) {
      Descriptions.set(fixture.hdfs.nameNode(), parity, Arrays.copyOf(attribute, length));
      fixture.restartNameNode();
      fixture.repair("/", "chain");
      assertTrue(fixture.fs.exists(parity), "with " + length + " bytes left");
      assertEquals(1, fixture.stripes().size());
      fixture.assertReads("/cut/f");
      fixture.assertTolerant("/whole/f");
    }
    Descriptions.set(fixture.hdfs.nameNode(), parity, attribute);
    fixture.restartNameNode();
    fixture.assertTolerant("/cut/f");
    fixture.assertClean("/");
  }

  /** Past the guard, as by a NameNode that runs without the plugin. */
  @Test
  void parityThatWasDeletedByHandIsMadeAnew() throws Exception {
    for (int i = 0; i < 3; i++) {
      fixture.write("/bare/f" + i, 3 * ClusterFixture.BLOCK, 3, RANDOM);
      fixture.convertAll("rs-3-2", "/bare/f" + i);
    }
    List<StripeStatus> stripes = fixture.stripes();
    assertEquals(3, stripes.size());
    for (StripeStatus status : stripes) {
      assertTrue(fixture.hdfs.nameNode().getRpcServer().delete(status.parityPath(), false));
      fixture.repair("/", "chain");
      fixture.assertReads("/bare/f0");
    }
    assertEquals(List.of(), fixture.stripes());
    fixture.convertAll("rs-3-2", "/bare");
    assertFalse(fixture.stripes().isEmpty());
    for (int i = 0; i < 3; i++) {
      fixture.assertTolerant("/bare/f" + i);
      fixture.assertReads("/bare/f" + i);
    }
    fixture.assertClean("/");
  }

  private static void fillAt(AtomicReference<String> full, AtomicInteger refused, String what) {
    InjectedFaults.install(
        (step, detail) -> {
          int at = detail.lastIndexOf(" on ");
          if (step == FaultStep.WORKER_STORE && at > 0 && detail.startsWith(what)) {
            String node = detail.substring(at);
            full.compareAndSet(null, node);
            if (node.equals(full.get())) {
              refused.incrementAndGet();
              throw new IOException("No space left on device");
            }
          }
        });
  }

  @Test
  void aDiskThatTakesNoMovedBlockIsReplacedByAnother() throws Exception {
    for (int i = 0; i < 3; i++) {
      byte[] content = new byte[ClusterFixture.BLOCK];
      RANDOM.nextBytes(content);
      new ExactFiles(fixture.hdfs, fixture.fs)
          .writeOn(new Path("/moves/f" + i), content, ClusterFixture.BLOCK, 0);
    }
    AtomicInteger refused = new AtomicInteger();
    fillAt(new AtomicReference<>(), refused, "rebuilt block");
    ConvertReport report = fixture.convertAll("rs-3-2", "/moves");
    InjectedFaults.clear();
    assertEquals(2, report.relocatedBlocks());
    assertEquals(1, refused.get(), "no second try at a full disk");
    fixture.assertClean("/");
  }

  @Test
  void aDiskThatTakesNoParityIsReplacedByAnother() throws Exception {
    fixture.write("/parity/f", 9 * ClusterFixture.BLOCK, 3, RANDOM);
    AtomicInteger refused = new AtomicInteger();
    fillAt(new AtomicReference<>(), refused, "parity");
    ConvertReport report = fixture.convertAll("rs-3-2", "/parity");
    InjectedFaults.clear();
    assertTrue(refused.get() > 0);
    assertEquals(3, report.stripes());
    fixture.assertConverted("/parity/f");
    fixture.assertClean("/");
  }
}
