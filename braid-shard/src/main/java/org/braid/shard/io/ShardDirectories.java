package org.braid.shard.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.braid.shard.format.ShardNames;

/** The directories created for a set; closing deletes them unless {@link #keep} was called. */
public final class ShardDirectories implements Closeable {
  private final Deque<Path> made = new ArrayDeque<>();

  private ShardDirectories() {}

  public static ShardDirectories create(Path directory, ShardNames names) throws IOException {
    ShardDirectories all = new ShardDirectories();
    try {
      all.make(directory.toAbsolutePath());
      for (int b = 0; b < names.n(); b++) {
        Path rack = names.path(b).getParent();
        if (rack != null) {
          all.make(directory.resolve(rack).toAbsolutePath());
        }
      }
    } catch (FileAlreadyExistsException e) {
      all.close();
      throw new FileSystemException(e.getFile(), null, "is not a directory");
    } catch (IOException e) {
      all.close();
      throw FileErrors.failed(directory, "cannot be made a directory of shards", e);
    }
    return all;
  }

  private void make(Path directory) throws IOException {
    Path parent = directory.getParent();
    if (Files.isDirectory(directory)) {
      return;
    }
    if (parent != null) {
      make(parent);
    }
    Files.createDirectory(directory);
    made.push(directory);
  }

  public void keep() {
    made.clear();
  }

  @Override
  public void close() throws IOException {
    while (!made.isEmpty()) {
      try {
        Files.deleteIfExists(made.pop());
      } catch (DirectoryNotEmptyException e) {
        // Another process has put a file there.
      }
    }
  }
}
