package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.braid.cli.command.Termination;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StoppedCommandsTest {
  private final List<Thread> hooks = new ArrayList<>();

  private int hooksOf(String... args) {
    hooks.clear();
    Run run = Run.of(new FakeCluster(), new Termination(hooks::add), args);
    assertEquals("", run.err());
    return hooks.size();
  }

  @ParameterizedTest
  @ValueSource(strings = {"convert", "repair"})
  void onlyWhatChangesTheClusterSaysThatItGoesOnFromHere(String command) {
    assertEquals(1, hooksOf(command, "/logs"));
    assertEquals(0, hooksOf(command, "--dry-run", "/logs"));
  }
}
