package org.braid.experiment.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NumbersTest {
  @ParameterizedTest
  @CsvSource({
    "0, '', 0",
    "12.3456, '', 12.35",
    "-0.00123456, s, -0.001235 s",
    "100, s, 100 s",
    "123456, '', 123500",
    "0.0000123, '', 1.230e-05",
    "12345678901, '', 1.235e+10",
    "2097152, B, 2.0 MiB",
    "2097152, B/s, 2.0 MiB/s",
    "12.5, %, 12.5%",
    "NaN, '', NaN",
  })
  void numbersHaveFourDigitsAndTheirUnit(double value, String unit, String text) {
    assertEquals(text, Numbers.of(value, unit));
  }
}
