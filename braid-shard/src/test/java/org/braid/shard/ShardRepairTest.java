package org.braid.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.shard.decode.DecodeReport;
import org.braid.shard.decode.DecodeRequest;
import org.braid.shard.format.CellChecksum;
import org.braid.shard.format.SetId;
import org.braid.shard.report.ShardState;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShardRepairTest {
  @TempDir(factory = InMemory.class)
  Path directory;

  private final Random random = Seeds.random(ShardRepairTest.class);

  private static DecodeReport repair(Sandbox box) throws IOException {
    DecodeReport report = box.decode(DecodeRequest.repair(box.directory()));
    box.assertNotRestored();
    return report;
  }

  @Test
  void aLocalGroupRepairsItsShardAlone() throws IOException {
    Sandbox box = Sandbox.of(directory, Sandbox.GROUPED, Sandbox.bytes(random, 10_000));
    Map<String, byte[]> original = box.snapshot();
    for (int lost : new int[] {1, 2, 5}) {
      Files.delete(box.shard(lost));
      DecodeReport report = repair(box);
      assertEquals(Optional.empty(), report.problem());
      Sandbox.assertSame(original, box.snapshot());
      List<Integer> read =
          IntStream.range(0, 7)
              .filter(b -> report.shards().get(b).state() == ShardState.OK)
              .boxed()
              .toList();
      assertEquals(
          switch (lost) {
            case 1 -> List.of(0, 4);
            case 2 -> List.of(3, 5);
            default -> List.of(2, 3);
          },
          read);
      long shard = box.headerBytes() + box.layout().bodyBytes();
      assertEquals(2 * shard + 4L * box.headerBytes(), report.bytesRead());
      assertEquals(shard, report.bytesWritten());
      assertEquals("was missing", report.shards().get(lost).why());
    }
  }

  @Test
  void damageFoundWhileRepairingIsRepairedToo() throws IOException {
    Sandbox box = Sandbox.of(directory, Sandbox.GROUPED, Sandbox.bytes(random, 10_000));
    Map<String, byte[]> original = box.snapshot();
    Files.delete(box.shard(1));
    box.flip(box.shard(0), box.headerBytes() + 3 * 68);
    DecodeReport report = repair(box);
    assertEquals(Optional.empty(), report.problem());
    Sandbox.assertSame(original, box.snapshot());
    assertEquals(ShardState.REPAIRED, report.shards().get(0).state());
    assertEquals(
        "cells 3 of 40 do not match their checksums, bits have flipped",
        report.shards().get(0).why());
  }

  @Test
  void withNothingMissingAllIsRead() throws IOException {
    Sandbox box = Sandbox.of(directory, Codes.named("rs-6-3"), Sandbox.bytes(random, 1000));
    Map<String, byte[]> original = box.snapshot();
    box.flip(box.shard(8), box.headerBytes() + 70);
    DecodeReport report = repair(box);
    assertEquals(Sandbox.okBut(9, Map.of(8, ShardState.REPAIRED)), Sandbox.states(report));
    Sandbox.assertSame(original, box.snapshot());
  }

  @Test
  void goodCellsOfADamagedShardAreKept() throws IOException {
    Sandbox box = Sandbox.of(directory, Codes.named("rs-6-3"), Sandbox.bytes(random, 1000));
    Map<String, byte[]> original = box.snapshot();
    // Shard 0 keeps cell 0, and without it only five cells of stripe 0 are left.
    box.truncate(box.shard(0), box.headerBytes() + 68);
    for (int b = 1; b < 4; b++) {
      box.flip(box.shard(b), box.headerBytes() + 5);
    }
    DecodeReport report = box.restoreAndRepair();
    box.assertRestored(report);
    Sandbox.assertSame(original, box.snapshot());
    assertEquals(
        Sandbox.okBut(
            9,
            Map.of(
                0, ShardState.REPAIRED,
                1, ShardState.REPAIRED,
                2, ShardState.REPAIRED,
                3, ShardState.REPAIRED)),
        Sandbox.states(report));
  }

  /** A shard whose every checksum is right, but whose cells are of another file. */
  @Test
  void aRepairIsMeasuredAgainstTheSeals() throws IOException {
    Sandbox box = Sandbox.of(directory, Codes.named("rs-6-3"), Sandbox.bytes(random, 384));
    byte[] shard = Files.readAllBytes(box.shard(3));
    int header = box.headerBytes();
    SetId id = SetId.read(ByteBuffer.wrap(shard, 20, 16));
    shard[header] ^= 1;
    int checksum = CellChecksum.of(id, 3, 0, ByteBuffer.wrap(shard, header, 64));
    ByteBuffer.wrap(shard).putInt(header + 64, checksum);
    Files.write(box.shard(3), shard);
    Files.delete(box.shard(0));
    Map<String, byte[]> before = box.snapshot();
    assertEquals(
        "f: shard 0 was rebuilt with other checksums than the headers of the set have",
        repair(box).problem().orElseThrow());
    Sandbox.assertSame(before, box.snapshot());
    String restored = box.restore().problem().orElseThrow();
    assertTrue(restored.startsWith("f: the restored file has SHA-256 "), restored);
    box.assertNotRestored();
  }

  @Test
  void anEmptyFileHasShardsToRepairToo() throws IOException {
    Sandbox box = Sandbox.of(directory, Codes.named("rs-6-3"), new byte[0]);
    Map<String, byte[]> original = box.snapshot();
    Files.delete(box.shard(0));
    box.flip(box.shard(1), 100);
    box.truncate(box.shard(2), 50);
    DecodeReport report = box.restoreAndRepair();
    box.assertRestored(report);
    assertEquals(3, report.count(ShardState.REPAIRED));
    Sandbox.assertSame(original, box.snapshot());
  }

  private static final String HIDDEN = ".braid-0123456789abcdef.tmp";

  /** An interrupted repair leaves a complete shard under a hidden name. */
  @Test
  void aShardUnderAHiddenNameGetsItsName() throws IOException {
    Sandbox box = Sandbox.of(directory, Codes.named("rs-6-3"), Sandbox.bytes(random, 1000));
    Map<String, byte[]> original = box.snapshot();
    Path hidden = box.directory().resolve(HIDDEN);
    for (boolean damaged : new boolean[] {false, true}) {
      Files.move(box.shard(3), hidden);
      if (damaged) {
        box.flip(hidden, box.headerBytes() + 5);
        Files.write(box.shard(3), new byte[10]);
      }
      DecodeReport report = repair(box);
      assertEquals(Optional.empty(), report.problem());
      assertEquals(ShardState.REPAIRED, report.shards().get(3).state());
      assertEquals("f.03.shard", report.shards().get(3).path());
      assertEquals(List.of(), report.others());
      Sandbox.assertSame(original, box.snapshot());
    }
  }

  @Test
  void aWholeShardUnderAHiddenNameReplacesItsTruncatedNamesake() throws IOException {
    Sandbox box = Sandbox.of(directory, Codes.named("rs-6-3"), Sandbox.bytes(random, 1000));
    Map<String, byte[]> original = box.snapshot();
    Files.copy(box.shard(3), box.directory().resolve(HIDDEN));
    box.truncate(box.shard(3), box.headerBytes() + 68);
    DecodeReport report = repair(box);
    assertEquals(ShardState.REPAIRED, report.shards().get(3).state());
    Sandbox.assertSame(original, box.snapshot());
  }

  @Test
  void aShardUnderAHiddenNameStaysWhenItsNameIsTaken() throws IOException {
    Sandbox box = Sandbox.of(directory, Codes.named("rs-6-3"), Sandbox.bytes(random, 1000));
    Sandbox other = Sandbox.of(directory, Codes.named("rs-6-3"), Sandbox.bytes(random, 1000));
    Files.move(box.shard(3), box.directory().resolve(HIDDEN));
    Files.copy(other.shard(3), box.shard(3));
    Files.delete(box.shard(4));
    Files.copy(other.shard(4), box.shard(4));
    Map<String, byte[]> before = box.snapshot();
    DecodeReport report = box.decode(DecodeRequest.repair(box.directory()));
    String taken = " exists and is not a damaged copy of it; move it away and repair again";
    assertEquals(
        Optional.of(
            "not repaired: shard 3, %s%s; shard 4, %s%s"
                .formatted(box.shard(3), taken, box.shard(4), taken)),
        report.problem());
    assertEquals(ShardState.TEMPORARY, report.shards().get(3).state());
    Sandbox.assertSame(before, box.snapshot());
  }

  /** A shard may be a link to a file on another disk. */
  @Test
  void aLinkedShardIsRepairedWhereItIs() throws IOException {
    Sandbox box = Sandbox.of(directory, Codes.named("rs-6-3"), Sandbox.bytes(random, 1000));
    Map<String, byte[]> original = box.snapshot();
    Path disk = Files.createDirectory(box.root().resolve("disk3"));
    int[] damage = {0, box.headerBytes() + 5};
    for (int b = 3; b < 5; b++) {
      Path real = disk.resolve("f." + b);
      Files.move(box.shard(b), real);
      Files.createSymbolicLink(box.shard(b), real);
      box.flip(real, damage[b - 3]);
    }
    DecodeReport report = repair(box);
    assertEquals(2, report.count(ShardState.REPAIRED));
    for (int b = 3; b < 5; b++) {
      assertTrue(Files.isSymbolicLink(box.shard(b)));
    }
    Sandbox.assertSame(original, box.snapshot());
  }
}
