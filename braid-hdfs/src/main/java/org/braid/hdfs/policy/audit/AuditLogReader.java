package org.braid.hdfs.policy.audit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.zip.GZIPInputStream;

/** Reads audit logs, compressed by gzip or not, in memory that does not grow with a line. */
public final class AuditLogReader {
  /** Longest line that is read, in bytes: two of HDFS's longest paths with each letter escaped. */
  static final int MOST_BYTES = 128 << 10;

  private static final int BUFFER = 64 << 10;
  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;

  private AuditLogReader() {}

  /** Hears of lines. */
  public interface Lines {
    /**
     * A line was read.
     *
     * @param number its place in the log, from 1
     */
    void line(long number, AuditLine line);

    /** A line could not be read. */
    void unreadable(long number, String why);
  }

  /**
   * Reads a log to its end.
   *
   * @param zone that of times without an offset
   */
  public static void read(InputStream log, ZoneId zone, Lines lines) throws IOException {
    BufferedInputStream in = new BufferedInputStream(log, BUFFER);
    readPlain(isCompressed(in) ? decompressed(in) : in, zone, lines);
  }

  /**
   * Reads a log that is compressed by gzip to its end.
   *
   * @param zone that of times without an offset
   * @throws IOException also when it is not compressed
   */
  public static void readCompressed(InputStream log, ZoneId zone, Lines lines) throws IOException {
    BufferedInputStream in = new BufferedInputStream(log, BUFFER);
    if (!isCompressed(in)) {
      throw new IOException("it is no gzip file");
    }
    readPlain(decompressed(in), zone, lines);
  }

  private static void readPlain(InputStream in, ZoneId zone, Lines lines) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER];
    long number = 1;
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      int from = 0;
      for (int i = 0; i < read; i++) {
        if (buffer[i] == '\n') {
          take(line, buffer, from, i);
          parse(line, number++, zone, lines);
          from = i + 1;
        }
      }
      take(line, buffer, from, read);
    }
    parse(line, number, zone, lines);
  }

  private static boolean isCompressed(BufferedInputStream log) throws IOException {
    log.mark(2);
    boolean compressed = log.read() == GZIP_FIRST && log.read() == GZIP_SECOND;
    log.reset();
    return compressed;
  }

  private static InputStream decompressed(InputStream log) throws IOException {
    try {
      return new GZIPInputStream(log, BUFFER);
    } catch (EOFException e) { // which says nothing
      throw new IOException("it ends within the head of a gzip file", e);
    }
  }

  /** Cuts off a line that is too long; parsing shows whether that matters. */
  private static void take(ByteArrayOutputStream line, byte[] buffer, int from, int to) {
    line.write(buffer, from, Math.min(to - from, MOST_BYTES - line.size()));
  }

  private static void parse(ByteArrayOutputStream bytes, long number, ZoneId zone, Lines lines) {
    String text = bytes.toString(StandardCharsets.UTF_8).stripTrailing();
    bytes.reset();
    if (text.isEmpty()) {
      return;
    }
    AuditLine line;
    try {
      line = AuditLine.parse(text, zone);
    } catch (IllegalArgumentException e) {
      lines.unreadable(number, String.valueOf(e.getMessage()));
      return;
    }
    lines.line(number, line);
  }
}
