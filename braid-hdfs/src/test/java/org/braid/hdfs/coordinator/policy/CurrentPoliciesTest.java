package org.braid.hdfs.coordinator.policy;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicyJson;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class CurrentPoliciesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String FILE = "00000001.json";

  private final Files files = new Files();
  private final FakeTicker ticker = new FakeTicker();
  private final CurrentPolicies policies =
      new CurrentPolicies(
          new PolicyStore(files, InstantSource.fixed(NOW)), InstantSource.fixed(NOW), ticker);

  /** One file of policies, or none. */
  private static final class Files extends DistributedFileSystem {
    Optional<String> text = Optional.empty();
    boolean lists = true;
    boolean opens = true;

    /** Called when they are listed. */
    Runnable listing = () -> {};

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
      listing.run();
      if (!lists) {
        throw new IOException("the NameNode does not answer");
      }
      return text.isEmpty()
          ? new FileStatus[0]
          : new FileStatus[] {
            new FileStatus(1, false, 1, 1, 1, new Path(BraidPaths.POLICIES, FILE))
          };
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
      if (!opens) {
        throw new IOException("no DataNode has the block");
      }
      return new FSDataInputStream(new Bytes(text.orElseThrow().getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** What is read from the beginning to the end. */
  private static final class Bytes extends FSInputStream {
    private final ByteArrayInputStream in;

    Bytes(byte[] bytes) {
      in = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() {
      return in.read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      return in.read(buffer, offset, length);
    }

    @Override
    public void seek(long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long getPos() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }
  }

  private static String pausing(Pausable... work) {
    PolicyDocument document =
        PolicyDocument.NONE.with(
            new PolicySet(List.of(Policy.of("a", true, Action.LEAVE, Map.of("path", "/a")))));
    for (Pausable one : work) {
      document = document.pausing(one, Instant.MAX);
    }
    return PolicyJson.write(document.asChange("ann", NOW, "for a test"));
  }

  private boolean paused(Pausable work) {
    ticker.pass(2000);
    return policies.now().pausedUntil(work, NOW).isPresent();
  }

  @Test
  void withoutPoliciesNothingIsPaused() {
    assertTrue(!paused(Pausable.SCRUB) && !paused(Pausable.REPAIR));
    assertEquals("", policies.problem());
  }

  /** Whether somebody paused work is not known; lost blocks are rebuilt all the same. */
  @Test
  void repairGoesOnAndScrubsWaitWhilePausesWereNeverRead() {
    files.text = Optional.of(pausing(Pausable.REPAIR));
    files.opens = false;
    assertTrue(paused(Pausable.SCRUB));
    assertTrue(!paused(Pausable.REPAIR));
    assertTrue(policies.now().policies().policies().isEmpty());
    assertEquals(
        "the policies cannot be read, and no policy is carried out: no DataNode has the block;"
            + " pauses are not known: repair goes on, and scrubs wait",
        policies.problem());
    files.opens = true;
    assertTrue(!paused(Pausable.SCRUB));
    assertTrue(paused(Pausable.REPAIR));
    assertEquals("", policies.problem());
  }

  /** Several threads of a daemon ask at its start, and HDFS may answer the first one late. */
  @Test
  void whoComesDuringTheFirstReadHearsOfPausesToo() throws Exception {
    files.text = Optional.of(pausing(Pausable.REPAIR));
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    files.listing =
        () -> {
          reading.countDown();
          assertDoesNotThrow(() -> goesOn.await());
        };
    List<Boolean> paused = new CopyOnWriteArrayList<>();
    Runnable ask = () -> paused.add(policies.now().pausedUntil(Pausable.REPAIR, NOW).isPresent());
    Thread first = new Thread(ask);
    Thread second = new Thread(ask);
    first.start();
    reading.await();
    second.start();
    second.join(200); // it waits
    goesOn.countDown();
    first.join();
    second.join();
    assertEquals(List.of(true, true), paused);
  }

  @Test
  void soItIsWhenTheyCannotBeUnderstoodOrListed() {
    files.text = Optional.of("{}");
    assertTrue(paused(Pausable.SCRUB) && !paused(Pausable.REPAIR));
    assertTrue(policies.problem().contains("; pauses are not known: "), policies.problem());
    files.lists = false;
    assertTrue(paused(Pausable.SCRUB) && !paused(Pausable.REPAIR));
    files.lists = true;
    files.text = Optional.empty();
    assertTrue(!paused(Pausable.SCRUB));
  }

  @Test
  void pausesStayWhenTheyCannotBeReadAnyMore() {
    files.text = Optional.of(pausing(Pausable.REPAIR));
    assertTrue(paused(Pausable.REPAIR));
    assertEquals(1, policies.now().policies().policies().size());
    files.lists = false;
    assertTrue(paused(Pausable.REPAIR) && !paused(Pausable.SCRUB));
    assertEquals(0, policies.now().policies().policies().size());
    assertEquals(
        "the policies cannot be read, and no policy is carried out: the NameNode does not answer",
        policies.problem());
  }
}
