package org.braid.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.shard.decode.DecodeReport;
import org.braid.shard.decode.DecodeRequest;
import org.braid.shard.format.CellChecksum;
import org.braid.shard.format.ShardLayout;
import org.braid.shard.report.ShardReport;
import org.braid.shard.report.ShardState;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random faults in shards, compared with a model that predicts each stripe by rank. */
final class RandomFaultsTest {
  private static final int ROUNDS = 200;

  @TempDir(factory = InMemory.class)
  Path directory;

  private final Random random = Seeds.random(RandomFaultsTest.class);

  /** A set with faults. */
  private final class Case {
    private final Sandbox box;
    private final ShardLayout layout;
    private final Set<Integer> touched = new TreeSet<>();

    /** The blocks whose headers are gone, then those lost in each stripe. */
    private final List<Set<Integer>> lost = new ArrayList<>();

    Case(ErasureCode code) throws IOException {
      box = Sandbox.of(directory, code, Sandbox.bytes(random, random.nextInt(2000)));
      layout = box.layout();
      for (long s = -1; s < layout.stripes(); s++) {
        lost.add(new TreeSet<>());
      }
    }

    void damage(int block) throws IOException {
      touched.add(block);
      Path shard = box.shard(block);
      int header = box.headerBytes();
      int kind = layout.stripes() == 0 ? random.nextInt(2) : random.nextInt(5);
      if (kind == 0) {
        Files.delete(shard);
        lost.forEach(stripe -> stripe.add(block));
      } else if (kind == 1) {
        box.flip(shard, random.nextInt(header));
        lost.forEach(stripe -> stripe.add(block));
      } else if (kind == 2) {
        int length = random.nextInt((int) Files.size(shard));
        box.truncate(shard, length);
        lost.get(0).addAll(length < header ? Set.of(block) : Set.of());
        for (int s = 0; s < layout.stripes(); s++) {
          if (length < header + end(s)) {
            lost.get(s + 1).add(block);
          }
        }
      } else {
        for (int i = random.nextInt(3); i >= 0; i--) {
          int s = random.nextInt((int) layout.stripes());
          int from = (int) layout.offset(s);
          if (lost.get(s + 1).add(block)) {
            box.flip(shard, header + from + random.nextInt(end(s) - from));
          }
        }
      }
    }

    private int end(int s) {
      return (int) layout.offset(s) + layout.cellBytes(s) + CellChecksum.BYTES;
    }

    boolean isDecodable() {
      return lost.stream().allMatch(stripe -> Solver.decodable(box.code(), stripe));
    }
  }

  @Test
  void whatCanBeRestoredIsAndWhatCannotIsNamed() throws IOException {
    int restored = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Case c = new Case(Sandbox.ALL.get(random.nextInt(Sandbox.ALL.size())));
      ErasureCode code = c.box.code();
      Map<String, byte[]> original = c.box.snapshot();
      int faults = random.nextInt(Math.min(code.n(), code.m() + 3));
      for (int i = 0; i < faults; i++) {
        int block = random.nextInt(code.n());
        if (!c.touched.contains(block)) {
          c.damage(block);
        }
      }
      Map<String, byte[]> before = c.box.snapshot();
      boolean atOnce = random.nextBoolean();
      DecodeReport report = atOnce ? c.box.restoreAndRepair() : repairThenRestore(c);
      if (c.isDecodable()) {
        c.box.assertRestored(report);
        Sandbox.assertSame(original, c.box.snapshot());
        restored++;
      } else {
        assertTrue(report.problem().orElseThrow().contains("needed, for example"));
        c.box.assertNotRestored();
        assertUntouched(atOnce ? Map.of() : original, before, c.box.snapshot());
      }
      remove(c.box.root());
    }
    assertTrue(restored > ROUNDS / 5 && restored < ROUNDS, restored + " restored");
  }

  /** A repair alone may rebuild shards within their local groups though the file is lost. */
  private static void assertUntouched(
      Map<String, byte[]> original, Map<String, byte[]> before, Map<String, byte[]> after) {
    assertTrue(after.keySet().containsAll(before.keySet()));
    after.forEach(
        (path, bytes) ->
            assertTrue(
                Arrays.equals(bytes, before.get(path)) || Arrays.equals(bytes, original.get(path)),
                path));
  }

  /** The repair may not see all damage, so that it is repeated until it reads everything. */
  private static DecodeReport repairThenRestore(Case c) throws IOException {
    DecodeRequest request = DecodeRequest.repair(c.box.directory());
    DecodeReport report = c.box.decode(request);
    if (report.problem().isEmpty()) {
      report = c.box.decode(request);
    }
    if (report.problem().isPresent()) {
      return report;
    }
    assertEquals(Sandbox.okBut(c.box.code().n(), Map.of()), Sandbox.states(c.box.decode(request)));
    return c.box.restore();
  }

  @Test
  void everyFaultIsNamed() throws IOException {
    for (int round = 0; round < ROUNDS / 4; round++) {
      Case c = new Case(Sandbox.ALL.get(random.nextInt(Sandbox.ALL.size())));
      int block = random.nextInt(c.box.code().n());
      c.damage(block);
      DecodeReport report = c.box.restore();
      c.box.assertRestored(report);
      for (ShardReport shard : report.shards()) {
        assertEquals(shard.index() != block, shard.state() == ShardState.OK, shard.toString());
        boolean silent = shard.state() == ShardState.OK || shard.state() == ShardState.MISSING;
        assertEquals(silent, shard.why().isEmpty(), shard.toString());
      }
      remove(c.box.root());
    }
  }

  private static void remove(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
