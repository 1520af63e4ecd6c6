package org.braid.hdfs.api.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AmountsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "1048575, 1.0 MiB",
    "128651445, 122.7 MiB",
    "1610612736, 1.5 GiB",
    "4503599627370496, 4096.0 TiB"
  })
  void sizesHaveAUnitThatFits(long bytes, String text) {
    assertEquals(text, Amounts.bytes(bytes));
  }

  @Test
  void numbersHaveTheirNoun() {
    assertEquals("0 files", Amounts.count(0, "file"));
    assertEquals("1 file", Amounts.count(1, "file"));
    assertEquals("2 files", Amounts.count(2, "file"));
  }
}
