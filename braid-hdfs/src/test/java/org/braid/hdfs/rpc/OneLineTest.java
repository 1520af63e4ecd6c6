package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class OneLineTest {
  @Test
  void whateverBreaksALineOrSteersATerminalIsASpace() {
    assertEquals("a b c d e f", OneLine.of("a\r\nb\tc\u001bd\u0085e\u2028f"));
    assertEquals("caf\u00e9 \u4e2d", OneLine.of("caf\u00e9 \u4e2d"));
  }

  /** What came first and why it failed are kept. */
  @Test
  void ofALongTextTheMiddleIsLeftOut() {
    String most = "a".repeat(1000) + "z".repeat(1000);
    assertEquals(most, OneLine.brief(most));
    String longer = "a".repeat(1000) + "m".repeat(4 << 20) + "z".repeat(1000);
    assertEquals(
        "a".repeat(1000) + " [4194304 characters] " + "z".repeat(1000), OneLine.brief(longer));
  }
}
