package org.braid.hdfs.coordinator.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.braid.hdfs.api.view.StatusReport;
import org.braid.hdfs.api.view.StatusReport.CodeCount;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.junit.jupiter.api.Test;

final class OverviewTallyTest {
  private final FakeCluster cluster = new FakeCluster(6, 2);
  private final StripeStatus stripe =
      cluster.status(cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0"));

  private StatusReport count(StripeStatus status) {
    OverviewTally tally = new OverviewTally(cluster.look());
    StoredFile file =
        FakeFile.at("/f", 7)
            .blocks(status.members().subList(0, 3).stream().map(MemberStatus::status).toList())
            .build();
    tally.add(List.of(file), StripeMap.of(List.of(status)));
    return tally.report(
        new StatusReport.Coordination("", false, false, false, 0, 0, false), List.of(), null);
  }

  @Test
  void stripesAreCounted() {
    StatusReport report = count(stripe);
    assertEquals(List.of(new CodeCount("rs-3-2", 1, 3, 2)), report.codes());
    assertEquals(2 << 20, report.parityBytes());
    assertEquals(5 << 20, report.storedBytes());
  }

  /** HDFS tells nothing of their blocks, but of the room that they take. */
  @Test
  void filesThatHdfsStripesAreCountedApart() {
    OverviewTally tally = new OverviewTally(cluster.look());
    StoredFile file =
        FakeFile.at("/f", 7)
            .length(600, 1)
            .obstacles("STRIPED")
            .usage(new StoredFile.Usage("ann", 0, 0, 900))
            .build();
    tally.add(List.of(file), StripeMap.of(List.of()));
    StatusReport report =
        tally.report(
            new StatusReport.Coordination("", false, false, false, 0, 0, false), List.of(), null);
    assertEquals(new StatusReport.FileCounts(0, 0, 0, 1), report.files());
    assertEquals(600, report.logicalBytes());
    assertEquals(900, report.storedBytes());
  }

  /** A later version of Braid wrote it; whoever asks for the status is to hear of the others. */
  @Test
  void stripesOfAnotherMatrixAreCountedWithoutTheirParity() {
    StatusReport report =
        count(
            new StripeStatus(
                StripeCodec.of(
                    StripeCodec.toProto(stripe.stripe()).toBuilder().setDigest("0b").build()),
                stripe.parityPath(),
                stripe.parityInode(),
                stripe.members()));
    assertEquals(List.of(new CodeCount("rs-3-2", 1, 0, 0)), report.codes());
    assertEquals(0, report.parityBytes());
    assertEquals(new StatusReport.FileCounts(0, 1, 0, 0), report.files());
  }
}
