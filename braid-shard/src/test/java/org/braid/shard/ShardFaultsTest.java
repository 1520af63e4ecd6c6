package org.braid.shard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.shard.decode.DecodeReport;
import org.braid.shard.decode.DecodeRequest;
import org.braid.shard.decode.ShardDecoder;
import org.braid.shard.format.ShardHeader;
import org.braid.shard.report.ShardProgress;
import org.braid.shard.report.ShardRefusedException;
import org.braid.shard.report.ShardReport;
import org.braid.shard.report.ShardState;
import org.braid.shard.report.UnusedFile;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of damaged shard is named, and never replaced by decoding. */
final class ShardFaultsTest {
  @TempDir(factory = InMemory.class)
  Path directory;

  private final Random random = Seeds.random(ShardFaultsTest.class);

  /** Three stripes of rs-6-3, the last one shorter. */
  private Sandbox box;

  @BeforeEach
  void encode() throws IOException {
    box = Sandbox.of(directory, Codes.named("rs-6-3"), Sandbox.bytes(random, 1000));
  }

  private Sandbox other(String code) throws IOException {
    return Sandbox.of(directory, Sandbox.code(code), Sandbox.bytes(random, 1000));
  }

  /** Restores, and expects one shard in a state with a reason, all others in order. */
  private void assertNamed(int block, ShardState state, String why) throws IOException {
    DecodeReport report = box.restore();
    box.assertRestored(report);
    assertEquals(Sandbox.okBut(9, Map.of(block, state)), Sandbox.states(report));
    assertEquals(why, report.shards().get(block).why());
    assertEquals(List.of(), report.others());
  }

  @Test
  void everyBitOfTheHeaderIsGuarded() throws IOException {
    Path shard = box.shard(2);
    byte[] good = Files.readAllBytes(shard);
    for (int bit = 0; bit < 8 * box.headerBytes(); bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(shard, bad);
      try (FileChannel channel = FileChannel.open(shard)) {
        var e = assertThrows(ShardHeader.BadHeaderException.class, () -> ShardHeader.read(channel));
        boolean ends = e.state() == ShardState.TRUNCATED && bit / 8 >= 12 && bit / 8 < 16;
        assertTrue(ends || e.state() == ShardState.HEADER_DAMAGED, bit + ": " + e.getMessage());
      }
    }
    for (int at = 0; at < box.headerBytes(); at++) {
      Files.write(shard, good);
      box.flip(shard, at);
      DecodeReport report = box.restore();
      box.assertRestored(report);
      assertEquals("f.02.shard", report.shards().get(2).path());
      assertTrue(report.shards().get(2).why().contains("header"), report.toString());
      assertEquals(8, report.count(ShardState.OK));
      Files.delete(box.out());
    }
  }

  @Test
  void headerReasons() throws IOException {
    box.flip(box.shard(2), 0);
    assertNamed(
        2, ShardState.HEADER_DAMAGED, "header: it does not begin with the magic number of shards");
    Files.delete(box.out());
    box.flip(box.shard(2), 0);
    box.flip(box.shard(2), 9);
    assertNamed(
        2, ShardState.HEADER_DAMAGED, "header: its checksum does not match, bits have flipped");
  }

  @Test
  void bodyBits() throws IOException {
    int header = box.headerBytes();
    box.flip(box.shard(7), header + 68 + 5);
    assertNamed(
        7, ShardState.BODY_DAMAGED, "cells 1 of 3 do not match their checksums, bits have flipped");
    Files.delete(box.out());
    box.flip(box.shard(7), header + 64);
    assertNamed(
        7,
        ShardState.BODY_DAMAGED,
        "cells 0-1 of 3 do not match their checksums, bits have flipped");
  }

  @Test
  void shardsDamagedInDifferentStripesHelpEachOtherOut() throws IOException {
    for (int b = 0; b < 9; b++) {
      box.flip(box.shard(b), box.headerBytes() + 68 * (b / 3));
    }
    DecodeReport report = box.restoreAndRepair();
    box.assertRestored(report);
    assertEquals(9, report.count(ShardState.REPAIRED));
    Files.delete(box.out());
    assertEquals(9, box.restore().count(ShardState.OK));
  }

  @Test
  void truncatedAtEveryLength() throws IOException {
    byte[] good = Files.readAllBytes(box.shard(4));
    int header = box.headerBytes();
    for (int length = 0; length < good.length; length++) {
      Files.write(box.shard(4), Arrays.copyOf(good, length));
      DecodeReport report = box.restore();
      box.assertRestored(report);
      ShardReport shard = report.shards().get(4);
      assertEquals(ShardState.TRUNCATED, shard.state());
      String why =
          length < 20
              ? "the file ends inside the header, after "
                  + length
                  + " byte"
                  + (length == 1 ? "" : "s")
              : length < header
                  ? "the file ends inside the header, after " + length + " of " + header + " bytes"
                  : "%d of %d bytes; cells from %d on of 3 are missing"
                      .formatted(length, good.length, (length - header) / 68);
      assertEquals(why, shard.why());
      Files.delete(box.out());
    }
  }

  @Test
  void tooLong() throws IOException {
    byte[] good = Files.readAllBytes(box.shard(4));
    Files.write(box.shard(4), Arrays.copyOf(good, good.length + 5));
    assertNamed(4, ShardState.TOO_LONG, "5 bytes too many at its end");
    Files.delete(box.out());
    box.assertRestored(box.restoreAndRepair());
    assertEquals(-1, Arrays.mismatch(good, Files.readAllBytes(box.shard(4))));
  }

  @Test
  void tooManyLostSaysHowManyAreNeeded() throws IOException {
    for (int b : new int[] {0, 3, 4, 8}) {
      Files.delete(box.shard(b));
    }
    Files.delete(box.shard(1));
    Map<String, byte[]> before = box.snapshot();
    DecodeReport report = box.restoreAndRepair();
    assertEquals(
        "f: 4 of the 9 shards of rs-6-3 are available, at least 2 more are needed, for example 0, 1",
        report.problem().orElseThrow());
    assertEquals(5, report.count(ShardState.MISSING));
    box.assertNotRestored();
    Sandbox.assertSame(before, box.snapshot());
  }

  @Test
  void tooManyLostInOneStripe() throws IOException {
    Files.delete(box.shard(0));
    for (int b = 1; b < 4; b++) {
      box.flip(box.shard(b), box.headerBytes() + 68);
    }
    DecodeReport report = box.restoreAndRepair();
    assertEquals(
        "f: stripe 1 of 3: 5 of the 9 cells of rs-6-3 are available, at least 1 more is needed,"
            + " for example 0",
        report.problem().orElseThrow());
    assertEquals(3, report.count(ShardState.BODY_DAMAGED));
    box.assertNotRestored();
  }

  @Test
  void neededShardsAreCountedByRank() throws IOException {
    Sandbox grouped = other("grouped");
    for (int b : new int[] {0, 1, 4}) {
      Files.delete(grouped.shard(b));
    }
    // four of seven are left, which would be enough if they were independent
    assertEquals(
        "f: 4 of the 7 shards of grouped are available, at least 1 more is needed, for example 0",
        grouped.restore().problem().orElseThrow());
  }

  @Test
  void anotherSetAndAnotherCode() throws IOException {
    Files.move(other("rs-6-3").shard(5), box.directory().resolve("g.05.shard"));
    Files.move(other("coupled").shard(1), box.directory().resolve("g.01.shard"));
    Files.delete(box.shard(5));
    Files.writeString(box.directory().resolve("notes.txt"), "no shard");
    DecodeReport report = box.restore();
    box.assertRestored(report);
    assertEquals(Sandbox.okBut(9, Map.of(5, ShardState.MISSING)), Sandbox.states(report));
    assertEquals(2, report.others().size());
    UnusedFile code = report.others().get(0);
    UnusedFile set = report.others().get(1);
    assertEquals("g.01.shard", code.path());
    assertEquals(ShardState.OTHER_CODE, code.state());
    assertTrue(code.why().matches("shard 1 of f, coupled, set [0-9a-f]{8}"), code.why());
    assertEquals("g.05.shard", set.path());
    assertEquals(ShardState.OTHER_SET, set.state());
    assertTrue(set.why().matches("shard 5 of f, rs-6-3, set [0-9a-f]{8}"), set.why());
  }

  @Test
  void theLargerPartOfAMixIsTakenWhenItAloneIsEnough() throws IOException {
    Sandbox second = other("rs-6-3");
    for (int b = 0; b < 3; b++) {
      Files.copy(second.shard(b), box.shard(b), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
    DecodeReport report = box.restore();
    box.assertRestored(report);
    assertEquals(3, report.count(ShardState.MISSING));
    assertEquals(
        List.of(ShardState.OTHER_SET, ShardState.OTHER_SET, ShardState.OTHER_SET),
        report.others().stream().map(UnusedFile::state).toList());
    // Their places are taken by shards of the other set, which stay.
    Map<String, byte[]> before = box.snapshot();
    DecodeReport repair = box.decode(DecodeRequest.repair(box.directory()));
    assertTrue(
        repair.problem().orElseThrow().startsWith("not repaired: shard 0, "), repair.toString());
    assertTrue(repair.problem().orElseThrow().contains("f.02.shard exists and is not"));
    Sandbox.assertSame(before, box.snapshot());
  }

  @Test
  void neitherPartOfAMixIsEnough() throws IOException {
    Sandbox second = other("rs-6-3");
    for (int b = 0; b < 4; b++) {
      Files.copy(second.shard(b), box.shard(b), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
    DecodeReport report = box.restore();
    assertTrue(report.problem().orElseThrow().contains("5 of the 9 shards"), report.toString());
    assertEquals(4, report.others().size());
    box.assertNotRestored();
  }

  @Test
  void twoSetsThatAreBothEnoughAreAskedAbout() throws IOException {
    Sandbox second = other("rs-6-3");
    for (int b = 0; b < 6; b++) {
      Files.move(second.shard(b), box.directory().resolve("second." + b + ".shard"));
    }
    Map<String, byte[]> before = box.snapshot();
    var e = assertThrows(ShardRefusedException.class, box::restoreAndRepair);
    assertTrue(
        e.getMessage()
            .matches(
                ".* has 2 sets that can be restored, choose one with --set: set [0-9a-f]{8} of f"
                    + " \\(rs-6-3, 9 of 9 shards\\); set [0-9a-f]{8} of f \\(rs-6-3, 6 of 9"
                    + " shards\\)"),
        e.getMessage());
    box.assertNotRestored();
    Sandbox.assertSame(before, box.snapshot());
    String digits = e.getMessage().replaceFirst(".*?: set ([0-9a-f]{8}).*", "$1");
    box.assertRestored(
        box.decode(DecodeRequest.restore(box.directory(), box.out()).withSet(digits)));
    Path out = box.root().resolve("out2");
    DecodeReport none = box.decode(DecodeRequest.restore(box.directory(), out).withSet("nothex"));
    assertTrue(none.problem().orElseThrow().endsWith("has an id that begins with nothex"));
  }

  /** As after a crash while the shards of an older set were replaced. */
  @Test
  void aSetWithNamesIsPreferredToAHiddenOne() throws IOException {
    Sandbox second = other("rs-6-3");
    for (int b = 0; b < 9; b++) {
      Files.move(second.shard(b), box.directory().resolve(".braid-000000000000000" + b + ".tmp"));
    }
    DecodeReport report = box.restore();
    assertEquals(Optional.empty(), report.problem());
    assertArrayEquals(Files.readAllBytes(box.root().resolve("f")), Files.readAllBytes(box.out()));
    assertEquals(Sandbox.okBut(9, Map.of()), Sandbox.states(report));
    assertEquals(9, report.others().size());
    // Without the other set, the hidden one is used.
    for (int b = 0; b < 4; b++) {
      Files.delete(box.shard(b));
    }
    Files.delete(box.out());
    assertEquals(9, box.restore().count(ShardState.TEMPORARY));
    assertArrayEquals(
        Files.readAllBytes(second.root().resolve("f")), Files.readAllBytes(box.out()));
  }

  @Test
  void whatAnInterruptedRunLeavesIsNamed() throws IOException {
    String unfinished = ".braid-0000000000000000.tmp";
    String complete = ".braid-0000000000000001.tmp";
    Files.write(box.directory().resolve(unfinished), new byte[200]);
    Files.write(box.directory().resolve(".braid-notes.tmp"), new byte[200]);
    Files.move(box.shard(2), box.directory().resolve(complete));
    DecodeReport report = box.restore();
    assertEquals(Optional.empty(), report.problem());
    assertEquals(Sandbox.okBut(9, Map.of(2, ShardState.TEMPORARY)), Sandbox.states(report));
    assertEquals(complete, report.shards().get(2).path());
    assertEquals(
        "left by an interrupted run; a repair gives it its name", report.shards().get(2).why());
    assertEquals(
        List.of(
            new UnusedFile(
                unfinished,
                ShardState.TEMPORARY,
                "of a run that was interrupted or goes on; delete it if none goes on")),
        report.others());
  }

  @Test
  void duplicatesAreNamedAndUseful() throws IOException {
    Files.copy(box.shard(3), box.directory().resolve("copy"));
    Files.copy(box.shard(3), box.directory().resolve("a copy"));
    for (int b = 0; b < 3; b++) {
      Files.delete(box.shard(b));
    }
    box.flip(box.shard(3), box.headerBytes());
    DecodeReport report = box.restore();
    box.assertRestored(report);
    assertEquals(ShardState.BODY_DAMAGED, report.shards().get(3).state());
    assertEquals(
        List.of(
            new UnusedFile("a copy", ShardState.DUPLICATE, "shard 3 is also f.03.shard"),
            new UnusedFile("copy", ShardState.DUPLICATE, "shard 3 is also f.03.shard")),
        report.others());
  }

  @Test
  void unknownVersion() throws IOException {
    byte[] shard = Files.readAllBytes(box.shard(6));
    ByteBuffer header = ByteBuffer.wrap(shard, 0, box.headerBytes());
    header.putShort(8, (short) 2);
    header.putInt(ShardHeader.CHECKSUM_AT, ShardHeader.checksum(header.duplicate()));
    Files.write(box.shard(6), shard);
    assertNamed(
        6, ShardState.UNKNOWN_VERSION, "version 2 is not known, this program reads version 1");
    Files.delete(box.out());
    DecodeReport report = box.restoreAndRepair();
    String problem = report.problem().orElseThrow();
    assertTrue(problem.contains("f.06.shard exists: version 2 is not known"), problem);
    assertEquals(-1, Arrays.mismatch(shard, Files.readAllBytes(box.shard(6))));
  }

  /** Headers whose checksums are right, but which nobody writes. */
  @Test
  void forgedHeadersAreDamagedHeaders() throws IOException {
    byte[] good = Files.readAllBytes(box.shard(6));
    int name = 132 + "rs-6-3".length();
    Map<Integer, String> fields =
        Map.of(
            36, "block 1862270982 of 9",
            40, "its length does not fit its fields",
            44, "impossible code: n 9, k 1862270982, alpha 1",
            48, "a cell of 64 bytes is not a positive multiple of 1862270977 sub-blocks",
            52, "9 cells of 1862271040 bytes, a stripe takes at most 67108864 bytes",
            56, "a file of 7998392938210001896 bytes, shards take 0..72057594037927936",
            128, "its length does not fit its fields");
    for (Map.Entry<Integer, String> field : fields.entrySet()) {
      forge(good, field.getKey(), (byte) 'o');
      assertNamed(6, ShardState.HEADER_DAMAGED, "header: " + field.getValue());
      Files.delete(box.out());
    }
    forge(good, name, (byte) '/');
    assertNamed(6, ShardState.HEADER_DAMAGED, "header: \"/\" is not the name of a file");
    Files.delete(box.out());
    forge(good, name, (byte) 0xff);
    assertNamed(6, ShardState.HEADER_DAMAGED, "header: a name is not UTF-8");
  }

  private void forge(byte[] good, int at, byte value) throws IOException {
    byte[] shard = good.clone();
    shard[at] ^= at < 132 ? value : (byte) 0;
    shard[at] = at < 132 ? shard[at] : value;
    ByteBuffer header = ByteBuffer.wrap(shard, 0, box.headerBytes());
    header.putInt(ShardHeader.CHECKSUM_AT, ShardHeader.checksum(header.duplicate()));
    Files.write(box.shard(6), shard);
  }

  @Test
  void codesThatAreNotKnownOrHaveChanged() throws IOException {
    Sandbox coupled = other("coupled");
    ShardDecoder stranger = new ShardDecoder(org.braid.kernel.Kernels.scalar(), Codes::named);
    DecodeReport report =
        stranger.decode(
            DecodeRequest.restore(coupled.directory(), coupled.out()), ShardProgress.SILENT);
    assertTrue(
        report.problem().orElseThrow().contains("no code is named \"coupled\""), report.toString());
    assertEquals(4, report.others().size());
    ShardDecoder newer =
        new ShardDecoder(org.braid.kernel.Kernels.scalar(), name -> Sandbox.GROUPED);
    report =
        newer.decode(
            DecodeRequest.restore(coupled.directory(), coupled.out()), ShardProgress.SILENT);
    assertTrue(
        report
            .problem()
            .orElseThrow()
            .endsWith("its code coupled has another matrix than the one this program knows"),
        report.toString());
    coupled.assertNotRestored();
  }

  @Test
  void cellsAtWrongPlacesAreDamaged() throws IOException {
    byte[] shard = Files.readAllBytes(box.shard(1));
    int header = box.headerBytes();
    byte[] swapped = shard.clone();
    System.arraycopy(shard, header, swapped, header + 68, 68);
    System.arraycopy(shard, header + 68, swapped, header, 68);
    Files.write(box.shard(1), swapped);
    assertNamed(
        1,
        ShardState.BODY_DAMAGED,
        "cells 0-1 of 3 do not match their checksums, bits have flipped");
  }

  @Test
  void emptyMissingAndWrongDirectories() throws IOException {
    Path empty = Files.createDirectory(box.root().resolve("empty"));
    DecodeReport report = box.decode(DecodeRequest.restore(empty, box.out()));
    assertEquals(Optional.of("no shards in " + empty), report.problem());
    Files.write(empty.resolve("x.00.shard"), new byte[100]);
    report = box.decode(DecodeRequest.restore(empty, box.out()));
    assertEquals(
        Optional.of("no shard in " + empty + " has a header that can be used"), report.problem());
    assertEquals(ShardState.HEADER_DAMAGED, report.others().get(0).state());
    Path none = box.root().resolve("none");
    assertMessage(none + ": there is no such directory", DecodeRequest.restore(none, box.out()));
    Path file = box.root().resolve("f");
    assertMessage(file + ": is not a directory", DecodeRequest.restore(file, box.out()));
    box.assertNotRestored();
  }

  private void assertMessage(String message, DecodeRequest request) {
    var e = assertThrows(FileSystemException.class, () -> box.decode(request));
    assertEquals(message, e.getMessage());
  }
}
