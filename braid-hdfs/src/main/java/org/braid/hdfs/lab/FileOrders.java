package org.braid.hdfs.lab;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.IOUtils;
import org.braid.hdfs.rpc.BraidPaths;

/** Orders about files that HDFS's or Braid's client carries out. Thread-safe. */
final class FileOrders {
  private static final int BUFFER = 64 << 10;

  private final Access access;

  FileOrders(Access access) {
    this.access = access;
  }

  void makeDirectory(Command.MakeDirectory order) throws IOException {
    DistributedFileSystem fs = access.files();
    Path path = new Path(order.path());
    fs.mkdirs(path);
    if (!order.ear().isEmpty()) {
      fs.setXAttr(path, BraidPaths.EAR_XATTR, order.ear().getBytes(StandardCharsets.UTF_8));
    }
    if (!order.policy().isEmpty()) {
      fs.enableErasureCodingPolicy(order.policy());
      fs.setErasureCodingPolicy(path, order.policy());
    }
  }

  Answer.Written write(Command.Write order) throws IOException, InterruptedException {
    List<Callable<Answer.WrittenFile>> tasks = new ArrayList<>();
    for (int i = 0; i < order.files(); i++) {
      String path = order.files() == 1 ? order.path() : order.path() + "/" + i;
      long seed = order.seed() + i;
      tasks.add(() -> write(path, order, seed));
    }
    long begun = System.nanoTime();
    List<Answer.WrittenFile> files = all(order.parallel(), tasks);
    long bytes = files.stream().mapToLong(Answer.WrittenFile::bytes).sum();
    return new Answer.Written(since(begun), bytes, files);
  }

  private Answer.WrittenFile write(String path, Command.Write order, long seed) throws IOException {
    Content content = new Content(seed);
    long begun = System.nanoTime();
    long crc =
        write(
            path,
            order.replication(),
            order.blockBytes(),
            out -> content.write(out, order.bytes()));
    return new Answer.WrittenFile(path, order.bytes(), crc, since(begun));
  }

  /** What is written into a file. */
  interface Filling {
    /** Writes it; answers what the caller wants to know of it. */
    long into(OutputStream out) throws IOException;
  }

  /** Writes a file, in place of one that is there. */
  long write(String path, int replication, long blockBytes, Filling filling) throws IOException {
    FSDataOutputStream out =
        access.files().create(new Path(path), true, BUFFER, (short) replication, blockBytes);
    boolean done = false;
    try {
      long answer = filling.into(out);
      out.close();
      done = true;
      return answer;
    } finally {
      if (!done) {
        // HDFS's stream throws what was thrown before when it is closed, which nobody must see.
        IOUtils.closeStream(out);
      }
    }
  }

  Answer.Been read(Command.Read order) throws IOException {
    try (FileSystem fs = access.reader(order.client(), order.properties())) {
      // Connections that any client that lives has.
      long rest = fs.getFileStatus(new Path(order.path())).getLen() - order.offset();
      long length = order.length() == 0 ? rest : order.length();
      if (length < 0 || length > rest) {
        throw new IllegalArgumentException(
            "%s has %d bytes from %d on, not %d"
                .formatted(order.path(), rest, order.offset(), length));
      }
      long begun = System.nanoTime();
      Content.Seen seen =
          order.positioned()
              ? readAtOnce(fs, order.path(), order.offset(), Math.toIntExact(length))
              : read(fs, order.path(), order.offset(), length);
      double seconds = since(begun);
      return new Answer.Been(seconds, seen.bytes(), seen.crc32c(), counters(fs));
    }
  }

  /** Reads a range as any program does. */
  static Content.Seen read(FileSystem fs, String path, long offset, long length)
      throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      in.seek(offset);
      return Content.read(in, length);
    }
  }

  private static Content.Seen readAtOnce(FileSystem fs, String path, long offset, int length)
      throws IOException {
    byte[] range = new byte[length];
    try (FSDataInputStream in = fs.open(new Path(path))) {
      in.readFully(offset, range);
    }
    CRC32C crc = new CRC32C();
    crc.update(range);
    return new Content.Seen(length, crc.getValue());
  }

  private static Map<String, Long> counters(FileSystem fs) {
    IOStatistics statistics = IOStatisticsSupport.retrieveIOStatistics(fs);
    return statistics == null ? Map.of() : new LinkedHashMap<>(statistics.counters());
  }

  Answer.Copied copy(Command.Copy order) throws IOException, InterruptedException {
    List<String> paths = files(order.from());
    List<Callable<Long>> tasks = new ArrayList<>();
    for (String path : paths) {
      tasks.add(() -> copy(path, order));
    }
    try (UsedPeak peak = new UsedPeak(access.files())) {
      long begun = System.nanoTime();
      long bytes = all(order.parallel(), tasks).stream().mapToLong(Long::longValue).sum();
      double seconds = since(begun);
      return new Answer.Copied(seconds, bytes, paths.size(), peak.before(), peak.most());
    }
  }

  private long copy(String path, Command.Copy order) throws IOException {
    DistributedFileSystem fs = access.files();
    FileStatus status = fs.getFileStatus(new Path(path));
    String below = path.substring(order.from().length());
    Path target = new Path(below.isEmpty() ? order.to() : order.to() + below);
    long bytes;
    try (InputStream in = fs.open(new Path(path))) {
      bytes =
          write(
              target.toUri().getPath(),
              status.getReplication(),
              status.getBlockSize(),
              in::transferTo);
    }
    if (order.replace()) {
      fs.delete(new Path(path), false);
      if (!fs.rename(target, new Path(path))) {
        throw new IOException(target + " was copied, but does not take the place of " + path);
      }
    }
    return bytes;
  }

  void delete(Command.Delete order) throws IOException {
    // Not into the trash, which would keep the bytes.
    access.files().delete(new Path(order.path()), true);
  }

  /** The files at or below a path, in the order of their names. */
  List<String> files(String path) throws IOException {
    List<String> out = new ArrayList<>();
    RemoteIterator<? extends FileStatus> found = access.files().listFiles(new Path(path), true);
    while (found.hasNext()) {
      out.add(found.next().getPath().toUri().getPath());
    }
    if (out.isEmpty()) {
      throw new FileNotFoundException("there are no files below " + path);
    }
    out.sort(java.util.Comparator.comparingInt(String::length).thenComparing(name -> name));
    return out;
  }

  Answer.Stored usage(Command.Usage order) throws IOException {
    ContentSummary files = access.files().getContentSummary(new Path(order.path()));
    return new Answer.Stored(
        files.getLength(),
        files.getSpaceConsumed() + access.braid().status(order.path()).parityBytes(),
        access.files().getStatus().getUsed());
  }

  static double since(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  /** Does all, so many at once; the first failure is thrown when all have ended. */
  private static <T> List<T> all(int parallel, List<Callable<T>> tasks)
      throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, parallel));
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> future : threads.invokeAll(tasks)) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }
}
