package org.braid.hdfs.namenode.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import org.braid.code.Codes;
import org.braid.hdfs.namenode.ear.OpenStripes.Ordinal;
import org.braid.hdfs.namenode.ear.OpenStripes.Written;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.replication.EncodingAwareReplication;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SiteRules;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A NameNode takes over from another one that placed blocks of stripes across files. */
final class OpenStripesTest {
  private static final int PAUSE = 4000;
  private static final Topology TOPOLOGY = Topology.of(3, 3, 4);
  private static final EligibleNodes ALL = EligibleNodes.all(TOPOLOGY);

  private final Random random = Seeds.random(getClass());
  private final List<int[]> placed = new ArrayList<>();
  private List<Written> reported = List.of();
  private int readings;

  private final OpenStripes.Source source =
      new OpenStripes.Source() {
        @Override
        public List<Written> blocks() {
          readings++;
          return reported;
        }

        @Override
        public List<Written> late(List<Written> blocks) {
          return blocks.stream()
              .map(block -> reported.get(block.ordinal().index()))
              .filter(Written::late)
              .toList();
        }
      };

  private static StripeRule rule(String code) {
    return code.startsWith("lrc")
        ? SiteRules.on(Codes.named(code), SitePolicies.CODE_AWARE, OptionalInt.empty(), ALL)
        : StripeRules.on(Codes.named(code), OptionalInt.of(1), ALL);
  }

  private static PreEncodingStore<Ordinal> at(OpenStripes open, long now, StripeRule rule) {
    return open.at(now, TOPOLOGY, rack -> rule).orElseThrow();
  }

  private void write(int blocks, PreEncodingStore<Ordinal> store, StripeRule rule) {
    BlockPlacer placer = new EncodingAwareReplication(rule, ReplicaLayout.HDFS);
    for (int i = 0; i < blocks; i++) {
      Ordinal ordinal = new Ordinal(1, placed.size());
      int first = PreEncodingStore.first(ALL, -1, 3, random);
      placed.add(store.add(ordinal, placer, ALL, first, 3, random).block().nodes());
    }
  }

  /** The DataNodes have reported all replicas but some of the last blocks. */
  private void report(int lateBlocks) {
    List<Written> blocks = new ArrayList<>();
    for (int i = 0; i < placed.size(); i++) {
      List<String> nodes = Arrays.stream(placed.get(i)).mapToObj(TOPOLOGY::nodeName).toList();
      int known = i < placed.size() - lateBlocks ? 3 : random.nextInt(3);
      blocks.add(new Written(new Ordinal(1, i), i, 3, nodes.subList(3 - known, 3)));
    }
    reported = blocks;
  }

  /** Stripes that cannot keep a replica of each block: k blocks of a core rack after the other. */
  private int broken(StripeRule rule) {
    Map<Integer, List<int[]>> cores = new TreeMap<>();
    for (int[] nodes : placed) {
      int core = PreEncodingStore.coreRack(nodes, TOPOLOGY);
      cores.computeIfAbsent(core, rack -> new ArrayList<>()).add(nodes);
    }
    int broken = 0;
    int k = rule.code().k();
    for (List<int[]> blocks : cores.values()) {
      for (int from = 0; from < blocks.size(); from += k) {
        List<int[]> stripe = blocks.subList(from, Math.min(blocks.size(), from + k));
        broken += rule.keeps(ALL, stripe, stripe.size()) ? 0 : 1;
      }
    }
    return broken;
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-7-2", "lrc-10-2-2"})
  void stripesGoOnWhenWritersWaitForTheReports(String code) throws IOException {
    StripeRule rule = rule(code);
    for (int takeover = 0; takeover < 5; takeover++) {
      OpenStripes open = new OpenStripes(source, rule.code().k(), PAUSE, Runnable::run);
      report(Math.min(placed.size(), 20));
      assertEquals(placed.isEmpty(), open.known());
      report(0);
      assertTrue(open.known());
      PreEncodingStore<Ordinal> store = at(open, 0, rule);
      write(37, store, rule);
      assertTrue(open.known());
      assertEquals(store, at(open, 1L << 40, rule), "all was known");
      assertEquals(0, broken(rule), "stripes whose blocks cannot all stay");
    }
    assertEquals(10, readings);
  }

  /** Stripes of a writer that could not wait may break; what is read later goes on as foreseen. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-7-2", "lrc-10-2-2"})
  void stripesThatWereReadTooEarlyAreReadAgain(String code) throws IOException {
    StripeRule rule = rule(code);
    write(137, new PreEncodingStore<>(rule.code().k()), rule);
    OpenStripes open = new OpenStripes(source, rule.code().k(), PAUSE, Runnable::run);
    report(60);
    assertFalse(open.known());
    PreEncodingStore<Ordinal> early = at(open, 0, rule);
    assertEquals(early, at(open, PAUSE - 1, rule));
    List<int[]> before = List.copyOf(placed);
    write(300, early, rule);
    assertTrue(broken(rule) > 0, "it makes no difference what is known");
    placed.clear();
    placed.addAll(before);
    report(1);
    PreEncodingStore<Ordinal> later = at(open, PAUSE, rule);
    assertEquals(later, at(open, 3 * PAUSE - 1, rule));
    report(0);
    PreEncodingStore<Ordinal> last = at(open, 3 * PAUSE, rule);
    assertEquals(last, at(open, 1L << 40, rule));
    write(200, last, rule);
    assertEquals(0, broken(rule), "stripes whose blocks cannot all stay");
  }

  /** Blocks that were placed since are not all reported when the stripes are read again. */
  @Test
  void whatWasPlacedHereIsKnownWithoutReports() {
    StripeRule rule = rule("rs-7-2");
    write(60, new PreEncodingStore<>(7), rule);
    OpenStripes open = new OpenStripes(source, 7, PAUSE, Runnable::run);
    open.missed();
    report(0);
    PreEncodingStore<Ordinal> early = at(open, 0, rule);
    int before = placed.size();
    write(30, early, rule);
    for (int i = before; i < placed.size(); i++) {
      open.placed(
          new Ordinal(1, i), Arrays.stream(placed.get(i)).mapToObj(TOPOLOGY::nodeName).toList());
    }
    report(30);
    PreEncodingStore<Ordinal> later = at(open, PAUSE, rule);
    assertTrue(later != early, "it is read again");
    write(100, later, rule);
    assertEquals(0, broken(rule), "stripes whose blocks cannot all stay");
    assertEquals(later, at(open, 1L << 40, rule), "all was known");
  }

  /** A replica that is lost for good keeps the stripes from being all known. */
  @Test
  void whatIsReportedIsNoLongerRememberedAsPlacedHere() {
    StripeRule rule = rule("rs-7-2");
    write(20, new PreEncodingStore<>(7), rule);
    report(20);
    OpenStripes open = new OpenStripes(source, 7, PAUSE, Runnable::run);
    PreEncodingStore<Ordinal> store = at(open, 0, rule);
    write(30, store, rule);
    for (int i = 20; i < placed.size(); i++) {
      open.placed(
          new Ordinal(1, i), Arrays.stream(placed.get(i)).mapToObj(TOPOLOGY::nodeName).toList());
    }
    assertEquals(30, open.placed().size());
    report(5);
    List<Written> lost = new ArrayList<>(reported);
    lost.set(0, new Written(new Ordinal(1, 0), 0, 3, List.of()));
    reported = lost;
    assertTrue(at(open, PAUSE, rule) != store, "it is read again");
    assertEquals(5, open.placed().size());
    for (int i = 0; i < OpenStripes.MOST_PLACED; i++) {
      open.placed(new Ordinal(2, i), List.of());
    }
    assertEquals(OpenStripes.MOST_PLACED, open.placed().size());
  }

  /** A directory of many files is read while others, and its own writers, go on. */
  @Test
  void nobodyWaitsWhileTheStripesAreRead() throws IOException {
    StripeRule rule = rule("rs-7-2");
    write(20, new PreEncodingStore<>(7), rule);
    report(0);
    Deque<Runnable> background = new ArrayDeque<>();
    OpenStripes open = new OpenStripes(source, 7, PAUSE, background::add);
    assertFalse(open.known());
    assertTrue(open.at(0, TOPOLOGY, rack -> rule).isEmpty(), "one thing is read at a time");
    assertEquals(0, readings);
    background.remove().run();
    assertTrue(open.known());
    assertTrue(open.at(0, TOPOLOGY, rack -> rule).isEmpty());
    assertTrue(open.at(0, TOPOLOGY, rack -> rule).isEmpty());
    assertFalse(open.read());
    assertEquals(1, background.size());
    background.remove().run();
    assertTrue(open.read());
    write(50, at(open, 0, rule), rule);
    assertEquals(0, broken(rule), "stripes whose blocks cannot all stay");
    assertEquals(0, background.size(), "all was known");
  }

  /** What the open stripes placed is in them after they are read again, whatever was read. */
  @Test
  void blocksPlacedWhileTheStripesAreReadAgainAreNotMissed() throws IOException {
    StripeRule rule = rule("rs-7-2");
    write(20, new PreEncodingStore<>(7), rule);
    report(0);
    Deque<Runnable> background = new ArrayDeque<>();
    OpenStripes open = new OpenStripes(source, 7, PAUSE, background::add);
    assertTrue(open.at(0, TOPOLOGY, rack -> rule).isEmpty());
    open.missed();
    background.remove().run();
    PreEncodingStore<Ordinal> first = at(open, PAUSE, rule);
    assertEquals(1, background.size(), "a block was placed elsewise");
    int before = placed.size();
    write(10, first, rule);
    for (int i = before; i < placed.size(); i++) {
      open.placed(
          new Ordinal(1, i), Arrays.stream(placed.get(i)).mapToObj(TOPOLOGY::nodeName).toList());
    }
    background.remove().run(); // what was reported before these
    PreEncodingStore<Ordinal> second = at(open, 1L << 40, rule);
    assertNotEquals(first, second);
    assertEquals(first.waiting(), second.waiting());
    write(50, second, rule);
    assertEquals(0, broken(rule), "stripes whose blocks cannot all stay");
  }

  /** Many others wait to be read: nothing is lost by that. */
  @Test
  void whatIsPutOffIsReadWhenTheNextBlockComes() throws IOException {
    StripeRule rule = rule("rs-7-2");
    write(20, new PreEncodingStore<>(7), rule);
    report(0);
    boolean[] full = {true};
    OpenStripes open =
        new OpenStripes(
            source,
            7,
            PAUSE,
            task -> {
              if (full[0]) {
                throw new RejectedExecutionException("many wait");
              }
              task.run();
            });
    assertFalse(open.known());
    assertTrue(open.at(0, TOPOLOGY, rack -> rule).isEmpty());
    assertFalse(open.read());
    full[0] = false;
    assertTrue(open.known());
    full[0] = true;
    assertTrue(open.at(0, TOPOLOGY, rack -> rule).isEmpty());
    full[0] = false;
    write(50, at(open, 0, rule), rule);
    assertEquals(0, broken(rule), "stripes whose blocks cannot all stay");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatCannotBeReadIsReadAgainLater(boolean error) throws IOException {
    StripeRule rule = rule("rs-7-2");
    int[] tries = new int[1];
    OpenStripes.Source failing =
        new OpenStripes.Source() {
          @Override
          public List<Written> blocks() throws IOException {
            tries[0]++;
            if (error) {
              throw new OutOfMemoryError("in a test");
            }
            throw new IOException("the NameNode stops");
          }

          @Override
          public List<Written> late(List<Written> blocks) {
            return blocks;
          }
        };
    OpenStripes open = new OpenStripes(failing, 7, PAUSE, Runnable::run);
    assertFalse(open.known());
    assertFalse(open.isReading());
    tries[0] = 0;
    for (int now = 0; now < PAUSE; now += PAUSE / 4) {
      assertTrue(open.at(now, TOPOLOGY, rack -> rule).isEmpty());
    }
    assertEquals(1, tries[0]);
    assertTrue(open.at(PAUSE, TOPOLOGY, rack -> rule).isEmpty());
    assertEquals(2, tries[0]);
  }
}
