package org.braid.cli.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UpCommandTest {
  private static final String INSTALLED =
      "use it: braid lab exec -- braid status, as a program on the client c0 of the lab";

  @Test
  void theLabIsUsedByTheProgramThatStartedIt(@TempDir Path checkout) throws Exception {
    Path braid = Files.createFile(checkout.resolve("braid"));
    assertEquals(
        "use it: ./braid lab exec -- ./braid status, as a program on the client c0 of the lab",
        UpCommand.use(checkout, checkout.toString()));
    assertEquals(
        "use it: %1$s lab exec -- %1$s status, as a program on the client c0 of the lab"
            .formatted(braid),
        UpCommand.use(Path.of("/src"), checkout.toString()));
    assertEquals(INSTALLED, UpCommand.use(Path.of("/src"), null));
  }

  /** It has its files in {@code share/braid}, and the program in {@code bin}. */
  @Test
  void theLabOfAnInstalledReleaseIsUsedByTheProgramOfItsPath(@TempDir Path share) {
    assertEquals(INSTALLED, UpCommand.use(Path.of("/src"), share.toString()));
    assertEquals(INSTALLED, UpCommand.use(share, share.toString()));
  }
}
