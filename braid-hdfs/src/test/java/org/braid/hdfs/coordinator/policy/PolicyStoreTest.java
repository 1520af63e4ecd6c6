package org.braid.hdfs.coordinator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import org.junit.jupiter.api.Test;

final class PolicyStoreTest {
  /** Other machines would not see a change whose file has the digits of Arabic or Persian. */
  @Test
  void changesHaveTheSameNamesInAllLanguages() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertEquals("00000012.json", PolicyStore.name(12));
    } finally {
      Locale.setDefault(before);
    }
  }
}
