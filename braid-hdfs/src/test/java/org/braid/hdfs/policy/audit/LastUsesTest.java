package org.braid.hdfs.policy.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.braid.hdfs.policy.ReadScopes;
import org.junit.jupiter.api.Test;

final class LastUsesTest {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final Duration GAP = Duration.ofHours(2);

  private final LastUses uses = new LastUses(ReadScopes.of(List.of("/d")), GAP, NOW, 1 << 20);

  private static String line(String time, String command, String source, String target) {
    return "2026-11-25 %s,000 INFO FSNamesystem.audit: allowed=true\tugi=ann\tip=/1.2.3.4\tcmd=%s\tsrc=%s\tdst=%s\tperm=null\tproto=webhdfs\n"
        .formatted(time, command, source, target);
  }

  private static String open(String time, String path) {
    return line(time, "open", path, "null");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes(text));
    }
    return out.toByteArray();
  }

  private void read(byte[] log) throws IOException {
    uses.begin("log");
    AuditLogReader.read(new ByteArrayInputStream(log), ZoneOffset.UTC, uses);
  }

  private Optional<Instant> of(String path) {
    return uses.of(path, 7);
  }

  private static Optional<Instant> at(String time) {
    return Optional.of(Instant.parse("2026-11-25T" + time + "Z"));
  }

  @Test
  void theLastReadOfEachFollowedFileCounts() throws IOException {
    read(bytes(open("10:00:00", "/d/a") + open("09:00:00", "/d/a") + open("10:00:00", "/other")));
    read(gzip(open("08:00:00", "/d/a") + line("11:00:00", "getfileinfo", "/d/b", "null")));
    read(bytes(open("11:00:00", "/d/c").replace("=true", "=false").stripTrailing()));
    assertEquals(at("10:00:00"), of("/d/a"));
    assertEquals(Optional.empty(), of("/d/b"));
    assertEquals(Optional.empty(), of("/d/c"));
    assertEquals(Optional.empty(), of("/other"));
    assertEquals(6, uses.lines());
    assertEquals(4, uses.opens());
    assertEquals(1, uses.others());
    assertEquals(
        "[2026-11-25T08:00:00Z to 2026-11-25T11:00:00Z]", uses.coverage().spans().toString());
  }

  @Test
  void snapshotsRawBytesAndNumbersAreTheFileItself() throws IOException {
    read(
        bytes(
            open("10:00:00", "/d/.snapshot/s1/x/y")
                + open("10:00:01", "/.reserved/raw/d/z")
                + open("10:00:02", "/.reserved/.inodes/42")
                + open("10:00:03", "/.reserved/.inodes/none")
                + open("10:00:04", "/.braid/stripes/00/0")));
    assertEquals(at("10:00:00"), of("/d/x/y"));
    assertEquals(at("10:00:01"), of("/d/z"));
    assertEquals(at("10:00:02"), uses.of("/d/q", 42));
    assertEquals(2, uses.others());
  }

  @Test
  void aRenameIsAUseOfWhatItMoves() throws IOException {
    read(
        bytes(
            open("09:00:00", "/d/a/f")
                + line("10:00:00", "rename", "/d/a", "/d/b")
                + line("11:00:00", "rename (options=[OVERWRITE])", "/tmp/x", "/d/x")
                + line("11:00:00", "rename", "/d/b", "/other")));
    assertEquals(at("10:00:00"), of("/d/b/f"));
    assertEquals(at("11:00:00"), of("/d/x"));
    assertEquals(Optional.empty(), of("/d/bb"));
  }

  @Test
  void anHourThatComesTwiceIsTakenInItsOrder() throws IOException {
    LastUses hourly =
        new LastUses(ReadScopes.of(List.of("/d")), Duration.ofMinutes(61), NOW, 1 << 20);
    hourly.begin("log");
    String day = "2026-10-25";
    String log =
        open("01:59:00", "/d/a")
            + open("02:59:00", "/d/a")
            + open("02:01:00", "/d/b")
            + open("03:01:00", "/d/a");
    AuditLogReader.read(
        new ByteArrayInputStream(bytes(log.replace("2026-11-25", day))),
        ZoneId.of("Europe/Berlin"),
        hourly);
    assertEquals(Optional.of(Instant.parse("2026-10-25T01:01:00Z")), hourly.of("/d/b", 7));
    assertEquals(1, hourly.coverage().spans().size());
    assertEquals(Instant.parse("2026-10-25T02:01:00Z"), hourly.coverage().last().to());
  }

  @Test
  void linesThatCannotBeReadAreCountedAndTheFirstOnesNamed() throws IOException {
    String endless = open("10:00:00", "/d/" + "x".repeat(AuditLogReader.MOST_BYTES));
    String late = open("12:06:00", "/d/late");
    String early = open("10:00:00", "/d/a").replace("2026", "1026");
    read(bytes("torn\n\n" + endless + late + early + "\0\u00ff\n" + open("10:00:00", "/d/a\r")));
    assertEquals(5, uses.unreadable());
    assertEquals(
        List.of(
            "log, line 1: it has no allowed=",
            "log, line 3: it ends within src=",
            "log, line 4: its time 2026-11-25T12:06:00Z is to come: is --zone right?"),
        uses.named());
    assertEquals(at("10:00:00"), of("/d/a\r"));
    byte[] cut = gzip(open("10:00:00", "/d/b").repeat(100));
    assertThrows(EOFException.class, () -> read(Arrays.copyOf(cut, cut.length / 2)));
  }

  @Test
  void memoryIsBounded() {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      log.append(open("10:00:00", "/d/" + i));
    }
    String why =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> read(bytes(log.toString())))
                .getMessage());
    assertTrue(why.contains("more than fit into 1 MiB: import fewer logs at once"), why);
  }
}
