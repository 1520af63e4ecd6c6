package org.braid.cli.command;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import org.braid.experiment.TemporaryFiles;
import org.jspecify.annotations.Nullable;

/**
 * A directory that is deleted when it is closed, after the resources that use it; also when the
 * process is interrupted.
 */
public final class TemporaryDirectory implements Closeable {
  private final Path directory;
  private final Deque<Closeable> open = new ArrayDeque<>();
  private final Thread hook = new Thread(this::interrupted, "braid-clear");
  private boolean cleared;

  /**
   * Makes the directory.
   *
   * @param parent where; null: the system's directory for temporary files
   */
  public TemporaryDirectory(@Nullable Path parent) throws IOException {
    directory =
        parent == null
            ? TemporaryFiles.here().directory("braid-")
            : Files.createTempDirectory(parent, "braid-");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** The directory. */
  public Path directory() {
    return directory;
  }

  /** Closes a resource before the directory is deleted; the latest one is closed first. */
  public synchronized <T extends Closeable> T keep(T closeable) {
    open.push(closeable);
    return closeable;
  }

  /**
   * Clears up while the process ends. Errors of HDFS's threads mean nothing then, and stay unseen.
   */
  private void interrupted() {
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {});
    clear();
  }

  private synchronized void clear() {
    if (cleared) {
      return;
    }
    cleared = true;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (IOException | RuntimeException e) {
        // Its data is deleted in any case.
      }
    }
    // A daemon that is just stopping may still write.
    for (int attempt = 0; attempt < 3 && Files.exists(directory); attempt++) {
      try {
        delete(directory);
      } catch (IOException e) {
        // Tried again, and then left to the system.
      }
    }
  }

  private static void delete(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e)
              throws IOException {
            Files.deleteIfExists(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Override
  public void close() {
    clear();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook finds nothing to do.
    }
  }
}
