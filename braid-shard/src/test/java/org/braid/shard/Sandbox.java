package org.braid.shard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.LocalGroup;
import org.braid.kernel.Kernels;
import org.braid.shard.decode.DecodeReport;
import org.braid.shard.decode.DecodeRequest;
import org.braid.shard.decode.ShardDecoder;
import org.braid.shard.encode.EncodeReport;
import org.braid.shard.encode.EncodeRequest;
import org.braid.shard.encode.ShardEncoder;
import org.braid.shard.format.ShardHeader;
import org.braid.shard.format.ShardLayout;
import org.braid.shard.format.ShardNames;
import org.braid.shard.report.ShardProgress;
import org.braid.shard.report.ShardReport;
import org.braid.shard.report.ShardState;

/** A directory with a file and its shards, and codes made by hand. */
final class Sandbox {
  static final int CELL = 64;

  /** Two data and two parity blocks of two sub-blocks; the second parity couples sub-blocks. */
  static final ErasureCode COUPLED =
      new HandMadeCode(
          "coupled",
          2,
          List.of(),
          Optional.empty(),
          new int[] {1, 0, 1, 0},
          new int[] {0, 1, 0, 1},
          new int[] {1, 0, 2, 0},
          new int[] {1, 1, 0, 2});

  /** Data 0-1 with parity 4, data 2-3 with parity 5, and a parity over all. */
  static final ErasureCode GROUPED =
      new HandMadeCode(
          "grouped",
          1,
          List.of(
              new LocalGroup("local 0", List.of(0, 1, 4), 1),
              new LocalGroup("local 1", List.of(2, 3, 5), 1)),
          Optional.empty(),
          new int[] {1, 1, 0, 0},
          new int[] {0, 0, 1, 1},
          new int[] {1, 2, 4, 8});

  /** Two data and four parities in three racks. */
  static final ErasureCode RACKED =
      new HandMadeCode(
          "racked",
          1,
          List.of(),
          Optional.of(List.of(0, 1, 0, 1, 2, 2)),
          new int[] {1, 1},
          new int[] {1, 2},
          new int[] {1, 3},
          new int[] {1, 4});

  static final List<ErasureCode> ALL =
      List.of(
          Codes.named("rs-6-3"),
          Codes.named("rs-1-1"),
          Codes.named("rstair-n5-r4-m1-e2-l1"),
          Codes.named("rotated-rs-6-3-4"),
          COUPLED,
          GROUPED,
          RACKED);

  private final Path root;
  private final ErasureCode code;
  private final byte[] content;

  private Sandbox(Path root, ErasureCode code, byte[] content) {
    this.root = root;
    this.code = code;
    this.content = content;
  }

  static ErasureCode code(String name) {
    return ALL.stream()
        .filter(c -> c.name().equals(name))
        .findFirst()
        .orElseGet(() -> Codes.named(name));
  }

  /** Encodes some bytes as file {@code f} into shards in {@code D}, both in a new directory. */
  static Sandbox of(Path parent, ErasureCode code, byte[] content) throws IOException {
    Path root = Files.createTempDirectory(parent, "s");
    Files.write(root.resolve("f"), content);
    Sandbox sandbox = new Sandbox(root, code, content);
    sandbox.encode(sandbox.request());
    return sandbox;
  }

  static byte[] bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  EncodeRequest request() {
    return EncodeRequest.of(code, root.resolve("f"), directory()).withCell(CELL);
  }

  EncodeReport encode(EncodeRequest request) throws IOException {
    return new ShardEncoder(Kernels.active()).encode(request, ShardProgress.SILENT);
  }

  DecodeReport decode(DecodeRequest request) throws IOException {
    return new ShardDecoder(Kernels.active(), Sandbox::code).decode(request, ShardProgress.SILENT);
  }

  /** Restores to {@code out}, which must not exist. */
  DecodeReport restore() throws IOException {
    return decode(DecodeRequest.restore(directory(), out()));
  }

  DecodeReport restoreAndRepair() throws IOException {
    return decode(
        DecodeRequest.restore(directory(), out()).withRepair(DecodeRequest.Repair.SHARDS));
  }

  Path root() {
    return root;
  }

  Path directory() {
    return root.resolve("D");
  }

  Path out() {
    return root.resolve("out");
  }

  ErasureCode code() {
    return code;
  }

  Path shard(int block) {
    return directory().resolve(new ShardNames("f", code.n(), code.racks()).path(block));
  }

  int headerBytes() {
    return ShardHeader.bytes(code.name(), "f", code.n());
  }

  ShardLayout layout() {
    return new ShardLayout(code.k(), code.alpha(), request().fullCell(), content.length);
  }

  void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  void truncate(Path file, int length) throws IOException {
    Files.write(file, java.util.Arrays.copyOf(Files.readAllBytes(file), length));
  }

  /** All files below the directory of shards, with their content. */
  Map<String, byte[]> snapshot() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(directory().relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  void assertRestored(DecodeReport report) throws IOException {
    assertEquals(Optional.empty(), report.problem());
    assertEquals(Optional.of(out().toString()), report.out());
    assertArrayEquals(content, Files.readAllBytes(out()));
    assertNothingTemporary();
  }

  void assertNotRestored() throws IOException {
    assertEquals(false, Files.exists(out()));
    assertNothingTemporary();
  }

  void assertNothingTemporary() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      assertEquals(
          List.of(), all.filter(p -> p.toString().endsWith(".tmp")).collect(Collectors.toList()));
    }
  }

  static void assertSame(Map<String, byte[]> expected, Map<String, byte[]> actual) {
    assertEquals(expected.keySet(), actual.keySet());
    expected.forEach((path, bytes) -> assertArrayEquals(bytes, actual.get(path), path));
  }

  static List<ShardState> states(DecodeReport report) {
    return report.shards().stream().map(ShardReport::state).toList();
  }

  /** States that are OK but for some. */
  static List<ShardState> okBut(int n, Map<Integer, ShardState> others) {
    return new ArrayList<>(
        IntStream.range(0, n).mapToObj(b -> others.getOrDefault(b, ShardState.OK)).toList());
  }
}
