package org.braid.shard.io;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class TemporariesTest {
  @TempDir Path directory;

  private final Temporaries temporaries = new Temporaries();

  private Path file(String name) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "content");
    temporaries.add(file);
    return file;
  }

  @Test
  void theExitDeletesWhatIsLeft() throws IOException {
    Path left = file("left");
    Path gone = file("gone");
    Path published = file("published");
    Files.delete(gone);
    temporaries.remove(published);
    temporaries.deleteAtExit();
    assertFalse(Files.exists(left));
    assertTrue(Files.exists(published));
  }

  /** A signal between two renames must not take the second file away. */
  @Test
  @Timeout(30)
  void theExitWaitsForAPublication() throws IOException, InterruptedException {
    Path first = file("first");
    Path second = file("second");
    Thread exit = new Thread(temporaries::deleteAtExit);
    temporaries.publish(
        () -> {
          Files.move(first, directory.resolve("f.00"));
          temporaries.remove(first);
          exit.start();
          while (exit.getState() != Thread.State.TIMED_WAITING && exit.isAlive()) {
            Thread.onSpinWait();
          }
          Files.move(second, directory.resolve("f.01"));
          temporaries.remove(second);
        });
    exit.join();
    assertTrue(Files.exists(directory.resolve("f.00")));
    assertTrue(Files.exists(directory.resolve("f.01")));
  }
}
