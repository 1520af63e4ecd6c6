package org.braid.hdfs.coordinator.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.FileState;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoragePolicy;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.junit.jupiter.api.Test;

final class FsckTallyTest {
  private final FakeCluster cluster = new FakeCluster(6, 2);

  private String stripe() {
    return cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
  }

  private FsckTally tally(String path) {
    return new FsckTally(path, cluster.look());
  }

  private StoredFile file(String path, long inode, List<BlockStatus> blocks) {
    return FakeFile.at(path, inode).blocks(blocks).build();
  }

  /** The file of the data blocks of a stripe. */
  private StoredFile file(String path, String stripe) {
    List<MemberStatus> members = cluster.status(stripe).members().subList(0, 3);
    return file(path, 7, members.stream().map(MemberStatus::status).toList());
  }

  private static StripeStatus changed(StripeStatus status, UnaryOperator<MemberStatus> change) {
    return new StripeStatus(
        status.stripe(),
        status.parityPath(),
        status.parityInode(),
        status.members().stream().map(change).toList());
  }

  /** Members of a file that was deleted. */
  private static StripeStatus onlyInSnapshots(StripeStatus status, int position, String path) {
    List<MemberStatus> members = new ArrayList<>(status.members());
    MemberStatus old = members.get(position);
    members.set(
        position,
        new MemberStatus(
            old.status(),
            path,
            path.hashCode(),
            false,
            true,
            old.fileReplication(),
            false,
            false,
            old.token()));
    return new StripeStatus(status.stripe(), status.parityPath(), status.parityInode(), members);
  }

  /** A stripe of a code whose matrix is another one here. */
  private static StripeStatus unsupported(StripeStatus status) {
    return new StripeStatus(
        StripeCodec.of(StripeCodec.toProto(status.stripe()).toBuilder().setDigest("0b").build()),
        status.parityPath(),
        status.parityInode(),
        status.members());
  }

  private static Map<String, FileState> files(FsckReport report) {
    Map<String, FileState> files = new HashMap<>();
    report.files().forEach(file -> assertEquals(null, files.put(file.path(), file), file.path()));
    return files;
  }

  /** They may have the blocks: a worker that hangs is not waited for without end. */
  @Test
  void whatIsLostNamesTheNodesThatDidNotAnswer() {
    String id = stripe();
    cluster.kill("r0n0");
    cluster.kill("r1n0");
    cluster.silence("r2n0");
    FsckTally tally = tally("/");
    BlockStatus alone =
        new BlockStatus(
            new BlockIdentity(99, 1, 10),
            List.of(new Replica("r2n0", false, false, true)),
            3,
            true,
            List.of());
    tally.addFiles(
        List.of(file("/f", id), file("/alone", 9, List.of(alone))), List.of(cluster.status(id)));
    Map<String, FileState> files = files(tally.report());
    for (String path : List.of("/f", "/alone")) {
      FileState found = files.get(path);
      assertEquals(State.LOST, found.state());
      found
          .findings()
          .forEach(
              block ->
                  assertTrue(
                      block.why().endsWith("; believed in by the NameNode but silent: r2n0"),
                      block.why()));
    }
  }

  /** A stripe whose parity is to be on disks, as it is, and on storage of another type. */
  @Test
  void blocksOnOtherStorageThanPoliciesWantAreCountedAndNoDamage() {
    String id = stripe();
    StoragePolicy cold = new StoragePolicy("COLD", "ARCHIVE", List.of(), List.of());
    StoredFile file = file("/f", id);
    StripeStatus moved =
        changed(
            cluster.status(id),
            member ->
                new MemberStatus(
                    member.status(),
                    member.path(),
                    member.inode(),
                    member.gone(),
                    member.onlyInSnapshots(),
                    member.fileReplication(),
                    member.oneInSnapshots(),
                    member.reencoded(),
                    member.token(),
                    cold));
    FsckTally tally = tally("/");
    tally.addFiles(List.of(file), List.of(cluster.status(id)));
    tally.addParity(List.of(cluster.status(id)));
    assertEquals(List.of(), tally.report().storage());
    StoredFile wanted = FakeFile.at("/f", 7).blocks(file.blocks()).storage(cold).build();
    tally = tally("/");
    tally.addFiles(List.of(wanted), List.of(moved));
    tally.addParity(List.of(moved));
    tally.addParity(List.of(moved));
    FsckReport report = tally.report();
    assertEquals(
        List.of(
            new FsckReport.StorageState("/f", "ARCHIVE", 3),
            new FsckReport.StorageState(moved.parityPath(), "ARCHIVE", 2)),
        List.copyOf(report.storage()));
    assertEquals(1, report.count(State.HEALTHY));
  }

  @Test
  void filesOfManyPagesAreCounted() {
    List<String> stripes = List.of(stripe(), stripe(), stripe());
    cluster.lose(cluster.block(stripes.get(1), 2));
    for (int i = 0; i < 3; i++) {
      cluster.lose(cluster.block(stripes.get(2), i));
    }
    FsckTally tally = tally("/");
    for (String id : stripes) {
      tally.addFiles(List.of(file("/" + id, id)), List.of(cluster.status(id)));
    }
    tally.addFiles(List.of(file("/plain", 9, List.of())), List.of());
    assertEquals(4, tally.files());
    FsckReport report = tally.report();
    assertEquals(
        Map.of(State.HEALTHY, 2, State.DEGRADED, 0, State.REPAIRABLE, 1, State.LOST, 1),
        report.counts());
    assertEquals(3, report.files().size());
    assertEquals(
        List.of(State.DEGRADED, State.DEGRADED, State.REPAIRABLE),
        files(report).get("/" + stripes.get(1)).findings().stream().map(f -> f.state()).toList());
    assertEquals(3, files(report).get("/" + stripes.get(2)).findings().size());
  }

  @Test
  void filesThatTheNameNodeJudgedAreHealthy() {
    FsckTally tally = tally("/");
    tally.addSound("/encoded", 3);
    tally.addReplicated(5, List.of("/single"));
    assertEquals(6, tally.files());
    FsckReport report = tally.report();
    assertEquals(6, report.count(State.HEALTHY));
    assertEquals(
        List.of(new FileState("/encoded", State.HEALTHY, true, 3, List.of(), false)),
        List.copyOf(report.files()));
    assertEquals(List.of("/single"), List.copyOf(report.unprotected()));
  }

  @Test
  void aStripeThatThisVersionCannotUseIsOneFinding() {
    String fine = stripe();
    String other = stripe();
    StripeStatus status = unsupported(cluster.status(other));
    FsckTally tally = tally("/");
    tally.addFiles(
        List.of(file("/fine", fine), file("/other", other)), List.of(cluster.status(fine), status));
    tally.addStripes(List.of(cluster.status(fine), status));
    tally.addStripes(List.of(status));
    FsckReport report = tally.report();
    assertEquals(List.of("/parity/" + other), List.copyOf(report.unreadable().keySet()));
    assertTrue(report.unreadable().get("/parity/" + other).contains("rs-3-2"));
    assertEquals(2, report.count(State.HEALTHY));
    assertEquals(List.of(), report.orphans());
  }

  @Test
  void aLostBlockOfAStripeThatCannotBeUsedIsLost() {
    String id = stripe();
    cluster.lose(cluster.block(id, 1));
    FsckTally tally = tally("/");
    tally.addFiles(List.of(file("/f", id)), List.of(unsupported(cluster.status(id))));
    FileState file = tally.report().files().get(0);
    assertEquals(State.LOST, file.state());
    assertEquals(List.of(1), file.findings().stream().map(f -> f.index()).toList());
    assertTrue(file.findings().get(0).why().contains("rs-3-2"), file.findings().get(0).why());
  }

  @Test
  void aFileWithoutAnyParityLeftIsDegraded() {
    String gone = stripe();
    StripeStatus status = cluster.status(gone);
    List<MemberStatus> members = new ArrayList<>(status.members());
    members.set(3, MemberStatus.GONE);
    members.set(4, MemberStatus.GONE);
    String lost = stripe();
    cluster.lose(cluster.block(lost, 3));
    cluster.lose(cluster.block(lost, 4));
    FsckTally tally = tally("/");
    tally.addFiles(
        List.of(file("/gone", gone), file("/lost", lost)),
        List.of(
            new StripeStatus(status.stripe(), status.parityPath(), status.parityInode(), members),
            cluster.status(lost)));
    Map<String, FileState> files = files(tally.report());
    for (String path : List.of("/gone", "/lost")) {
      assertEquals(State.DEGRADED, files.get(path).state(), path);
      assertEquals(
          List.of(0, 0, 0), files.get(path).findings().stream().map(f -> f.spare()).toList());
    }
  }

  @Test
  void parityThatNothingNeedsIsNamedOnce() {
    String id = stripe();
    StripeStatus gone = changed(cluster.status(id), member -> MemberStatus.GONE);
    FsckTally tally = tally("/some");
    tally.addUnneeded(List.of(gone, gone));
    tally.addUnneeded(List.of(gone));
    tally.addOrphan("/.braid/staging/x");
    assertEquals(List.of("/parity/" + id, "/.braid/staging/x"), tally.report().orphans());
  }

  @Test
  void aFileThatOnlySnapshotsHaveIsOneEntryWhicheverPagesItsStripesAreOn() {
    String one = stripe();
    String two = stripe();
    cluster.lose(cluster.block(two, 1));
    FsckTally tally = tally("/some");
    StripeStatus first = onlyInSnapshots(cluster.status(one), 0, "/some/gone");
    tally.addStripes(List.of(first));
    tally.addStripes(List.of(onlyInSnapshots(cluster.status(two), 1, "/some/gone"), first));
    tally.addStripes(List.of(onlyInSnapshots(cluster.status(one), 2, "/other/gone")));
    FileState file = files(tally.report()).get("/some/gone");
    assertEquals(2, file.blocks());
    assertEquals(State.REPAIRABLE, file.state());
    assertTrue(file.onlyInSnapshots());
    assertEquals(1, file.findings().size());
    assertEquals(1, tally.report().files().size());
  }

  @Test
  void ofManyUnreadableDescriptionsTheFirstAreNamed() {
    FsckTally tally = tally("/");
    for (int i = 0; i < FsckTally.MOST_UNREADABLE + 5; i++) {
      tally.addUnreadable("/p" + i, "cut short");
    }
    assertEquals(FsckTally.MOST_UNREADABLE, tally.report().unreadable().size());
  }

  @Test
  void filesThatOnlySnapshotsHaveDoNotPileUp() {
    String id = stripe();
    FsckTally tally = tally("/");
    int many = FsckTally.MOST_IN_SNAPSHOTS + 5;
    for (int i = 0; i < many; i++) {
      tally.addStripes(List.of(onlyInSnapshots(cluster.status(id), 0, "/gone" + i)));
    }
    assertEquals(many, files(tally.report()).size());
  }
}
