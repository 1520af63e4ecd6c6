package org.braid.shard;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** Directories made for a set; those that are not kept go again. */
final class Directories implements Closeable {
  private final Deque<Path> made = new ArrayDeque<>();

  private Directories() {}

  static Directories create(Path directory, ShardNames names) throws IOException {
    Directories all = new Directories();
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
      throw AtomicFile.failed(directory, "cannot be made a directory of shards", e);
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

  void keep() {
    made.clear();
  }

  @Override
  public void close() throws IOException {
    while (!made.isEmpty()) {
      try {
        Files.deleteIfExists(made.pop());
      } catch (DirectoryNotEmptyException e) {
        // Someone else uses it by now.
      }
    }
  }
}
