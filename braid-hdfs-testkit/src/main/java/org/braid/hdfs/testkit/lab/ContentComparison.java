package org.braid.hdfs.testkit.lab;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Compares written bytes with those of another source. */
final class ContentComparison extends OutputStream {
  private final Source source;
  private byte[] buffer = new byte[0];
  private long position;
  private long different = -1;

  /** The other source. */
  interface Source {
    /** Reads up to {@code count} bytes; fewer only at the end. */
    int read(byte[] into, int count) throws IOException;
  }

  private ContentComparison(Source source) {
    this.source = source;
  }

  /**
   * Compares all bytes of a content.
   *
   * @return how many bytes are equal up to the first that differs or is missing
   */
  static long equalBytes(GeneratedContent content, Source source) throws IOException {
    ContentComparison comparison = new ContentComparison(source);
    content.write(comparison);
    return comparison.different >= 0 ? comparison.different : comparison.position;
  }

  @Override
  public void write(int one) {
    throw new UnsupportedOperationException("contents come in pieces");
  }

  @Override
  public void write(byte[] expected, int from, int count) throws IOException {
    if (different >= 0) {
      return;
    }
    if (buffer.length < count) {
      buffer = new byte[count];
    }
    int there = Math.max(0, source.read(buffer, count));
    int mismatch = Arrays.mismatch(expected, from, from + count, buffer, 0, there);
    if (mismatch >= 0) {
      different = position + mismatch;
    }
    position += count;
  }
}
