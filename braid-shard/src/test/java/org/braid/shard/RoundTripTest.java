package org.braid.shard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.kernel.Kernels;
import org.braid.shard.decode.DecodeReport;
import org.braid.shard.decode.DecodeRequest;
import org.braid.shard.decode.ShardDecoder;
import org.braid.shard.encode.EncodeRequest;
import org.braid.shard.encode.ShardEncoder;
import org.braid.shard.format.ShardLayout;
import org.braid.shard.io.OverwritePolicy;
import org.braid.shard.report.ShardProgress;
import org.braid.shard.report.ShardState;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

final class RoundTripTest {
  @TempDir(factory = InMemory.class)
  Path directory;

  private final Random random = Seeds.random(RoundTripTest.class);

  private static Set<Integer> sizes(ErasureCode code) {
    int stripe =
        code.k() * EncodeRequest.of(code, Path.of("f"), Path.of("D")).withCell(64).fullCell();
    Set<Integer> sizes = new java.util.TreeSet<>(List.of(0, 1, 2, 3, 7, 3 * stripe + 17));
    for (int around : new int[] {code.k() * code.alpha(), stripe, 2 * stripe}) {
      sizes.addAll(List.of(around - 1, around, around + 1));
    }
    return sizes;
  }

  /** Some blocks that may be lost together, as many as are found one by one. */
  private List<Integer> loss(ErasureCode code) {
    List<Integer> lost = new ArrayList<>();
    for (int b : random.ints(0, code.n()).limit(2L * code.n()).toArray()) {
      List<Integer> more = new ArrayList<>(lost);
      more.add(b);
      if (!lost.contains(b) && Solver.decodable(code, more)) {
        lost = more;
      }
    }
    return lost;
  }

  @Test
  void anySizeComesBackFromAllShardsAndFromAsFewAsPossible() throws IOException {
    for (ErasureCode code : Sandbox.ALL) {
      for (int size : sizes(code)) {
        Sandbox box = Sandbox.of(directory, code, Sandbox.bytes(random, size));
        Map<String, byte[]> original = box.snapshot();
        assertEquals(code.n(), original.size());
        for (byte[] shard : original.values()) {
          assertEquals(box.headerBytes() + box.layout().bodyBytes(), shard.length);
        }
        DecodeReport whole = box.restore();
        box.assertRestored(whole);
        assertEquals(Sandbox.okBut(code.n(), Map.of()), Sandbox.states(whole));
        Files.delete(box.out());
        List<Integer> lost = loss(code);
        for (int b : lost) {
          Files.delete(box.shard(b));
        }
        DecodeReport report = box.restoreAndRepair();
        box.assertRestored(report);
        assertEquals(lost.size(), report.count(ShardState.REPAIRED), code.name() + " " + lost);
        Sandbox.assertSame(original, box.snapshot());
      }
    }
  }

  @Test
  void dataShardsHoldTheFileCellByCell() throws IOException {
    byte[] content = Sandbox.bytes(random, 6 * 64 + 13);
    Sandbox box = Sandbox.of(directory, Codes.named("rs-6-3"), content);
    byte[] shard = Files.readAllBytes(box.shard(1));
    int at = box.headerBytes();
    assertArrayEquals(
        java.util.Arrays.copyOfRange(content, 64, 128),
        java.util.Arrays.copyOfRange(shard, at, at + 64));
    // 13 bytes in six cells of three
    assertArrayEquals(
        java.util.Arrays.copyOfRange(content, 6 * 64 + 3, 6 * 64 + 6),
        java.util.Arrays.copyOfRange(shard, at + 68, at + 71));
    assertEquals(at + 68 + 3 + 4, shard.length);
  }

  @Test
  void racksAreDirectories() throws IOException {
    Sandbox box = Sandbox.of(directory, Sandbox.RACKED, Sandbox.bytes(random, 1000));
    assertEquals(
        Set.of(
            "rack0/f.00.shard",
            "rack1/f.01.shard",
            "rack0/f.02.shard",
            "rack1/f.03.shard",
            "rack2/f.04.shard",
            "rack2/f.05.shard"),
        box.snapshot().keySet());
    for (int b : new int[] {0, 2, 4, 5}) {
      Files.delete(box.shard(b));
    }
    Files.delete(box.directory().resolve("rack0"));
    Files.delete(box.directory().resolve("rack2"));
    DecodeReport report = box.restoreAndRepair();
    box.assertRestored(report);
    assertEquals(4, report.count(ShardState.REPAIRED));
    assertEquals(2, report.shards().get(5).rack().orElseThrow());
  }

  @Test
  void shardsMayBeRenamedAndMoved() throws IOException {
    Sandbox box = Sandbox.of(directory, Codes.named("rs-6-3"), Sandbox.bytes(random, 1000));
    Path sub = Files.createDirectory(box.directory().resolve("elsewhere"));
    for (int b = 0; b < 9; b++) {
      Files.move(box.shard(b), (b % 2 == 0 ? sub : box.directory()).resolve("x" + (8 - b)));
    }
    DecodeReport report = box.restore();
    box.assertRestored(report);
    assertEquals(Sandbox.okBut(9, Map.of()), Sandbox.states(report));
    assertEquals("elsewhere/x8", report.shards().get(0).path());
  }

  @Test
  void longAndForeignNames() throws IOException {
    for (String name : new String[] {"\u00e4\u6f22".repeat(50), "a b'c\n", "-", "x.00.shard"}) {
      Path file = Files.write(directory.resolve(name), Sandbox.bytes(random, 100));
      Path shards = directory.resolve("shards of " + name.length());
      EncodeRequest request = EncodeRequest.of(Codes.named("rs-6-3"), file, shards);
      new ShardEncoder(Kernels.active()).encode(request, ShardProgress.SILENT);
      Path out = directory.resolve("out" + name.length());
      ShardDecoder decoder = new ShardDecoder(Kernels.active(), Codes::named);
      DecodeReport report =
          decoder.decode(DecodeRequest.restore(shards, out), ShardProgress.SILENT);
      assertTrue(report.problem().isEmpty(), name);
      assertEquals(name, report.set().orElseThrow().name());
      assertEquals(-1, Files.mismatch(file, out));
    }
  }

  @Test
  void progressEndsAtTheLength() throws IOException {
    Sandbox box = Sandbox.of(directory, Codes.named("rs-6-3"), Sandbox.bytes(random, 1000));
    List<String> heard = new ArrayList<>();
    ShardProgress progress = (phase, done, total) -> heard.add(phase + " " + done + "/" + total);
    new ShardEncoder(Kernels.active())
        .encode(box.request().withOverwrite(OverwritePolicy.REPLACE), progress);
    Files.delete(box.shard(3));
    new ShardDecoder(Kernels.active(), Codes::named)
        .decode(
            DecodeRequest.restore(box.directory(), box.out())
                .withRepair(DecodeRequest.Repair.SHARDS),
            progress);
    List<String> expected = new ArrayList<>();
    for (String phase : List.of("encoding", "decoding", "repairing")) {
      IntStream.of(384, 768, 1000).forEach(done -> expected.add(phase + " " + done + "/1000"));
    }
    assertEquals(expected, heard);
  }

  @Test
  void positionsBeyondTwoGigabytes() {
    ShardLayout layout = new ShardLayout(6, 1, 64, 6L * 64 * 100_000_000 + 1);
    assertEquals(100_000_001, layout.stripes());
    assertEquals(6_800_000_000L, layout.offset(100_000_000));
    assertEquals(6_800_000_005L, layout.bodyBytes());
    assertEquals(384, layout.dataBytes(99_999_999));
    assertEquals(1, layout.dataBytes(100_000_000));
    assertEquals(1, layout.cellBytes(100_000_000));
    ShardLayout coupled = new ShardLayout(2, 3, 6, 13);
    assertEquals(2, coupled.stripes());
    assertEquals(3, coupled.cellBytes(1));
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void moreThanTwoGigabytes(@TempDir Path disk) throws IOException {
    Path file = disk.resolve("f");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength((5L << 30) + 12345);
      for (long at = 0; at < sparse.length(); at += 100_000_007) {
        sparse.seek(at);
        sparse.write(Sandbox.bytes(random, 1000));
      }
    }
    ErasureCode code = Codes.named("rs-2-1");
    Path shards = disk.resolve("D");
    new ShardEncoder(Kernels.active())
        .encode(EncodeRequest.of(code, file, shards), ShardProgress.SILENT);
    Files.delete(shards.resolve("f.01.shard"));
    Path out = disk.resolve("out");
    DecodeReport report =
        new ShardDecoder(Kernels.active(), Codes::named)
            .decode(
                DecodeRequest.restore(shards, out).withRepair(DecodeRequest.Repair.SHARDS),
                ShardProgress.SILENT);
    assertTrue(report.problem().isEmpty());
    assertEquals(-1, Files.mismatch(file, out));
  }
}
