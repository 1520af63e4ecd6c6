package org.braid.clients.probe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Checks of how a file is read, by calls that came with Hadoop 3.3.5, as vectored reads. */
final class VectoredChecks {
  private VectoredChecks() {}

  static void readRanges(FileSystem fs, Path file, byte[] content) throws Exception {
    Random random = new Random(6);
    List<FileRange> ranges = new ArrayList<>();
    int step = content.length / 12;
    for (int from = 0; from + step <= content.length; from += step) {
      ranges.add(FileRange.createFileRange(from, 1 + random.nextInt(step - 1)));
    }
    try (FSDataInputStream in = fs.open(file)) {
      in.readVectored(ranges, ByteBuffer::allocate);
      for (FileRange range : ranges) {
        ByteBuffer buffer = range.getData().get(60, TimeUnit.SECONDS);
        byte[] read = new byte[buffer.remaining()];
        buffer.get(read);
        int from = (int) range.getOffset();
        if (read.length != range.getLength()
            || !Arrays.equals(read, Arrays.copyOfRange(content, from, from + read.length))) {
          throw new WrongBytesException("the range " + range);
        }
      }
    }
  }

  static void openAs(FileSystem fs, Path file, byte[] content, String policy) throws Exception {
    try (FSDataInputStream in =
        fs.openFile(file)
            .opt("fs.option.openfile.read.policy", policy)
            .opt("fs.option.openfile.length", Long.toString(content.length))
            .build()
            .get(60, TimeUnit.SECONDS)) {
      if (!Arrays.equals(FileChecks.all(in), content)) {
        throw new IOException("WRONG BYTES: read as " + policy);
      }
    }
  }
}
