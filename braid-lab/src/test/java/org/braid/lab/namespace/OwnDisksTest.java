package org.braid.lab.namespace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import org.braid.experiment.ExperimentException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two disks of 64 MiB, where this machine lets us have them. */
@Tag("lab")
final class OwnDisksTest {
  private static final long ROOM = 64 << 20;
  private static final byte[] BYTES = new byte[100_000];

  @TempDir private static Path dir;
  private static Namespaces space;

  @BeforeAll
  static void make() throws IOException, InterruptedException {
    Files.createDirectory(dir.resolve("data"));
    Files.createFile(dir.resolve("hosts"));
    Files.createFile(dir.resolve("resolv.conf"));
    try {
      space = Namespaces.create(dir, OptionalLong.of(ROOM));
    } catch (ExperimentException e) {
      assumeTrue(false, "no lab here: " + e.getMessage());
    }
  }

  @AfterAll
  static void end() throws Exception {
    if (space != null) {
      space.destroy();
    }
  }

  private static Path seen(String name) {
    return space.seen(dir.resolve("data").resolve(name));
  }

  private static void refuses(String name, StandardOpenOption how) {
    IOException refused =
        assertThrows(IOException.class, () -> Files.write(seen(name), BYTES, how));
    assertTrue(refused.getMessage().contains("No space left on device"), refused::getMessage);
  }

  @Test
  void aDiskRunsFullAloneAndGetsRoomAgain() throws Exception {
    OwnDisks disks = new OwnDisks(space);
    Path a = dir.resolve("data/a");
    disks.mount(List.of(a, dir.resolve("data/b")), ROOM);
    Files.write(seen("a/old"), BYTES);
    assertNotEquals(0, seen("a").toFile().getUsableSpace());

    disks.fill(a);
    assertEquals(0, seen("a").toFile().getUsableSpace());
    refuses("a/new", StandardOpenOption.CREATE);
    refuses("a/old", StandardOpenOption.APPEND);
    Files.write(seen("b/new"), BYTES);

    disks.free(a, ROOM);
    Files.write(seen("a/more"), BYTES);
    disks.refuseFiles(a);
    assertTrue(seen("a").toFile().getUsableSpace() > BYTES.length, "it says that it has room");
    refuses("a/another", StandardOpenOption.CREATE);
    assertArrayEquals(BYTES, Files.readAllBytes(seen("a/more")));

    disks.free(a, ROOM);
    Files.write(seen("a/another"), BYTES);
  }
}
