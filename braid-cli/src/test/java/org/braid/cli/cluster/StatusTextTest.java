package org.braid.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import org.braid.hdfs.api.view.StatusReport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class StatusTextTest {
  private static final Instant NOW = Instant.parse("2026-11-30T19:50:00Z");
  private static final String ENDED = "2026-11-30T19:46:58Z";

  private static String line(
      @Nullable String ended, @Nullable String begun, double done, long findings, long stripes) {
    Long oldest = ended == null ? null : Long.valueOf(389);
    return StatusText.scrub(
        new StatusReport.Scrub(ended, ended, 0, 0, begun, done, findings, oldest, null),
        stripes,
        NOW);
  }

  @Test
  void aRoundToComeIsTheNextOneAndWithoutStripesNoneWasRead() {
    assertEquals(
        "scrub: the last round ended 2026-11-30T19:46:58Z with 0 findings; the next round begins"
            + " 2026-12-20T18:30:03Z",
        line(ENDED, "2026-12-20T18:30:03Z", 0, 0, 0));
  }

  /** A scrub by command ends while a round of the daemon goes on. */
  @Test
  void nothingIsSaidOfARoundThatHasReadNothing() {
    assertEquals(
        "scrub: the last round ended 2026-11-30T19:46:58Z with 0 findings; every stripe was read"
            + " within 6.48 min",
        line(ENDED, "2026-11-30T19:44:32Z", 0, 0, 3));
    assertEquals("scrub: no round has ended", line(null, "2026-11-30T19:44:32Z", 0, 0, 3));
    assertEquals("scrub: no round has ended; none goes on", line(null, null, 0, 0, 3));
  }

  @Test
  void aRoundThatGoesOnSaysHowFarItIs() {
    assertEquals(
        "scrub: no round has ended; a round since 2026-11-20T00:00:00Z has read 25.0%, with 1"
            + " finding",
        line(null, "2026-11-20T00:00:00Z", 0.25, 1, 3));
    assertEquals(
        "scrub: no round has ended; a round since 2026-11-20T00:00:00Z has read less than 0.1%,"
            + " with 0 findings",
        line(null, "2026-11-20T00:00:00Z", 0.0001, 0, 3));
  }

  @Test
  void replicasThatCouldNotBeReadAndAPauseAreTold() {
    assertEquals(
        "scrub: the last round ended 2026-11-30T19:46:58Z with 1 finding and could not read 2"
            + " replicas; none goes on; every stripe was read within 23 s; paused until it is"
            + " resumed",
        StatusText.scrub(
            new StatusReport.Scrub(ENDED, ENDED, 1, 2, null, 0, 0, 23L, "resumed"), 3, NOW));
  }
}
