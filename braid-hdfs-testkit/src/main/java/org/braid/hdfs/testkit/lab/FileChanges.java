package org.braid.hdfs.testkit.lab;

import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.VersionInfo;
import org.braid.hdfs.hadoop.HadoopVersion;

/** Changes files by HDFS's own client. Thread-safe. */
final class FileChanges {
  private static final long CLOSED_SECONDS = 60;
  private static final long LOOK_MILLIS = 100;
  private static final int BUFFER = 4096;

  /**
   * Whether HDFS's client takes the length of the file, not that of the last block, for what the
   * last block holds when it appends: the DataNode then refuses what follows parts of odd lengths
   * that were joined ({@code concat}), each time. 3.5.0 takes the block's.
   */
  private static final boolean APPENDS_BY_FILE_LENGTH =
      HadoopVersion.parse(VersionInfo.getVersion()).compareTo(new HadoopVersion(3, 5, 0)) < 0;

  private final ClusterClients clients;
  private final FileCommands files;

  FileChanges(ClusterClients clients, FileCommands files) {
    this.clients = clients;
    this.files = files;
  }

  /** Completes the rest of a change. */
  void change(Command.Change change) throws IOException, InterruptedException {
    DistributedFileSystem fs = clients.files();
    Path path = new Path(change.path());
    if (change instanceof Command.Create create) {
      files.write(
          create.path(),
          create.replication(),
          create.blockBytes(),
          out -> {
            create.content().write(out);
            return 0;
          });
    } else if (change instanceof Command.Append append) {
      append(path, append);
    } else if (change instanceof Command.Truncate truncate) {
      awaitClosed(path);
      if (fs.getFileStatus(path).getLen() != truncate.length()) {
        fs.truncate(path, truncate.length());
      }
      awaitClosed(path);
    } else if (change instanceof Command.Concat concat) {
      if (fs.getFileStatus(path).getLen() != concat.length()) {
        fs.concat(path, concat.sources().stream().map(Path::new).toArray(Path[]::new));
      }
    } else if (change instanceof Command.Rename rename) {
      rename(path, new Path(rename.to()));
    } else if (change instanceof Command.SetReplication set) {
      fs.setReplication(path, (short) set.replication());
    } else if (change instanceof Command.SetMode set) {
      fs.setPermission(path, new FsPermission((short) set.mode()));
    } else {
      snapshots(fs, path, change);
    }
  }

  private static void snapshots(DistributedFileSystem fs, Path path, Command.Change change)
      throws IOException {
    if (change instanceof Command.AllowSnapshots) {
      fs.mkdirs(path);
      fs.allowSnapshot(path);
    } else if (change instanceof Command.Snapshot take) {
      if (!fs.exists(snapshot(path, take.name()))) {
        fs.createSnapshot(path, take.name());
      }
    } else if (change instanceof Command.DropSnapshot drop) {
      if (fs.exists(snapshot(path, drop.name()))) {
        fs.deleteSnapshot(path, drop.name());
      }
    } else {
      throw new IllegalStateException("unknown change " + change);
    }
  }

  private static Path snapshot(Path directory, String name) {
    return new Path(directory, ".snapshot/" + name);
  }

  private void append(Path path, Command.Append append) throws IOException, InterruptedException {
    awaitClosed(path);
    long there = clients.files().getFileStatus(path).getLen();
    long before = append.before().length();
    long after = before + append.more().length();
    if (there < before || there > after) {
      throw new IOException(
          "%s has %d bytes, neither the %d before nor the %d after an append"
              .formatted(path, there, before, after));
    }
    if (there < after) {
      try (OutputStream out = open(path, there)) {
        append.more().part(there - before, after - there).write(out);
      }
    }
  }

  private OutputStream open(Path path, long length) throws IOException {
    DistributedFileSystem fs = clients.files();
    return APPENDS_BY_FILE_LENGTH && endsAtOddOffset(fs, path, length)
        ? fs.append(path, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), BUFFER, null)
        : fs.append(path);
  }

  /** Whether the last block does not end where it would in a file of blocks of one length. */
  private static boolean endsAtOddOffset(DistributedFileSystem fs, Path path, long length)
      throws IOException {
    if (length == 0) {
      return false;
    }
    FileStatus status = fs.getFileStatus(path);
    long last = fs.getFileBlockLocations(status, length - 1, 1)[0].getLength();
    return (length - last) % status.getBlockSize() != 0;
  }

  private void rename(Path from, Path to) throws IOException {
    DistributedFileSystem fs = clients.files();
    fs.mkdirs(to.getParent());
    if (fs.exists(from) || !fs.exists(to)) {
      fs.rename(from, to, Options.Rename.NONE);
    }
  }

  /** Waits until nobody writes a file, and ends the writing of a client that failed. */
  private void awaitClosed(Path path) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    while (!clients.files().recoverLease(path)) {
      if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(CLOSED_SECONDS)) {
        FileStatus status = clients.files().getFileStatus(path);
        throw new IOException(
            "%s is still being written after %d s, %d bytes so far"
                .formatted(path, CLOSED_SECONDS, status.getLen()));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
