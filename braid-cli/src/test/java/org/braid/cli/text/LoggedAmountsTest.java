package org.braid.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.view.Amounts;
import org.junit.jupiter.api.Test;

/** What daemons log and what commands print of the same amount is the same text. */
final class LoggedAmountsTest {
  @Test
  void sizesAreWrittenAsCommandsPrintThem() {
    for (int bits = 0; bits < 63; bits++) {
      long size = 1L << bits;
      // From 1023.95 of a unit on it is the next one.
      long border = size - size / 20_480;
      for (long bytes :
          List.of(size - 1, size, size + 1, size + size / 2, border - 1, border, border + 1)) {
        assertEquals(Sizes.format(bytes), Amounts.bytes(bytes));
      }
    }
  }

  @Test
  void numbersAreWrittenAsCommandsPrintThem() {
    for (long number = 0; number < 3; number++) {
      assertEquals(Sizes.count(number, "file"), Amounts.count(number, "file"));
    }
  }
}
