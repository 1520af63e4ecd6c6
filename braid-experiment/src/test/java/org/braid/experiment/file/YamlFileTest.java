package org.braid.experiment.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.junit.jupiter.api.Test;

final class YamlFileTest {
  /** Characters that SnakeYAML reads at once. */
  private static final int PIECE = 1024;

  @Test
  void charactersOfTwoHalvesStandAnywhere() throws ExperimentException {
    for (int length = PIECE - 20; length < PIECE + 20; length++) {
      String value = "x".repeat(length) + "\uD83D\uDE00";
      YamlFile<?> file = YamlFile.parse("a: " + value + "\n", "file", Map.class);
      assertEquals(Map.of("a", value), file.value());
    }
  }
}
