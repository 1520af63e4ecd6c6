package org.braid.lab.fuzz;

import org.braid.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that are nearly right. {@link FilesFuzz} searches for more, for hours. */
final class FilesTest {
  private static final int MUTATIONS = 1500;

  @ParameterizedTest
  @EnumSource
  void whateverIsWrittenIsReadOrRefused(FileTarget target) {
    target.parser().feedMutations(Seeds.random(FilesTest.class), MUTATIONS);
  }
}
