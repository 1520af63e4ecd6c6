package org.braid.hdfs.testkit.lab;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
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
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.ToolRunner;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.testkit.job.TextContent;

/** Executes commands on files by HDFS's or Braid's client. Thread-safe. */
final class FileCommands {
  private static final int BUFFER = 64 << 10;

  private final ClusterClients clients;

  FileCommands(ClusterClients clients) {
    this.clients = clients;
  }

  void makeDirectory(Command.MakeDirectory command) throws IOException {
    DistributedFileSystem fs = clients.files();
    Path path = new Path(command.path());
    fs.mkdirs(path);
    if (!command.ear().isEmpty()) {
      fs.setXAttr(path, BraidPaths.EAR_XATTR, command.ear().getBytes(StandardCharsets.UTF_8));
    }
    if (!command.policy().isEmpty()) {
      fs.enableErasureCodingPolicy(command.policy());
      fs.setErasureCodingPolicy(path, command.policy());
    }
  }

  Answer.Written write(Command.Write command) throws IOException, InterruptedException {
    List<Callable<Answer.WrittenFile>> tasks = new ArrayList<>();
    for (int i = 0; i < command.files(); i++) {
      String path = command.files() == 1 ? command.path() : command.path() + "/" + i;
      long seed = command.seed() + i;
      tasks.add(() -> write(path, command, seed));
    }
    long begun = System.nanoTime();
    List<Answer.WrittenFile> files = all(command.parallel(), tasks);
    long bytes = files.stream().mapToLong(Answer.WrittenFile::bytes).sum();
    return new Answer.Written(since(begun), bytes, files);
  }

  Answer.Written write(Command.WriteText command) throws IOException {
    TextContent content = new TextContent(command.seed());
    long begun = System.nanoTime();
    long crc =
        write(
            command.path(),
            command.replication(),
            command.blockBytes(),
            out -> content.write(out, command.bytes()));
    double seconds = since(begun);
    Answer.WrittenFile file = new Answer.WrittenFile(command.path(), command.bytes(), crc, seconds);
    return new Answer.Written(seconds, command.bytes(), List.of(file));
  }

  private Answer.WrittenFile write(String path, Command.Write command, long seed)
      throws IOException {
    FileContent content = new FileContent(seed);
    long begun = System.nanoTime();
    long crc =
        write(
            path,
            command.replication(),
            command.blockBytes(),
            out -> content.write(out, command.bytes()));
    return new Answer.WrittenFile(path, command.bytes(), crc, since(begun));
  }

  /** Writes the content of a file. */
  interface Filling {
    /** Writes the content and returns a result for the caller, such as a CRC. */
    long into(OutputStream out) throws IOException;
  }

  /** Writes a file and replaces an existing one. */
  long write(String path, int replication, long blockBytes, Filling filling) throws IOException {
    FSDataOutputStream out =
        clients.files().create(new Path(path), true, BUFFER, (short) replication, blockBytes);
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

  Answer.RangeRead read(Command.Read command) throws IOException {
    try (FileSystem fs = clients.reader(command.client(), command.properties())) {
      // Connections that any client that lives has.
      long rest = fs.getFileStatus(new Path(command.path())).getLen() - command.offset();
      long length = command.length() == 0 ? rest : command.length();
      if (length < 0 || length > rest) {
        throw new IllegalArgumentException(
            "%s has %d bytes from %d on, not %d"
                .formatted(command.path(), rest, command.offset(), length));
      }
      long begun = System.nanoTime();
      FileContent.Digest seen =
          command.positioned()
              ? readAtOnce(fs, command.path(), command.offset(), Math.toIntExact(length))
              : read(fs, command.path(), command.offset(), length);
      double seconds = since(begun);
      return new Answer.RangeRead(seconds, seen.bytes(), seen.crc32c(), counters(fs));
    }
  }

  /** Reads a range as any program does. */
  static FileContent.Digest read(FileSystem fs, String path, long offset, long length)
      throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      in.seek(offset);
      return FileContent.read(in, length);
    }
  }

  private static FileContent.Digest readAtOnce(FileSystem fs, String path, long offset, int length)
      throws IOException {
    byte[] range = new byte[length];
    try (FSDataInputStream in = fs.open(new Path(path))) {
      in.readFully(offset, range);
    }
    CRC32C crc = new CRC32C();
    crc.update(range);
    return new FileContent.Digest(length, crc.getValue());
  }

  private static Map<String, Long> counters(FileSystem fs) {
    IOStatistics statistics = IOStatisticsSupport.retrieveIOStatistics(fs);
    return statistics == null ? Map.of() : new LinkedHashMap<>(statistics.counters());
  }

  Answer.Copied copy(Command.Copy command) throws IOException, InterruptedException {
    List<String> paths = files(command.from());
    List<Callable<Long>> tasks = new ArrayList<>();
    for (String path : paths) {
      tasks.add(() -> copy(path, command));
    }
    try (UsedPeak peak = new UsedPeak(clients.files())) {
      long begun = System.nanoTime();
      long bytes = all(command.parallel(), tasks).stream().mapToLong(Long::longValue).sum();
      double seconds = since(begun);
      return new Answer.Copied(seconds, bytes, paths.size(), peak.before(), peak.most());
    }
  }

  private long copy(String path, Command.Copy command) throws IOException {
    DistributedFileSystem fs = clients.files();
    FileStatus status = fs.getFileStatus(new Path(path));
    String below = path.substring(command.from().length());
    Path target = new Path(below.isEmpty() ? command.to() : command.to() + below);
    long bytes;
    try (InputStream in = fs.open(new Path(path))) {
      bytes =
          write(
              target.toUri().getPath(),
              status.getReplication(),
              status.getBlockSize(),
              in::transferTo);
    }
    if (command.replace()) {
      fs.delete(new Path(path), false);
      if (!fs.rename(target, new Path(path))) {
        throw new IOException(target + " was copied, but does not take the place of " + path);
      }
    }
    return bytes;
  }

  Answer.Counted count(Command.CountConverted command) throws IOException {
    int all = 0;
    int converted = 0;
    RemoteIterator<LocatedFileStatus> files =
        clients.files().listFiles(new Path(command.path()), true);
    while (files.hasNext()) {
      all++;
      converted += files.next().getReplication() == 1 ? 1 : 0;
    }
    return new Answer.Counted(all, converted);
  }

  /** Runs fsck; ignores its output and its exit status, because the files show what it did. */
  void deleteCorrupt(Command.DeleteCorrupt command) throws IOException {
    try (PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream())) {
      DFSck fsck = new DFSck(clients.files().getConf(), nowhere);
      int unused = ToolRunner.run(fsck, new String[] {command.path(), "-delete"});
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  void delete(Command.Delete command) throws IOException {
    // Not into the trash, which would keep the bytes.
    clients.files().delete(new Path(command.path()), true);
  }

  /** The files at or below a path, in the order of their names. */
  List<String> files(String path) throws IOException {
    List<String> out = new ArrayList<>();
    RemoteIterator<? extends FileStatus> found = clients.files().listFiles(new Path(path), true);
    while (found.hasNext()) {
      out.add(found.next().getPath().toUri().getPath());
    }
    if (out.isEmpty()) {
      throw new FileNotFoundException("there are no files below " + path);
    }
    out.sort(java.util.Comparator.comparingInt(String::length).thenComparing(name -> name));
    return out;
  }

  Answer.Stored usage(Command.Usage command) throws IOException {
    ContentSummary files = clients.files().getContentSummary(new Path(command.path()));
    return new Answer.Stored(
        files.getLength(),
        files.getSpaceConsumed() + clients.braid().status(command.path()).parityBytes(),
        clients.files().getStatus().getUsed());
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
