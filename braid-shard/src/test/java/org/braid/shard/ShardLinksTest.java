package org.braid.shard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.kernel.Kernels;
import org.braid.shard.decode.DecodeReport;
import org.braid.shard.decode.DecodeRequest;
import org.braid.shard.encode.EncodeRequest;
import org.braid.shard.encode.ShardEncoder;
import org.braid.shard.io.OverwritePolicy;
import org.braid.shard.report.ShardProgress;
import org.braid.shard.report.ShardRefusedException;
import org.braid.shard.report.ShardState;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards and directories of shards that are links, in overwrites that fail and after crashes. */
final class ShardLinksTest {
  @TempDir(factory = InMemory.class)
  Path directory;

  private final Random random = Seeds.random(ShardLinksTest.class);

  private Sandbox box(String code) throws IOException {
    return Sandbox.of(directory, Sandbox.code(code), Sandbox.bytes(random, 1000));
  }

  private static Path disk(Sandbox box) throws IOException {
    return Files.createDirectory(box.root().resolve("disk"));
  }

  /** Moves a shard to a file and leaves a link to it. */
  private static void moveAndLink(Path shard, Path file) throws IOException {
    Files.move(shard, file);
    Files.createSymbolicLink(shard, file);
  }

  private static List<Path> list(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  /** Work during the encoding of the first stripe. */
  private interface Meanwhile {
    void run() throws IOException;
  }

  private static void encode(EncodeRequest request, Meanwhile work) throws IOException {
    boolean[] done = new boolean[1];
    ShardProgress progress =
        (phase, bytes, total) -> {
          try {
            if (!done[0]) {
              work.run();
            }
            done[0] = true;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    new ShardEncoder(Kernels.active()).encode(request, progress);
  }

  /** The new shards of a directory then cannot get their names. */
  private static void loseTemporaries(Path directory) throws IOException {
    for (Path file : list(directory)) {
      if (file.toString().endsWith(".tmp")) {
        Files.delete(file);
      }
    }
  }

  private static EncodeRequest again(Sandbox box) {
    return box.request().withOverwrite(OverwritePolicy.REPLACE);
  }

  @Test
  void aFailureBringsBackTheShardsOfRacksThatShareADirectory() throws IOException {
    Sandbox box = box("racked");
    Path rack0 = box.directory().resolve("rack0");
    Path rack1 = box.directory().resolve("rack1");
    for (Path shard : list(rack1)) {
      Files.move(shard, rack0.resolve(shard.getFileName()));
    }
    Files.delete(rack1);
    Files.createSymbolicLink(rack1, rack0);
    Map<String, byte[]> before = box.snapshot();
    assertThrows(
        FileSystemException.class,
        () -> encode(again(box), () -> loseTemporaries(box.directory().resolve("rack2"))));
    Sandbox.assertSame(before, box.snapshot());
    box.assertRestored(box.restore());
  }

  @Test
  void linksInRacksThatShareADirectoryStay() throws IOException {
    Sandbox box = box("racked");
    Path rack0 = box.directory().resolve("rack0");
    Path rack1 = box.directory().resolve("rack1");
    Path disk = disk(box);
    moveAndLink(box.shard(1), disk.resolve("1"));
    for (Path shard : list(rack1)) {
      Files.move(shard, rack0.resolve(shard.getFileName()));
    }
    Files.delete(rack1);
    Files.createSymbolicLink(rack1, rack0);
    box.encode(again(box));
    assertTrue(Files.isSymbolicLink(box.shard(1)));
    DecodeReport report = box.restore();
    box.assertRestored(report);
    assertEquals(List.of(disk.resolve("1")), list(disk));
    assertEquals(6, report.count(ShardState.OK));
  }

  /** Both are damaged, so that no header says which shard the file is. */
  @Test
  void aRepairRefusesALinkToAnotherDamagedShard() throws IOException {
    Sandbox box = box("rs-6-3");
    Files.delete(box.shard(3));
    box.flip(box.shard(5), 0);
    Files.createSymbolicLink(box.shard(3), box.shard(5));
    DecodeReport report = box.decode(DecodeRequest.repair(box.directory()));
    assertEquals(
        Optional.of(
            "not repaired: shard 3, %s leads to the same file as %s; move one away"
                .formatted(box.shard(3), box.shard(5))),
        report.problem());
    assertEquals(ShardState.REPAIRED, report.shards().get(5).state());
  }

  /** The same file is seen as an old shard and as the place of a new one. */
  @Test
  void aFailureBringsBackAShardThatASecondNameLeadsTo() throws IOException {
    Sandbox box = box("rs-6-3");
    Path rack = Files.createDirectory(box.directory().resolve("rack7"));
    moveAndLink(box.shard(3), rack.resolve("f.03.shard"));
    Path disk = disk(box);
    moveAndLink(box.shard(8), disk.resolve("8"));
    Map<String, byte[]> before = box.snapshot();
    Path link = Files.createSymbolicLink(box.root().resolve("link"), box.directory());
    EncodeRequest request =
        EncodeRequest.of(box.code(), box.root().resolve("f"), link)
            .withOverwrite(OverwritePolicy.REPLACE);
    assertThrows(FileSystemException.class, () -> encode(request, () -> loseTemporaries(disk)));
    Sandbox.assertSame(before, box.snapshot());
    box.assertRestored(box.restore());
  }

  private static Path hidden(Path directory, int number) {
    return directory.resolve(".braid-%016x.tmp".formatted(number));
  }

  /** As a crash leaves shards behind links after they are set aside. */
  private static void crash(Sandbox box, Path disk, Path lead, int... blocks) throws IOException {
    for (int b : blocks) {
      Files.move(box.shard(b), hidden(disk, b));
      Files.createSymbolicLink(hidden(box.directory(), 100 + b), hidden(disk, b));
      Files.createSymbolicLink(box.shard(b), lead.resolve("f." + b));
    }
  }

  private static void assertWhole(Sandbox box) throws IOException {
    DecodeReport whole = box.restore();
    box.assertRestored(whole);
    assertEquals(Sandbox.okBut(9, Map.of()), Sandbox.states(whole));
    assertEquals(List.of(), whole.others());
  }

  @Test
  void aRepairAfterACrashWritesShardsWhereTheirLinksLead() throws IOException {
    Sandbox box = box("rs-6-3");
    Map<String, byte[]> original = box.snapshot();
    Path disk = disk(box);
    crash(box, disk, disk, 2, 3);
    Files.delete(box.shard(5));
    Files.createSymbolicLink(box.shard(5), disk.resolve("f.5"));
    DecodeReport report = box.decode(DecodeRequest.repair(box.directory()));
    assertEquals(Optional.empty(), report.problem());
    assertEquals(3, report.count(ShardState.REPAIRED));
    Sandbox.assertSame(original, box.snapshot());
    assertEquals(
        List.of(disk.resolve("f.2"), disk.resolve("f.3"), disk.resolve("f.5")), list(disk));
    for (int b : new int[] {2, 3, 5}) {
      assertTrue(Files.isSymbolicLink(box.shard(b)));
    }
    assertWhole(box);
  }

  @Test
  void aLinkIntoNoDirectoryIsReplacedByTheRepairedShard() throws IOException {
    Sandbox box = box("rs-6-3");
    Map<String, byte[]> original = box.snapshot();
    Path disk = disk(box);
    crash(box, disk, box.root().resolve("none"), 2);
    DecodeReport report = box.decode(DecodeRequest.repair(box.directory()));
    assertEquals(Optional.empty(), report.problem());
    assertFalse(Files.isSymbolicLink(box.shard(2)));
    Sandbox.assertSame(original, box.snapshot());
    assertEquals(List.of(), list(disk));
    assertWhole(box);
  }

  /** One would be written over the other. */
  @Test
  void aRepairRefusesALinkToThePlaceOfAnotherShard() throws IOException {
    Sandbox box = box("rs-6-3");
    Files.delete(box.shard(3));
    Files.delete(box.shard(5));
    Files.createSymbolicLink(box.shard(3), box.shard(5));
    DecodeReport report = box.decode(DecodeRequest.repair(box.directory()));
    assertEquals(
        Optional.of(
            "not repaired: shard 3, %s leads to the same file as %s; move one away"
                .formatted(box.shard(3), box.shard(5))),
        report.problem());
    assertEquals(ShardState.REPAIRED, report.shards().get(5).state());
    box.assertNothingTemporary();
  }

  /** A hidden link may lead to a file of somebody else by now. */
  @Test
  void aRepairDeletesNoFileWithAnotherNameBehindAHiddenLink() throws IOException {
    Sandbox box = box("rs-6-3");
    Path disk = disk(box);
    Path kept = disk.resolve("kept");
    Files.move(box.shard(2), kept);
    Files.createSymbolicLink(hidden(box.directory(), 2), kept);
    assertEquals(Optional.empty(), box.decode(DecodeRequest.repair(box.directory())).problem());
    assertEquals(List.of(kept), list(disk));
    assertWhole(box);
  }

  @Test
  void aHiddenLinkToNothingIsNamed() throws IOException {
    Sandbox box = box("rs-6-3");
    Path link = hidden(box.directory(), 2);
    Files.createSymbolicLink(link, hidden(disk(box), 2));
    DecodeReport report = box.decode(DecodeRequest.restore(box.directory(), box.out()));
    assertEquals(1, report.others().size());
    assertEquals(link.getFileName().toString(), report.others().get(0).path());
    assertEquals(ShardState.TEMPORARY, report.others().get(0).state());
  }

  @Test
  void anOverwriteWritesWhereALinkToNothingLeads() throws IOException {
    Sandbox box = box("rs-6-3");
    Path disk = disk(box);
    Files.delete(box.shard(2));
    Files.delete(box.shard(3));
    Files.createSymbolicLink(disk.resolve("second"), Path.of("f.2"));
    Files.createSymbolicLink(box.shard(2), Path.of("../disk/second"));
    Files.createSymbolicLink(box.shard(3), box.root().resolve("none/f.3"));
    box.encode(again(box));
    assertTrue(Files.isSymbolicLink(box.shard(2)));
    assertFalse(Files.isSymbolicLink(box.shard(3)));
    assertTrue(Files.isRegularFile(disk.resolve("f.2")));
    assertWhole(box);
  }

  @Test
  void linksToOneMissingFileAreRefused() throws IOException {
    Sandbox box = box("rs-6-3");
    Path disk = disk(box);
    Path second = Files.createSymbolicLink(box.root().resolve("disk2"), disk);
    Files.delete(box.shard(2));
    Files.delete(box.shard(3));
    Files.createSymbolicLink(box.shard(2), disk.resolve("x"));
    Files.createSymbolicLink(box.shard(3), second.resolve("x"));
    var e = assertThrows(FileSystemException.class, () -> box.encode(again(box)));
    assertEquals(
        box.shard(3) + ": leads to the same file as " + box.shard(2) + "; move one away",
        e.getMessage());
  }

  /** It takes no hidden link, as a directory without write permission. */
  @Test
  void theDirectoryThatTakesNoHiddenLinkIsNamed() throws IOException {
    Sandbox box = box("racked");
    Path rack = box.directory().resolve("rack2");
    Path disk = disk(box);
    moveAndLink(box.shard(4), disk.resolve("4"));
    moveAndLink(box.shard(5), disk.resolve("5"));
    byte[] old = Files.readAllBytes(disk.resolve("4"));
    Path away = box.root().resolve("away");
    for (boolean file : new boolean[] {true, false}) {
      var e =
          assertThrows(
              FileSystemException.class,
              () ->
                  encode(
                      again(box),
                      () -> {
                        Files.move(rack, away);
                        if (file) {
                          Files.writeString(rack, "");
                        }
                      }));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.startsWith(rack + ": cannot be written: "), message);
      Files.deleteIfExists(rack);
      Files.move(away, rack);
      assertEquals(List.of(disk.resolve("4"), disk.resolve("5")), list(disk));
      assertArrayEquals(old, Files.readAllBytes(disk.resolve("4")));
    }
    box.assertRestored(box.restore());
  }

  @Test
  void anOverwriteDoesNotReplaceAFileThatIsNoShard() throws IOException {
    Sandbox box = box("rs-6-3");
    Path notes = Files.writeString(box.root().resolve("notes"), "precious");
    Files.delete(box.shard(2));
    Files.createSymbolicLink(box.shard(2), notes);
    Map<String, byte[]> before = box.snapshot();
    var e = assertThrows(ShardRefusedException.class, () -> box.encode(again(box)));
    assertEquals(
        box.shard(2)
            + " leads to "
            + notes.toRealPath()
            + ", which is no shard and is not replaced",
        e.getMessage());
    Sandbox.assertSame(before, box.snapshot());
  }

  @Test
  void anOverwriteReplacesEmptyAndDamagedShardsBehindLinks() throws IOException {
    Sandbox box = box("rs-6-3");
    Path disk = disk(box);
    for (int b = 2; b < 4; b++) {
      moveAndLink(box.shard(b), disk.resolve("f." + b));
    }
    Files.write(disk.resolve("f.2"), new byte[0]);
    box.flip(disk.resolve("f.3"), 30);
    box.encode(again(box));
    assertTrue(Files.isSymbolicLink(box.shard(2)) && Files.isSymbolicLink(box.shard(3)));
    assertWhole(box);
  }

  @Test
  void aRestoredFileReplacesTheFileThatALinkLeadsTo() throws IOException {
    Sandbox box = box("rs-6-3");
    Path real = Files.writeString(disk(box).resolve("real"), "old");
    Files.createSymbolicLink(box.root().resolve("second"), Path.of("disk/real"));
    Files.createSymbolicLink(box.out(), Path.of("second"));
    DecodeRequest request = DecodeRequest.restore(box.directory(), box.out());
    assertThrows(ShardRefusedException.class, () -> box.decode(request));
    assertEquals("old", Files.readString(real));
    box.assertRestored(box.decode(request.withOverwrite(OverwritePolicy.REPLACE)));
    assertEquals(Path.of("second"), Files.readSymbolicLink(box.out()));
    assertTrue(Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS));
    assertArrayEquals(Files.readAllBytes(box.root().resolve("f")), Files.readAllBytes(real));
    assertEquals(List.of(real), list(real.getParent()), "nothing is left beside it");
  }

  /** Earlier releases cut the longer name at the end of the shorter one. */
  @Test
  void aFileDoesNotTakeTheShardsOfALongerName() throws IOException {
    Sandbox box = box("rs-6-3");
    // The next character of the longer name has two bytes.
    for (String begin : new String[] {"n".repeat(200), "n".repeat(199)}) {
      Path shards = box.root().resolve("E" + begin.length());
      byte[] content = Sandbox.bytes(random, 100);
      Path longer = Files.write(box.root().resolve(begin + "\u00e9"), content);
      box.encode(EncodeRequest.of(Codes.named("rs-6-3"), longer, shards));
      for (Path shard : list(shards)) {
        String name = shard.getFileName().toString();
        Files.move(shard, shards.resolve(begin + name.substring(name.indexOf('.'))));
      }
      List<Path> old = list(shards);
      Path file = Files.write(box.root().resolve(begin), content);
      for (OverwritePolicy policy : OverwritePolicy.values()) {
        var e =
            assertThrows(
                ShardRefusedException.class,
                () ->
                    box.encode(
                        EncodeRequest.of(Codes.named("rs-2-1"), file, shards)
                            .withOverwrite(policy)));
        assertEquals(
            old.get(0)
                + " has no header of a shard of this file; it may be of a file with a longer name,"
                + " move it away",
            e.getMessage());
      }
      assertEquals(old, list(shards));
      for (Path shard : old.subList(0, 3)) {
        Files.delete(shard);
      }
      EncodeRequest narrow = EncodeRequest.of(Codes.named("rs-2-1"), file, shards);
      box.encode(narrow);
      box.encode(narrow.withOverwrite(OverwritePolicy.REPLACE));
      assertEquals(old, list(shards), "six shards of the longer name and three new ones");
    }
  }
}
