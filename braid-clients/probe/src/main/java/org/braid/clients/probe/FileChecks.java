package org.braid.clients.probe;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Checks of how a file is read, found and changed, by calls that Hadoop 2.10 has, too. */
final class FileChecks {
  private final Configuration conf;
  private final URI uri;
  private final Path file;
  private final byte[] content;
  private final Random random = new Random(5);

  FileChecks(Configuration conf, URI uri, Path file, byte[] content) {
    this.conf = conf;
    this.uri = uri;
    this.file = file;
    this.content = content;
  }

  /** A file system of its own, which knows nothing of what others have found. */
  FileSystem open() throws IOException {
    return FileSystem.newInstance(uri, conf);
  }

  void readAll() throws IOException {
    try (FileSystem fs = open();
        FSDataInputStream in = fs.open(file)) {
      same(0, all(in));
    }
  }

  private void same(int from, byte[] read) throws IOException {
    if (!Arrays.equals(read, Arrays.copyOfRange(content, from, from + read.length))
        || (from == 0 && read.length != content.length)) {
      throw new WrongBytesException(read.length + " bytes from " + from + " of " + file);
    }
  }

  static byte[] all(FSDataInputStream in) throws IOException {
    byte[] bytes = new byte[1 << 16];
    int length = 0;
    for (int read = in.read(bytes);
        read >= 0;
        read = in.read(bytes, length, bytes.length - length)) {
      length += read;
      if (length == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * length);
      }
    }
    return Arrays.copyOf(bytes, length);
  }

  void readAtPositions() throws IOException {
    try (FileSystem fs = open();
        FSDataInputStream in = fs.open(file)) {
      for (int i = 0; i < 40; i++) {
        int from = 1 + random.nextInt(content.length - 1);
        byte[] part = new byte[1 + random.nextInt(Math.min(content.length - from, 100_000))];
        in.readFully(from, part);
        same(from, part);
      }
    }
  }

  void seekAndRead() throws IOException {
    try (FileSystem fs = open();
        FSDataInputStream in = fs.open(file)) {
      for (int i = 0; i < 20; i++) {
        int from = 1 + random.nextInt(content.length - 1);
        byte[] part = new byte[1 + random.nextInt(Math.min(content.length - from, 20_000))];
        in.seek(from);
        in.readFully(part);
        same(from, part);
        if (i % 5 == 0) {
          in.unbuffer();
        }
      }
    }
  }

  void readIntoBuffers() throws IOException {
    try (FileSystem fs = open();
        FSDataInputStream in = fs.open(file)) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(content.length);
      while (buffer.hasRemaining() && in.read(buffer) >= 0) {
        // Reads on.
      }
      buffer.flip();
      byte[] read = new byte[buffer.remaining()];
      buffer.get(read);
      same(0, read);
    }
  }

  void checksum(String expected) throws IOException {
    try (FileSystem fs = open()) {
      String sum = String.valueOf(fs.getFileChecksum(file));
      if (!sum.equals(expected)) {
        throw new WrongBytesException("the checksum is " + sum + " and was " + expected);
      }
    }
  }

  /** Where tasks are put: every block is somewhere. */
  void locations() throws IOException {
    try (FileSystem fs = open()) {
      check(fs.getFileBlockLocations(fs.getFileStatus(file), 0, content.length));
      RemoteIterator<LocatedFileStatus> listed = fs.listFiles(file.getParent(), true);
      boolean found = false;
      while (listed.hasNext()) {
        LocatedFileStatus status = listed.next();
        if (status.getPath().getName().equals(file.getName())) {
          check(status.getBlockLocations());
          found = true;
        }
      }
      if (!found) {
        throw new FileNotFoundException(file + " is not listed");
      }
    }
  }

  private static void check(BlockLocation[] blocks) throws IOException {
    for (BlockLocation block : blocks) {
      if (block.getHosts().length == 0) {
        throw new IOException("nobody has the block at " + block.getOffset());
      }
    }
  }

  void readByFileContext() throws IOException {
    FileContext context = FileContext.getFileContext(uri, conf);
    try (FSDataInputStream in = context.open(file)) {
      same(0, all(in));
    }
  }

  void readByMountTable() throws IOException {
    Configuration mounted = new Configuration(conf);
    mounted.set("fs.viewfs.mounttable.probe.link./mounted", uri + file.getParent().toString());
    try (FileSystem fs = FileSystem.newInstance(URI.create("viewfs://probe/"), mounted);
        FSDataInputStream in = fs.open(new Path("/mounted/" + file.getName()))) {
      same(0, all(in));
    }
  }

  /** All but reading is as in HDFS. */
  void writeAndChange() throws IOException {
    Path other = new Path(file.getParent(), "written-" + System.nanoTime());
    Path renamed = new Path(file.getParent(), "renamed-" + System.nanoTime());
    try (FileSystem fs = open()) {
      try (FSDataOutputStream out = fs.create(other)) {
        out.write(content, 0, 100_000);
      }
      try (FSDataOutputStream out = fs.append(other)) {
        out.write(content, 100_000, 50_000);
      }
      fs.rename(other, renamed);
      FileStatus status = fs.getFileStatus(renamed);
      try (FSDataInputStream in = fs.open(renamed)) {
        byte[] read = all(in);
        if (!Arrays.equals(read, Arrays.copyOf(content, 150_000)) || status.getLen() != 150_000) {
          throw new WrongBytesException("what was written is read as " + read.length + " others");
        }
      }
      fs.delete(renamed, false);
    }
  }
}
