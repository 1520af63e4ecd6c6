package org.braid.shard.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The temporary files of a process. A signal ends the process without its finally blocks; an exit
 * hook deletes the temporary files instead. The hook waits for a publication that has begun, so
 * that a signal does not divide a set.
 */
final class Temporaries {
  /** How long the exit waits for a publication, in seconds; a disk may hang. */
  private static final long PATIENCE_SECONDS = 10;

  private static final Temporaries OF_PROCESS = new Temporaries();

  static {
    Thread hook = new Thread(OF_PROCESS::deleteAtExit, "shards-exit");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private final Set<Path> files = ConcurrentHashMap.newKeySet();
  private final ReentrantLock publication = new ReentrantLock();

  /** Work that an exit does not divide. */
  @FunctionalInterface
  interface Publication {
    void run() throws IOException;
  }

  static Temporaries ofProcess() {
    return OF_PROCESS;
  }

  void add(Path file) {
    files.add(file);
  }

  void remove(Path file) {
    files.remove(file);
  }

  /** Runs a publication; an exit waits for its end. */
  void publish(Publication work) throws IOException {
    publication.lock();
    try {
      work.run();
    } finally {
      publication.unlock();
    }
  }

  /** Deletes all files. No publication can begin after it. */
  void deleteAtExit() {
    try {
      if (!publication.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    // The lock stays taken: the process ends.
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // The file stays, and decoding names it.
      }
    }
  }
}
