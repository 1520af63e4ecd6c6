package org.braid.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.kernel.Kernels;
import org.braid.shard.decode.DecodeRequest;
import org.braid.shard.encode.EncodeReport;
import org.braid.shard.encode.EncodeRequest;
import org.braid.shard.encode.ShardEncoder;
import org.braid.shard.io.OverwritePolicy;
import org.braid.shard.report.ShardProgress;
import org.braid.shard.report.ShardRefusedException;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is replaced without request, and nothing incomplete is left. */
final class ShardWriteTest {
  @TempDir(factory = InMemory.class)
  Path directory;

  private final Random random = Seeds.random(ShardWriteTest.class);
  private Sandbox box;

  @BeforeEach
  void encode() throws IOException {
    box = Sandbox.of(directory, Codes.named("rs-6-3"), Sandbox.bytes(random, 1000));
  }

  private static String message(Class<? extends IOException> type, Action action) {
    return String.valueOf(assertThrows(type, action::run).getMessage());
  }

  private interface Action {
    void run() throws IOException;
  }

  @Test
  void shardsAreNotWrittenOver() throws IOException {
    Map<String, byte[]> before = box.snapshot();
    String message = message(ShardRefusedException.class, () -> box.encode(box.request()));
    assertEquals(box.shard(0) + " exists; it is replaced with --overwrite only", message);
    Sandbox.assertSame(before, box.snapshot());
    // also not when only one of them is left, or when the code has other shards
    for (int b = 0; b < 8; b++) {
      Files.delete(box.shard(b));
    }
    EncodeRequest wide =
        EncodeRequest.of(Codes.named("rs-2-1"), box.root().resolve("f"), box.directory());
    message = message(ShardRefusedException.class, () -> box.encode(wide));
    assertTrue(message.startsWith(box.shard(8) + " exists"), message);
    assertEquals(1, box.snapshot().size());
  }

  @Test
  void overwritingReplacesTheWholeSet() throws IOException {
    EncodeRequest wide =
        EncodeRequest.of(Codes.named("rs-2-1"), box.root().resolve("f"), box.directory());
    Files.writeString(box.directory().resolve("g.05.shard"), "of another file");
    EncodeReport report = box.encode(wide.withOverwrite(OverwritePolicy.REPLACE));
    assertEquals(
        java.util.Set.of("f.00.shard", "f.01.shard", "f.02.shard", "g.05.shard"),
        box.snapshot().keySet());
    assertEquals("rs-2-1", report.code());
    box.assertRestored(box.restore());
  }

  /** A directory with the name of a lost shard is seen before the first shard is replaced. */
  @Test
  void aFailedOverwriteKeepsTheOldSet() throws IOException {
    Path taken = box.shard(5);
    Files.delete(taken);
    Files.createDirectory(taken);
    Map<String, byte[]> before = box.snapshot();
    EncodeRequest again = box.request().withOverwrite(OverwritePolicy.REPLACE);
    assertEquals(
        taken + ": is a directory", message(FileSystemException.class, () -> box.encode(again)));
    Sandbox.assertSame(before, box.snapshot());
    box.assertRestored(box.restore());
  }

  /** The shards of the first two racks have their new content when a rename fails in the third. */
  @Test
  void anOverwriteThatFailsInItsMiddleBringsTheOldSetBack() throws IOException {
    Sandbox racked = Sandbox.of(directory, Sandbox.RACKED, Sandbox.bytes(random, 1000));
    Files.delete(racked.shard(1));
    Map<String, byte[]> before = racked.snapshot();
    ShardProgress loseTemporaries =
        (phase, done, total) -> {
          try (var files = Files.list(racked.directory().resolve("rack2"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".tmp")).toList()) {
              Files.delete(file);
            }
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        };
    EncodeRequest again = racked.request().withOverwrite(OverwritePolicy.REPLACE);
    String message =
        message(
            FileSystemException.class,
            () -> new ShardEncoder(Kernels.active()).encode(again, loseTemporaries));
    assertTrue(message.startsWith(racked.shard(4) + ": cannot be written"), message);
    Sandbox.assertSame(before, racked.snapshot());
    racked.assertRestored(racked.restore());
  }

  @Test
  void shardsBehindALinkedDirectoryAreSeen() throws IOException {
    Path link = Files.createSymbolicLink(box.root().resolve("link"), box.directory());
    EncodeRequest narrow = EncodeRequest.of(Codes.named("rs-2-1"), box.root().resolve("f"), link);
    String refusal = message(ShardRefusedException.class, () -> box.encode(narrow));
    assertTrue(refusal.startsWith(link.resolve("f.00.shard") + " exists"), refusal);
    box.encode(narrow.withOverwrite(OverwritePolicy.REPLACE));
    assertEquals(
        java.util.Set.of("f.00.shard", "f.01.shard", "f.02.shard"), box.snapshot().keySet());
    box.assertRestored(box.restore());
  }

  @Test
  void shardsBehindALinkedRackAreSeen() throws IOException {
    Sandbox racked = Sandbox.of(directory, Sandbox.RACKED, Sandbox.bytes(random, 1000));
    Path rack = racked.directory().resolve("rack2");
    Path elsewhere = racked.root().resolve("disk2");
    Files.move(rack, elsewhere);
    Files.createSymbolicLink(rack, elsewhere);
    for (int b = 0; b < 4; b++) {
      Files.delete(racked.shard(b));
    }
    EncodeRequest flat =
        EncodeRequest.of(Codes.named("rs-2-1"), racked.root().resolve("f"), racked.directory());
    String refusal = message(ShardRefusedException.class, () -> racked.encode(flat));
    assertTrue(refusal.startsWith(racked.shard(4) + " exists"), refusal);
    racked.encode(flat.withOverwrite(OverwritePolicy.REPLACE));
    try (var left = Files.list(elsewhere)) {
      assertEquals(0, left.count());
    }
    racked.assertRestored(racked.restore());
  }

  /** As a repair does, and as cp writes: a shard may be on another disk. */
  @Test
  void aLinkedShardIsReplacedWhereItIs() throws IOException {
    Path disk = Files.createDirectory(box.root().resolve("disk"));
    Path real = disk.resolve("some name");
    Files.move(box.shard(2), real);
    Files.createSymbolicLink(box.shard(2), real);
    Map<String, byte[]> before = box.snapshot();
    box.encode(box.request().withOverwrite(OverwritePolicy.REPLACE));
    assertTrue(Files.isSymbolicLink(box.shard(2)));
    assertFalse(java.util.Arrays.equals(before.get("f.02.shard"), Files.readAllBytes(real)));
    try (var left = Files.list(disk)) {
      assertEquals(List.of(real), left.toList());
    }
    box.assertNothingTemporary();
    Files.delete(box.shard(0));
    Files.delete(box.shard(1));
    Files.delete(box.shard(3));
    box.assertRestored(box.restore());
  }

  @Test
  void anOverwriteThatFailsLeavesLinkedShardsAsTheyAre() throws IOException {
    Path disk = Files.createDirectory(box.root().resolve("disk"));
    Path real = disk.resolve("2");
    Files.move(box.shard(2), real);
    Files.createSymbolicLink(box.shard(2), real);
    Map<String, byte[]> before = box.snapshot();
    ShardProgress loseTemporaries =
        (phase, done, total) -> {
          try (var files = Files.list(box.directory())) {
            for (Path file : files.filter(f -> f.toString().endsWith(".tmp")).toList()) {
              Files.delete(file);
            }
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        };
    EncodeRequest again = box.request().withOverwrite(OverwritePolicy.REPLACE);
    message(
        FileSystemException.class,
        () -> new ShardEncoder(Kernels.active()).encode(again, loseTemporaries));
    assertTrue(Files.isSymbolicLink(box.shard(2)));
    Sandbox.assertSame(before, box.snapshot());
    box.assertRestored(box.restore());
  }

  /** One would be written over the other. */
  @Test
  void linksToOneFileAreRefused() throws IOException {
    Files.delete(box.shard(3));
    Files.createSymbolicLink(box.shard(3), box.shard(2));
    Map<String, byte[]> before = box.snapshot();
    EncodeRequest again = box.request().withOverwrite(OverwritePolicy.REPLACE);
    assertEquals(
        box.shard(3) + ": leads to the same file as " + box.shard(2) + "; move one away",
        message(FileSystemException.class, () -> box.encode(again)));
    Sandbox.assertSame(before, box.snapshot());
  }

  /** Only links here: a test that fails must not replace the machine's own device. */
  @Test
  void aShardThatLeadsToADeviceIsRefused() throws IOException {
    Files.delete(box.shard(3));
    Files.createSymbolicLink(box.shard(3), Path.of("/dev/null"));
    EncodeRequest again = box.request().withOverwrite(OverwritePolicy.REPLACE);
    assertEquals(
        box.shard(3) + " is no regular file and is not replaced",
        message(ShardRefusedException.class, () -> box.encode(again)));
    assertTrue(Files.isSymbolicLink(box.shard(3)));
    Files.delete(box.shard(3));
  }

  /** They were cut without a digest; another file whose name begins alike keeps its own. */
  @Test
  void shardsOfLongNamesThatEarlierReleasesWroteAreSeen() throws IOException {
    String begin = "n".repeat(200);
    Path directory = box.root().resolve("E");
    Path file = Files.write(box.root().resolve(begin + "-1"), Sandbox.bytes(random, 100));
    Path other = Files.write(box.root().resolve(begin + "-2"), Sandbox.bytes(random, 100));
    EncodeRequest request = EncodeRequest.of(Codes.named("rs-2-1"), file, directory);
    box.encode(request);
    rename(directory, begin);
    box.encode(EncodeRequest.of(Codes.named("rs-2-1"), other, directory));
    assertEquals(
        directory.resolve(begin + ".00.shard") + " exists; it is replaced with --overwrite only",
        message(ShardRefusedException.class, () -> box.encode(request)));
    box.encode(request.withOverwrite(OverwritePolicy.REPLACE));
    try (var shards = Files.list(directory)) {
      assertEquals(6, shards.filter(shard -> shard.toString().contains("~")).count());
    }
    try (var shards = Files.list(directory)) {
      assertEquals(6, shards.count(), "the old set is gone");
    }
  }

  /** Gives shards the names of an earlier release. */
  private static void rename(Path directory, String begin) throws IOException {
    try (var shards = Files.list(directory)) {
      for (Path shard : shards.sorted().toList()) {
        String name = shard.getFileName().toString();
        Files.move(shard, directory.resolve(begin + name.substring(name.indexOf('.'))));
      }
    }
  }

  @Test
  void filesOfLongNamesHaveShardsOfTheirOwn() throws IOException {
    String first = "n".repeat(200);
    Path directory = box.root().resolve("E");
    for (String name : new String[] {first + "-1", first + "-2"}) {
      Path file = Files.write(box.root().resolve(name), Sandbox.bytes(random, 100));
      box.encode(
          EncodeRequest.of(Codes.named("rs-2-1"), file, directory)
              .withOverwrite(OverwritePolicy.REPLACE));
    }
    try (var shards = Files.list(directory)) {
      assertEquals(6, shards.count());
    }
  }

  @Test
  void theResultIsNotWrittenOver() throws IOException {
    Files.writeString(box.out(), "precious");
    DecodeRequest request = DecodeRequest.restore(box.directory(), box.out());
    String message = message(ShardRefusedException.class, () -> box.decode(request));
    assertEquals(box.out() + " exists; it is replaced with --overwrite only", message);
    assertEquals("precious", Files.readString(box.out()));
    box.assertRestored(box.decode(request.withOverwrite(OverwritePolicy.REPLACE)));
  }

  @Test
  void aFailureKeepsWhatWouldHaveBeenReplaced() throws IOException {
    Files.writeString(box.out(), "precious");
    for (int b = 0; b < 4; b++) {
      box.flip(box.shard(b), box.headerBytes() + 2 * 68);
    }
    DecodeRequest request = DecodeRequest.restore(box.directory(), box.out());
    assertTrue(box.decode(request.withOverwrite(OverwritePolicy.REPLACE)).problem().isPresent());
    assertEquals("precious", Files.readString(box.out()));
    box.assertNothingTemporary();
  }

  @Test
  void aShardIsNoPlaceForTheResult() throws IOException {
    Map<String, byte[]> before = box.snapshot();
    Path link = Files.createSymbolicLink(box.root().resolve("link"), box.shard(2));
    for (Path out : new Path[] {box.shard(2), link}) {
      DecodeRequest request =
          DecodeRequest.restore(box.directory(), out).withOverwrite(OverwritePolicy.REPLACE);
      String message = message(ShardRefusedException.class, () -> box.decode(request));
      assertEquals(out + " is a shard and is not replaced", message);
    }
    Sandbox.assertSame(before, box.snapshot());
  }

  /** Only links here: a test that fails must not replace the machine's own device. */
  @Test
  void whatIsNoRegularFileIsNotReplaced() throws IOException, InterruptedException {
    Path device = Files.createSymbolicLink(box.root().resolve("device"), Path.of("/dev/null"));
    Path dangling =
        Files.createSymbolicLink(box.root().resolve("dangling"), box.root().resolve("nothing"));
    Path pipe = box.root().resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    for (Path out : new Path[] {device, dangling, pipe}) {
      for (OverwritePolicy policy : OverwritePolicy.values()) {
        DecodeRequest request = DecodeRequest.restore(box.directory(), out).withOverwrite(policy);
        assertEquals(
            out + " is no regular file and is not replaced",
            message(ShardRefusedException.class, () -> box.decode(request)));
      }
    }
    assertTrue(Files.isSymbolicLink(device) && Files.isSymbolicLink(dangling));
    assertFalse(Files.isRegularFile(pipe));
    Files.delete(device);
    box.assertNothingTemporary();
  }

  @Test
  void placesThatCannotBeWritten() throws IOException {
    Path file = box.root().resolve("f");
    Path none = box.root().resolve("none/out");
    DecodeRequest away = DecodeRequest.restore(box.directory(), none);
    assertEquals(
        none + ": cannot be written, there is no such directory",
        message(FileSystemException.class, () -> box.decode(away)));
    DecodeRequest folder = DecodeRequest.restore(box.directory(), box.root());
    assertEquals(
        box.root() + ": is a directory",
        message(FileSystemException.class, () -> box.decode(folder)));
    EncodeRequest into = EncodeRequest.of(Codes.named("rs-6-3"), file, file);
    assertEquals(
        file + ": is not a directory", message(FileSystemException.class, () -> box.encode(into)));
    // a file where a rack's directory belongs: what was made before is taken away again
    Path racks = Files.createDirectory(box.root().resolve("racks"));
    Files.writeString(racks.resolve("rack1"), "");
    EncodeRequest racked = EncodeRequest.of(Sandbox.RACKED, file, racks);
    assertEquals(
        racks.resolve("rack1") + ": is not a directory",
        message(FileSystemException.class, () -> box.encode(racked)));
    assertFalse(Files.exists(racks.resolve("rack0")));
  }

  @Test
  void directoriesWithoutPermission() throws IOException {
    Path locked = Files.createDirectory(box.root().resolve("locked"));
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeFalse(Files.isWritable(locked), "this user may write anywhere");
    EncodeRequest encode = EncodeRequest.of(Codes.named("rs-6-3"), box.root().resolve("f"), locked);
    assertEquals(
        locked.resolve("f.00.shard") + ": cannot be written: no permission",
        message(FileSystemException.class, () -> box.encode(encode)));
    DecodeRequest decode = DecodeRequest.restore(box.directory(), locked.resolve("out"));
    assertEquals(
        locked.resolve("out") + ": cannot be written: no permission",
        message(FileSystemException.class, () -> box.decode(decode)));
  }

  @Test
  void filesThatCannotBeRead() {
    Path none = box.root().resolve("none");
    Path shards = box.root().resolve("E");
    EncodeRequest missing = EncodeRequest.of(Codes.named("rs-6-3"), none, shards);
    message(NoSuchFileException.class, () -> box.encode(missing));
    EncodeRequest folder = EncodeRequest.of(Codes.named("rs-6-3"), box.root(), shards);
    assertEquals(
        box.root() + ": is a directory",
        message(FileSystemException.class, () -> box.encode(folder)));
    assertFalse(Files.exists(shards));
  }

  @Test
  void aFileThatGrowsMeanwhileIsNotEncoded() throws IOException {
    Path file = box.root().resolve("f");
    Path shards = box.root().resolve("E");
    ShardProgress grow =
        (phase, done, total) -> {
          try {
            Files.write(file, new byte[10], StandardOpenOption.APPEND);
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        };
    EncodeRequest request =
        EncodeRequest.of(Codes.named("rs-6-3"), file, shards).withCell(Sandbox.CELL);
    String message =
        message(
            FileSystemException.class,
            () -> new ShardEncoder(Kernels.active()).encode(request, grow));
    assertEquals(
        file + ": changed while it was read: 1000 bytes at first, 1020 in the end", message);
    assertFalse(Files.exists(shards));
  }

  @Test
  void cellsThatAreTooLargeAreRefused() {
    EncodeRequest request = box.request().withCell(64 << 20);
    var e = assertThrows(IllegalArgumentException.class, () -> box.encode(request));
    assertEquals(
        "9 cells of 67108864 bytes, a stripe takes at most 67108864 bytes", e.getMessage());
    assertEquals(64 << 10, EncodeRequest.of(Sandbox.COUPLED, box.out(), box.out()).fullCell());
    assertEquals(1, box.request().withCell(1).fullCell());
    EncodeRequest coupled = EncodeRequest.of(Sandbox.COUPLED, box.out(), box.out());
    assertEquals(2, coupled.withCell(1).fullCell());
    assertEquals(256, coupled.withCell(300).fullCell());
  }
}
