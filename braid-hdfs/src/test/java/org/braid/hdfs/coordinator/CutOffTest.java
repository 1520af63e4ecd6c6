package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class CutOffTest {
  private final FakeTicker ticker = new FakeTicker();
  private boolean answers = true;
  private boolean nameNode = true;
  private int asked;

  private final CutOff cutOff =
      new CutOff(
          () -> {
            asked++;
            if (!nameNode) {
              throw new IOException("no NameNode");
            }
            return answers;
          },
          60_000,
          ticker);

  private boolean after(long seconds) throws InterruptedException {
    boolean is = cutOff.is();
    for (int i = 0; i < seconds; i++) {
      ticker.sleep(1000);
      is = cutOff.is();
    }
    return is;
  }

  @Test
  void asLongAsOneAnswersItIsNot() throws Exception {
    assertFalse(after(600));
    assertEquals(40, asked);
  }

  @Test
  void oneThatNobodyAnswersForAMinuteIs() throws Exception {
    assertFalse(after(30));
    answers = false;
    assertFalse(after(59));
    assertTrue(after(1));
    // An answer ends it.
    answers = true;
    assertFalse(after(15));
  }

  @Test
  void aMinuteBeginsAnewWithTheLease() throws Exception {
    answers = false;
    assertTrue(after(60));
    cutOff.begin();
    assertFalse(after(59));
    assertTrue(after(1));
  }

  @Test
  void whatTheNameNodeDoesNotSayIsNothingAgainstDataNodes() throws Exception {
    answers = false;
    assertFalse(after(45));
    nameNode = false;
    assertFalse(after(600));
  }
}
