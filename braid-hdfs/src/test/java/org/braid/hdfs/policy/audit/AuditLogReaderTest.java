package org.braid.hdfs.policy.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

final class AuditLogReaderTest {
  private final List<String> heard = new ArrayList<>();
  private final AuditLogReader.Lines lines =
      new AuditLogReader.Lines() {
        @Override
        public void line(long number, AuditLine line) {
          heard.add(number + " " + line.source());
        }

        @Override
        public void unreadable(long number, String why) {
          heard.add(number + ": " + why);
        }
      };

  private static byte[] log() {
    return "2026-01-10 10:00:00,000 allowed=true\tugi=a\tip=/1\tcmd=open\tsrc=/a\tdst=null\tperm=null\tproto=rpc\n"
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] compressed(byte[] text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text);
    }
    return bytes.toByteArray();
  }

  private static InputStream stream(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  private String refused(byte[] bytes) {
    return String.valueOf(
        assertThrows(
                IOException.class,
                () -> AuditLogReader.readCompressed(stream(bytes), ZoneOffset.UTC, lines))
            .getMessage());
  }

  @Test
  void whatIsCompressedIsSeen() throws Exception {
    AuditLogReader.read(stream(log()), ZoneOffset.UTC, lines);
    AuditLogReader.read(stream(compressed(log())), ZoneOffset.UTC, lines);
    AuditLogReader.readCompressed(stream(compressed(log())), ZoneOffset.UTC, lines);
    assertEquals(List.of("1 /a", "1 /a", "1 /a"), heard);
  }

  @Test
  void whatIsToBeCompressedAndIsNotIsNotReadAsLines() throws Exception {
    assertEquals("it is no gzip file", refused(log()));
    assertEquals("it is no gzip file", refused(new byte[0]));
    byte[] torn = Arrays.copyOf(compressed(log()), 5);
    assertEquals("it ends within the head of a gzip file", refused(torn));
    assertEquals(List.of(), heard);
  }
}
