package org.braid.hdfs.coordinator.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertReport.FileResult;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPreview;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.Traffic;
import org.braid.hdfs.coordinator.session.FileBatches;
import org.braid.hdfs.coordinator.session.NameNodeCalls.FilePage;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;
import org.braid.hdfs.stripe.StripeStatus;
import org.junit.jupiter.api.Test;

final class ReencoderTest {
  private static final int PAGE = 500;
  private static final ErasureCode CODE = Codes.named("rs-2-1");

  /**
   * Stripes of two files, of which one was deleted; the other one's inode is the stripe's number.
   */
  private final List<StripeStatus> thinned = new ArrayList<>();

  private final Set<Long> gone = new HashSet<>();
  private final Map<Long, String> skipped = new HashMap<>();
  private final List<Integer> converted = new ArrayList<>();
  private int pages;
  private int isProtected;
  private int listings;
  private boolean halted;
  private boolean waited;
  private int haltingAfterPages = Integer.MAX_VALUE;
  private boolean haltingAfterBatch;
  private String failing = "";

  private final class FakeCalls implements Reencoder.Calls {
    @Override
    public void thinnedStripes(Page<StripeStatus> taker) throws IOException {
      for (int from = 0; from < thinned.size(); from += PAGE) {
        taker.take(thinned.subList(from, Math.min(thinned.size(), from + PAGE)));
        halted |= ++pages >= haltingAfterPages;
        if (taker.isFull()) {
          return;
        }
      }
    }

    @Override
    public void protect(String stripe) {
      isProtected++;
    }

    @Override
    public FilePage filesAfter(String path, Optional<String> after) throws IOException {
      listings++;
      long inode = BraidPaths.inodeAt(path).orElseThrow();
      if (gone.contains(inode)) {
        throw new FileNotFoundException(path);
      }
      StoredFile file = FakeFile.at("/f" + inode, inode).build();
      return new FilePage(List.of(file), Optional.empty());
    }

    @Override
    public ConvertReport convert(ConvertRequest how, FileBatches files) throws IOException {
      assertEquals(thinned.get(0).stripe().code().name(), how.code());
      List<FileResult> results = new ArrayList<>();
      List<Skipped> left = new ArrayList<>();
      for (Optional<FileBatches.Batch> batch = files.next();
          batch.isPresent();
          batch = files.next()) {
        for (StoredFile file : batch.get().files()) {
          String cause = skipped.get(file.inode());
          if (cause == null) {
            results.add(new FileResult(file.path(), 1, 1, false));
          } else {
            left.add(new Skipped(file.path(), cause, "because"));
          }
        }
      }
      converted.add(results.size() + left.size());
      if (results.stream().anyMatch(file -> file.path().equals(failing))) {
        throw new IOException(failing + " has no readable replica");
      }
      halted |= haltingAfterBatch;
      return new ConvertReport(
          how.code(),
          1,
          results,
          left,
          results.isEmpty() ? List.of() : List.of(stays(results.get(0).path())),
          0,
          0,
          0,
          0,
          0,
          ConvertReport.Grouping.NONE,
          0,
          new ReadLoads.Shares().now(1),
          Traffic.NONE,
          Traffic.NONE,
          0,
          0,
          false,
          ConvertPreview.Expected.NOTHING,
          0,
          List.of());
    }
  }

  /** Parity of an earlier stripe that a conversion could not delete. */
  private static Skipped stays(String file) {
    return new Skipped("/parity" + file, "NOT_ON_DISK", "of blk_7 only 1 copies are on disk");
  }

  private void thin(int stripes) {
    for (int i = 1; i <= stripes; i++) {
      List<Member> members = new ArrayList<>();
      List<MemberStatus> states = new ArrayList<>();
      for (int j = 0; j < CODE.n(); j++) {
        BlockIdentity block = new BlockIdentity(10L * i + j, 1, 1);
        members.add(
            j < CODE.k() ? Member.data(block, 0, "n" + j, 3) : Member.parity(block, 0, "n" + j));
        BlockStatus status = new BlockStatus(block, List.of(), 1, true, List.of());
        states.add(
            j == 0
                ? MemberStatus.GONE
                : new MemberStatus(
                    status, "/f" + i, i, false, false, 1, false, false, ByteString.EMPTY));
      }
      Stripe stripe =
          Stripe.encoded(
              "%032x".formatted(i),
              CODE,
              members,
              new StripePromise(1, List.of(), Optional.empty()),
              0);
      thinned.add(new StripeStatus(stripe, "/parity/" + i, 1_000_000 + i, states));
    }
  }

  /**
   * A stripe of three files: the first deleted, the second of a later stripe, the third a
   * snapshot's.
   */
  private void thinOfWhichASnapshotHasTheRest() {
    thin(1);
    StripeStatus status = thinned.remove(0);
    MemberStatus member = status.member(1);
    ErasureCode code = Codes.named("rs-3-1");
    List<Member> members = new ArrayList<>(status.stripe().members());
    members.add(1, Member.data(new BlockIdentity(19, 1, 1), 0, "n3", 3));
    Stripe stripe =
        Stripe.encoded(status.stripe().id(), code, members, status.stripe().promise(), 0);
    MemberStatus later =
        new MemberStatus(
            member.status(), "/later", 2, false, false, 1, false, true, ByteString.EMPTY);
    MemberStatus snapshots =
        new MemberStatus(member.status(), "", 1, false, true, 1, true, false, ByteString.EMPTY);
    thinned.add(
        new StripeStatus(
            stripe,
            status.parityPath(),
            status.parityInode(),
            List.of(MemberStatus.GONE, later, snapshots, status.member(2))));
    gone.add(1L);
  }

  private int run() throws IOException {
    return reencode().stripes();
  }

  private Reencoder.Reencoded reencode() throws IOException {
    RepairRequest request = new RepairRequest("/", "auto", 1, 4096, 1, Progress.SILENT);
    return new Reencoder(new FakeCalls(), request, () -> halted, () -> waited).run();
  }

  @Test
  void filesAreEncodedInBatchesAndListedOnce() throws Exception {
    thin(2500);
    assertEquals(2500, run());
    assertEquals(2500, isProtected);
    assertEquals(List.of(1000, 1000, 500), converted);
    assertEquals(2500, listings);
  }

  /** The NameNode was asked for them before, or asks by itself; each request takes its lock. */
  @Test
  void whatHasReplicasAlreadyIsEncodedAndNotProtectedAgain() throws Exception {
    thin(3);
    thinned.replaceAll(ReencoderTest::raised);
    assertEquals(3, run());
    assertEquals(0, isProtected);
    assertEquals(List.of(3), converted);
  }

  /** The same stripe when its blocks are to have two replicas. */
  private static StripeStatus raised(StripeStatus status) {
    List<MemberStatus> members = new ArrayList<>();
    for (MemberStatus member : status.members()) {
      BlockStatus block = new BlockStatus(member.status().block(), List.of(), 2, true, List.of());
      members.add(
          member.gone()
              ? member
              : new MemberStatus(
                  block,
                  member.path(),
                  member.inode(),
                  false,
                  false,
                  1,
                  false,
                  false,
                  ByteString.EMPTY));
    }
    return new StripeStatus(status.stripe(), status.parityPath(), status.parityInode(), members);
  }

  /** It is told all the same: a command that encoded only a part has failed. */
  @Test
  void aBatchThatFailsKeepsNoOtherFromBeingEncoded() {
    thin(2500);
    failing = "/f7";
    IOException e = assertThrows(IOException.class, this::run);
    assertEquals(List.of(1000, 1000, 500), converted);
    assertEquals(
        "1 batches of files could not be encoded anew, what is left of 1500 stripes was; the"
            + " first: /f7 has no readable replica",
        e.getMessage());
  }

  @Test
  void itEndsBetweenTwoBatchesWhenItIsHalted() throws Exception {
    thin(2500);
    haltingAfterBatch = true;
    assertEquals(1000, run());
    assertEquals(List.of(1000), converted);
  }

  @Test
  void aPageOfStripesIsTheLastOneWhenItIsHalted() throws Exception {
    thin(2500);
    haltingAfterPages = 2;
    assertEquals(0, run());
    assertEquals(2, pages);
    assertEquals(1000, isProtected);
    assertEquals(List.of(), converted);
  }

  /** Whatever else is due, each run goes on by one batch. */
  @Test
  void otherRepairWaitsForOneBatch() throws Exception {
    thin(2500);
    waited = true;
    assertEquals(1000, run());
    assertEquals(List.of(1000), converted);
  }

  @Test
  void onlyWhatWasEncodedOrGainsNothingIsCounted() throws Exception {
    thin(5);
    gone.add(1L);
    skipped.put(2L, "NO_GAIN");
    skipped.put(3L, "BROKEN_OFF");
    assertEquals(3, run());
    assertEquals(List.of(4), converted);
    assertTrue(listings <= 5);
  }

  /** A repair names it beside what it could not delete itself. */
  @Test
  void parityThatEncodingAnewLeavesIsNamed() throws Exception {
    thin(2500);
    Reencoder.Reencoded done = reencode();
    assertEquals(
        List.of(stays("/f1"), stays("/f1001"), stays("/f2001")), List.copyOf(done.parityLeft()));
    Skipped own = new Skipped("/parity/own", "KEPT", "because");
    RepairReport report =
        new RepairReport(
            "star",
            List.of(),
            List.of(),
            1,
            2,
            0,
            List.of(own),
            Traffic.NONE,
            RepairReport.Phases.NONE,
            1,
            List.of(),
            List.of(),
            RepairPreview.Expected.NOTHING);
    RepairReport all = report.withReencoded(done.stripes(), done.parityLeft());
    assertEquals(2500, all.reencoded());
    assertEquals(
        List.of(own, stays("/f1"), stays("/f1001"), stays("/f2001")),
        List.copyOf(all.parityLeft()));
  }

  /** What a later stripe protects needs nothing, whatever becomes of the rest. */
  @Test
  void whatALaterStripeProtectsIsNotEncodedAgain() throws Exception {
    thinOfWhichASnapshotHasTheRest();
    assertEquals(0, run());
    assertEquals(1, isProtected);
    assertEquals(List.of(0), converted);
  }
}
