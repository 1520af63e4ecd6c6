package org.braid.experiment.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SizesTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "64k, 65536",
    "8m, 8388608",
    "1g, 1073741824",
    "3K, 3072",
    "4294967296g, 4611686018427387904"
  })
  void unitsArePowersOfTwo(String text, long bytes) {
    assertEquals(bytes, Sizes.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "k", "1t", "-1", "1.5m", "1 k", "0x10", "1kb", "9999999999999999999"})
  void refusesWhatIsNoSize(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Sizes.parse(text)).getMessage();
    assertEquals(
        "\"" + text + "\" is not a size: write bytes, or a number with k, m or g, as in 256k",
        message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0k", "4294967297g", "999999999999999999k"})
  void refusesWhatIsOutOfRange(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Sizes.parse(text)).getMessage();
    assertEquals("\"" + text + "\" is out of range: a size is from 1 to 2^62 bytes", message);
  }

  @Test
  void anIntMustFit() {
    assertEquals(2146435072, Sizes.parseInt("2047m"));
    String message =
        assertThrows(IllegalArgumentException.class, () -> Sizes.parseInt("2g")).getMessage();
    assertEquals("\"2g\" is too large: it must be below 2g", message);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "1048575, 1.0 MiB",
    "128651445, 122.7 MiB",
    "1099511627776, 1.0 TiB"
  })
  void writesThreeOrFourDigits(long bytes, String text) {
    assertEquals(text, Sizes.format(bytes));
  }

  @Test
  void countsWithNouns() {
    assertEquals("1 file", Sizes.count(1, "file"));
    assertEquals("0 files", Sizes.count(0, "file"));
  }

  @ParameterizedTest
  @CsvSource({"8kbit, 1000", "100mbit, 12500000", "2.5gbit, 312500000", "10Gbit, 1250000000"})
  void ratesArePowersOfTen(String text, double bytes) {
    assertEquals(bytes, Sizes.parseRate(text), 1e-6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "100", "100m", "-1mbit", "1tbit", "mbit", "1e3mbit", "0mbit"})
  void refusesWhatIsNoRate(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Sizes.parseRate(text)).getMessage();
    assertEquals(
        text.equals("0mbit")
            ? "\"0mbit\" is out of range: nothing would move"
            : "\""
                + text
                + "\" is not a rate: write a number with kbit, mbit or gbit, as in 100mbit",
        message);
  }
}
