package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code codes encode} and {@code codes decode} on local files. */
final class ShardCommandsTest {
  @TempDir Path directory;

  private final Random random = Seeds.random(ShardCommandsTest.class);
  private final byte[] content = new byte[1_000_000];
  private Path file;
  private Path shards;
  private Path out;

  @BeforeEach
  void write() throws IOException {
    random.nextBytes(content);
    file = Files.write(directory.resolve("data.bin"), content);
    shards = directory.resolve("shards");
    out = directory.resolve("out.bin");
  }

  private static Run run(Object... words) {
    String[] args = Stream.of(words).map(String::valueOf).toArray(String[]::new);
    return Run.of(new FakeCluster(), args);
  }

  private Run encode(Object... more) {
    List<Object> words = new ArrayList<>(List.of("codes", "encode", "rs-6-3", file));
    words.addAll(List.of("--out", shards));
    words.addAll(List.of(more));
    return run(words.toArray());
  }

  private Run decode(Object... more) {
    List<Object> words = new ArrayList<>(List.of("codes", "decode", shards));
    words.addAll(List.of(more));
    return run(words.toArray());
  }

  private Path shard(int block) {
    return shards.resolve("data.bin.0" + block + ".shard");
  }

  private String sha256() throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
  }

  @ParameterizedTest
  @CsvSource({"encode", "decode"})
  void helpShowsAnExample(String command) {
    Run run = run("codes", command, "--help");
    assertEquals(0, run.status());
    assertTrue(run.out().contains("\n  braid codes " + command + " "), run.out());
  }

  @Test
  void roundTrip() throws Exception {
    Run encoded = encode();
    assertEquals(0, encoded.status(), encoded.err());
    assertEquals("", encoded.err());
    assertTrue(
        encoded
            .out()
            .matches(
                "(?s).*data\\.bin, 976\\.6 KiB, encoded into 9 shards of rs-6-3 in .*: set"
                    + " [0-9a-f]{8}, 1\\.[45] MiB written in .* s\nSHA-256 "
                    + sha256()
                    + "\n"),
        encoded.out());
    Files.delete(shard(0));
    Files.delete(shard(4));
    Run decoded = decode("--out", out);
    assertEquals(0, decoded.status(), decoded.err());
    assertEquals("", decoded.err());
    assertTrue(decoded.out().contains("SHA-256 " + sha256()), decoded.out());
    assertTrue(decoded.out().contains("0  data.bin.00.shard  MISSING"), decoded.out());
    assertTrue(decoded.out().contains("4  data.bin.04.shard  MISSING"), decoded.out());
    assertFalse(decoded.out().contains("data.bin.01.shard"), decoded.out());
    assertEquals(-1, Files.mismatch(file, out));
  }

  @Test
  void objects() throws Exception {
    JsonNode encoded = encode("--json", "--cell", "4k").json();
    assertTrue(encoded.get("ok").booleanValue());
    assertEquals("rs-6-3", encoded.get("code").textValue());
    assertEquals(1_000_000, encoded.get("bytes").longValue());
    assertEquals(4096, encoded.get("cell").intValue());
    assertEquals(sha256(), encoded.get("sha256").textValue());
    assertEquals(file.toString(), encoded.get("files").get(0).get("path").textValue());
    assertEquals(9, encoded.get("shards").size());
    JsonNode third = encoded.get("shards").get(3);
    assertEquals(3, third.get("index").intValue());
    assertTrue(third.get("rack").isNull());
    assertEquals("data.bin.03.shard", third.get("path").textValue());
    assertEquals("OK", third.get("state").textValue());
    long stored = 0;
    for (int b = 0; b < 9; b++) {
      stored += Files.size(shard(b));
    }
    assertEquals(stored, encoded.get("bytes_written").longValue());

    Files.delete(shard(2));
    byte[] damaged = Files.readAllBytes(shard(7));
    damaged[damaged.length / 2] ^= 4;
    Files.write(shard(7), damaged);
    JsonNode decoded = decode("--json", "--out", out, "--repair").json();
    assertTrue(decoded.get("ok").booleanValue());
    assertEquals(encoded.get("set"), decoded.get("set"));
    assertEquals(sha256(), decoded.get("sha256").textValue());
    assertEquals(out.toString(), decoded.get("files").get(0).get("path").textValue());
    assertEquals(2, decoded.get("repaired").intValue());
    assertEquals("REPAIRED", decoded.get("shards").get(2).get("state").textValue());
    assertEquals("was missing", decoded.get("shards").get(2).get("why").textValue());
    assertTrue(decoded.get("shards").get(7).get("why").textValue().startsWith("cells "));
    assertEquals("OK", decoded.get("shards").get(8).get("state").textValue());
    assertTrue(decoded.get("bytes_read").longValue() > 1_000_000);
    assertTrue(decoded.get("seconds").doubleValue() > 0);
    Files.delete(out);
    assertEquals(0, decode("--out", out, "--json").json().get("repaired").intValue());
  }

  @Test
  void repairWithoutAFile() throws Exception {
    encode();
    byte[] original = Files.readAllBytes(shard(5));
    Files.delete(shard(5));
    Run run = decode("--repair");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("1 shard repaired"), run.out());
    assertTrue(run.out().contains("5  data.bin.05.shard  REPAIRED  was missing"), run.out());
    assertEquals(-1, java.util.Arrays.mismatch(original, Files.readAllBytes(shard(5))));
    assertFalse(Files.exists(out));
  }

  @Test
  void tooManyLostIsAFailure() throws Exception {
    encode();
    for (int b = 1; b < 5; b++) {
      Files.delete(shard(b));
    }
    Run run = decode("--out", out);
    assertEquals(1, run.status());
    assertEquals(
        "braid: data.bin: 5 of the 9 shards of rs-6-3 are available, at least 1 more is needed, for"
            + " example 1\n",
        run.err());
    assertTrue(run.out().contains("1  data.bin.01.shard  MISSING"), run.out());
    assertFalse(Files.exists(out));
    JsonNode object = decode("--out", out, "--json").json();
    assertFalse(object.get("ok").booleanValue());
    assertTrue(object.get("error").textValue().contains("5 of the 9 shards"));
    assertEquals(9, object.get("shards").size());
    assertEquals(0, object.get("files").size());
  }

  @Test
  void refusals() throws Exception {
    encode();
    Run again = encode();
    assertEquals(3, again.status());
    assertEquals(
        "braid: " + shard(0) + " exists; it is replaced with --overwrite only\n", again.err());
    assertEquals(0, encode("--overwrite").status());
    Files.writeString(out, "precious");
    assertEquals(3, decode("--out", out).status());
    assertEquals("precious", Files.readString(out));
    assertEquals(0, decode("--out", out, "--overwrite").status());
    assertEquals(-1, Files.mismatch(file, out));
    Files.move(file, directory.resolve("other"));
    file = directory.resolve("other");
    assertEquals(0, encode().status());
    Files.delete(out);
    Run two = decode("--out", out, "--repair");
    assertEquals(3, two.status());
    assertTrue(two.err().contains("has 2 sets that can be restored"), two.err());
    assertTrue(two.err().contains("of data.bin (rs-6-3, 9 of 9 shards)"), two.err());
    assertFalse(Files.exists(out));
    String digits = two.err().replaceFirst("(?s).*set ([0-9a-f]{8}) of other.*", "$1");
    assertEquals(0, decode("--out", out, "--set", digits).status());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "codes encode rs-6 F --out D|2|\"rs-6\" is not a code",
        "codes encode rs-6-3 F|2|Missing required option: '--out=DIR'",
        "codes encode rs-6-3 F --out D --cell 64m|2|a stripe takes at most 67108864 bytes",
        "codes encode rs-6-3 F --out D --cell 1x|2|is not a size",
        "codes encode rs-6-3 none/x --out D|1|no such file: none/x",
        "codes encode rs-6-3 / --out D|1|is a directory",
        "codes decode D|2|nothing to do: give --out FILE, --repair or both",
        "codes decode none/x --out F2|1|none/x: there is no such directory",
      })
  void errorsAreOneLine(String line, int status, String message) {
    String words = line.replace(" F ", " " + file + " ").replace(" D", " " + shards);
    run((Object[]) words.split(" ")).assertFailed(status, message);
    assertFalse(Files.exists(shards));
  }

  /** A limit on the size of files stands in for a disk that gets full. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aDiskThatGetsFullLeavesNothingBehind() throws Exception {
    Run full = limited(64, "codes", "encode", "rs-6-3", file, "--out", shards);
    assertEquals(1, full.status(), full.err());
    assertTrue(full.err().contains("braid: " + shards + "/data.bin.0"), full.err());
    assertTrue(full.err().contains(".shard: cannot be written: File too large"), full.err());
    assertFalse(full.err().contains("\tat "), full.err());
    assertFalse(Files.exists(shards));
    encode();
    Run decoded = limited(256, "codes", "decode", shards, "--out", out);
    assertEquals(1, decoded.status(), decoded.err());
    assertTrue(
        decoded.err().contains("braid: " + out + ": cannot be written: File too large"),
        decoded.err());
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(file, shards), left.sorted().toList());
    }
  }

  /** Runs the program in a process of its own whose files may have so many KiB. */
  private static Run limited(int kib, Object... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c"));
    command.add("ulimit -f " + kib + " && exec \"$@\"");
    command.add("bash");
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:-UsePerfData", "-Dbraid.kernel=scalar"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.braid.cli.Main"));
    Stream.of(words).map(String::valueOf).forEach(command::add);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), "", text);
  }
}
