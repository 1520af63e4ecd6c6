package org.braid.cli.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class UpCommandTest {
  @Test
  void theLabIsUsedByTheProgramThatStartedIt() {
    Path here = Path.of("/src/braid");
    assertEquals(
        "use it: ./braid lab exec -- ./braid status, as a program on the client c0 of the lab",
        UpCommand.use(here, "/src/braid"));
    assertEquals(
        "use it: /opt/braid/braid lab exec -- /opt/braid/braid status, as a program on the client"
            + " c0 of the lab",
        UpCommand.use(here, "/opt/braid"));
    assertEquals(
        "use it: braid lab exec -- braid status, as a program on the client c0 of the lab",
        UpCommand.use(here, null));
  }
}
