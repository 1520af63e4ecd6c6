package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.braid.hdfs.rpc.ScrubRecord.Round;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ScrubRecordTest {
  private static final String HALF = "80000000000000000000000000000000";

  @Test
  void whatIsWrittenIsRead() {
    assertEquals(ScrubRecord.NONE, ScrubRecord.parse(ScrubRecord.NONE.bytes()));
    ScrubRecord record =
        ScrubRecord.NONE.with(Round.from(5, 100).at(HALF, 6, 7, 8).compared(9, 1).missing(2));
    assertEquals(record, ScrubRecord.parse(record.bytes()));
    ScrubRecord both = record.withLast(Round.from(1, 2).at(HALF, 3, 4, 5).ended(6));
    assertEquals(both, ScrubRecord.parse(both.bytes()));
    assertEquals(
        "version=1 begun=5 span=100 ended=0 after="
            + HALF
            + " blocks=6 bytes=7 findings=8 checked=9 unfit=1 unread=2",
        new String(record.bytes(), StandardCharsets.UTF_8));
  }

  /** As releases wrote it that knew nothing of parity. */
  @Test
  void whatEarlierReleasesWroteIsRead() {
    String text =
        "version=1 begun=5 span=100 ended=0 after=" + HALF + " blocks=6 bytes=7 findings=8";
    Round round = Round.from(5, 100).at(HALF, 6, 7, 8);
    assertEquals(
        ScrubRecord.NONE.with(round), ScrubRecord.parse(text.getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "version=2",
        "version=1 version=1",
        "version=1 begun=5",
        "version=1 begun=x span=1 ended=0 after= blocks=1 bytes=1 findings=1",
        "version=1 begun=5 span=1 ended=0 after=xyz blocks=1 bytes=1 findings=1",
        "version=1 begun=5 span=1 ended=0 after= blocks=1 bytes=1 findings=1 checked=x",
        "version=1 begun=-5 span=1 ended=0 after= blocks=1 bytes=1 findings=1"
      })
  void whatIsNoneIsRefused(String text) {
    byte[] stored = text.getBytes(StandardCharsets.UTF_8);
    assertThrows(IllegalArgumentException.class, () -> ScrubRecord.parse(stored));
  }

  @Test
  void anIdSaysHowManyComeBeforeIt() {
    assertEquals(0, ScrubRecord.fraction(""));
    assertEquals(0.5, ScrubRecord.fraction(HALF));
    assertEquals(0.25, Round.from(0, 0).at("4" + "0".repeat(31), 0, 0, 0).done());
    assertTrue(ScrubRecord.fraction("f".repeat(32)) < 1);
    assertEquals(1, Round.from(0, 0).ended(1).done());
  }

  @Test
  void theLaterOfTwoRoundsIsTheLast() {
    Round early = Round.from(1, 0).ended(10);
    Round late = Round.from(2, 0).ended(20);
    assertEquals(late, ScrubRecord.NONE.withLast(early).withLast(late).last().orElseThrow());
    assertEquals(late, ScrubRecord.NONE.withLast(late).withLast(early).last().orElseThrow());
  }

  /** Else no round would be the last one for years, and scrubs would never be late. */
  @Test
  void aRoundThatEndedByAWrongClockIsForgotten() {
    long now = 1_800_000_000_000L;
    Round real = Round.from(now - 1000, 0).ended(now);
    ScrubRecord wrong = ScrubRecord.NONE.withLast(Round.from(2 * now - 1000, 0).ended(2 * now));
    assertEquals(real, wrong.asOf(now).withLast(real).last().orElseThrow());
    assertEquals(OptionalLong.empty(), wrong.asOf(now).oldestMillis(now));
    ScrubRecord right = ScrubRecord.NONE.withLast(real);
    assertEquals(right, right.asOf(now));
    assertEquals(right, right.asOf(now - 60_000), "clocks differ a little");
  }

  /** The stripe behind the present position was not read before its time in the last round. */
  @Test
  void theOldestReadIsTheNextOne() {
    assertEquals(OptionalLong.empty(), ScrubRecord.NONE.oldestMillis(5));
    ScrubRecord record =
        ScrubRecord.NONE.withLast(Round.from(1000, 100).ended(1100)).with(Round.from(1100, 100));
    assertEquals(OptionalLong.of(100), record.oldestMillis(1100));
    ScrubRecord half = record.with(Round.from(1100, 100).at(HALF, 0, 0, 0));
    assertEquals(OptionalLong.of(100), half.oldestMillis(1150));
    // The last round stood still behind its half, which may have been read in time.
    ScrubRecord late =
        ScrubRecord.NONE
            .withLast(Round.from(1000, 100).ended(2000))
            .with(Round.from(2000, 100).at(HALF, 0, 0, 0));
    assertEquals(OptionalLong.of(1000), late.oldestMillis(2050));
    // A round by hand had no plan, and the present one began before it.
    ScrubRecord byHand =
        ScrubRecord.NONE
            .withLast(Round.from(1000, 0).ended(1100))
            .with(Round.from(900, 100).at(HALF, 0, 0, 0));
    assertEquals(OptionalLong.of(200), byHand.oldestMillis(1200));
  }

  /** What the first round has not read yet was not read since it began, at least. */
  @Test
  void beforeTheFirstRoundHasEndedStripesWaitSinceItBegan() {
    ScrubRecord first = ScrubRecord.NONE.with(Round.from(1000, 100).at(HALF, 0, 0, 0));
    assertEquals(OptionalLong.of(500), first.oldestMillis(1500));
    assertEquals(OptionalLong.of(0), first.oldestMillis(1000));
    assertEquals(OptionalLong.empty(), first.oldestMillis(900), "it begins later");
    ScrubRecord ended = ScrubRecord.NONE.with(Round.from(1000, 100).ended(1100));
    assertEquals(OptionalLong.empty(), ended.oldestMillis(1500), "nothing waits for it");
  }
}
