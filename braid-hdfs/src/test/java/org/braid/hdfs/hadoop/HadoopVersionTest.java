package org.braid.hdfs.hadoop;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HadoopVersionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "3.4.1",
        "3.4.3",
        "3.5.0",
        "3.5.7-SNAPSHOT",
        "3.4.1-amzn-2",
        "3.4.2.7.3.3.0-128",
        "3.4.10"
      })
  void theDaemonsOfTheseRunBraid(String version) {
    assertDoesNotThrow(() -> HadoopVersion.check(version));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.10.2", "3.3.6", "3.4.0", "3.6.0", "4.0.0-alpha1", "3.10.0"})
  void othersAreRefusedInOneLine(String version) {
    UnsupportedHadoopException refused =
        assertThrows(UnsupportedHadoopException.class, () -> HadoopVersion.check(version));
    assertEquals(
        "this is Hadoop " + version + ", and Braid runs in Hadoop 3.4.1 to 3.5",
        refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Unknown", "", "3.4", "v3.4.1"})
  void whatIsNoVersionIsRefused(String version) {
    UnsupportedHadoopException refused =
        assertThrows(UnsupportedHadoopException.class, () -> HadoopVersion.check(version));
    assertEquals(
        "Hadoop calls its version '" + version + "', and Braid runs in Hadoop 3.4.1 to 3.5",
        refused.getMessage());
  }

  @Test
  void theHadoopOfTheBuildRunsBraid() {
    assertDoesNotThrow(() -> HadoopVersion.check());
  }
}
