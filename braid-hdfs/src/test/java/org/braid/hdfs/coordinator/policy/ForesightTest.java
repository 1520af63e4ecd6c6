package org.braid.hdfs.coordinator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.ipc.RemoteException;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.PolicyPreview;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.session.NameNodeCalls.FilePage;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.StoredFile;
import org.junit.jupiter.api.Test;

final class ForesightTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
  private static final String TOO_LARGE = "rs-10-4 needs 14 nodes, 8 are there";

  private final List<StoredFile> files = new ArrayList<>();
  private final List<Skipped> leftAlone = new ArrayList<>();
  private StripeMap stripes = StripeMap.of(List.of());

  private void file(String path, long length) {
    file(path, length, List.of());
  }

  private void file(String path, long length, List<BlockStatus> blocks) {
    file(path, length, 3, blocks);
  }

  private void file(String path, long length, int replication, List<BlockStatus> blocks) {
    long then = NOW.minus(Duration.ofDays(40)).toEpochMilli();
    files.add(
        FakeFile.at(path, files.size() + 1)
            .length(length, 100)
            .replication(replication)
            .blocks(blocks)
            .usage(new StoredFile.Usage("ann", then, then))
            .build());
  }

  private static Policy cold(String name, String path, String code) {
    return Policy.of(
        name, true, Action.CONVERT, Map.of("path", path, "unread-for", "30d", "code", code));
  }

  /** Files of which each makes a stripe and saves as many bytes as it has. */
  private final class Cluster implements Foresight.Calls {
    @Override
    public FilePage filesAfter(String path, Optional<String> after) throws IOException {
      if (path.contains("/.snapshot/")) {
        IOException told = new IOException("it is in a snapshot");
        told.initCause(new RemoteException(IOException.class.getName(), "it is in a snapshot"));
        throw told;
      }
      return new FilePage(
          files.stream().filter(file -> file.path().startsWith(path + "/")).toList(),
          Optional.empty());
    }

    @Override
    public StripeMap stripes(List<StoredFile> some) {
      return stripes;
    }

    @Override
    public ConvertPreview preview(ConvertRequest request) throws IOException {
      if (request.code().equals("rs-10-4")) {
        throw new RefusedException(TOO_LARGE);
      }
      int n = request.paths().size() - leftAlone.size();
      return new ConvertPreview("rs-3-2", n, 0, n, 0, 0, 0, 0, 0, 7, 5, 3, 1.0, false, leftAlone);
    }
  }

  private List<PolicyPreview> look(KnownReads reads, Policy... policies) throws IOException {
    PolicyDocument document = PolicyDocument.NONE.with(new PolicySet(List.of(policies)));
    return new Foresight(new Cluster(), document, reads, NOW, Progress.SILENT).look();
  }

  @Test
  void aPolicyWhoseCodeDoesNotFitSaysSoAndTheOthersAreThere() throws Exception {
    file("/a/f", 1000);
    file("/b/f", 70);
    List<PolicyPreview> previews =
        look(KnownReads.HDFS, cold("large", "/a", "rs-10-4"), cold("small", "/b", "rs-3-2"));
    assertEquals(List.of("large", "small"), previews.stream().map(PolicyPreview::policy).toList());
    assertEquals(TOO_LARGE, previews.get(0).problem());
    assertEquals(0, previews.get(0).files());
    assertEquals(0, previews.get(0).bytes());
    assertNull(previews.get(1).problem());
    assertEquals(1, previews.get(1).files());
    assertEquals(70, previews.get(1).bytes());
  }

  @Test
  void aFileThatIsTakenLaterIsSoAtAWholeSecond() throws Exception {
    long then = NOW.minus(Duration.ofDays(20)).toEpochMilli() - 1;
    files.add(
        FakeFile.at("/b/f", 1)
            .length(70, 100)
            .replication(3)
            .usage(new StoredFile.Usage("ann", then, then))
            .build());
    Map<String, String> settings = Map.of("path", "/b", "older-than", "30d", "code", "rs-3-2");
    Policy old = Policy.of("old", true, Action.CONVERT, settings);
    PolicyPreview preview = look(KnownReads.HDFS, old).get(0);
    assertEquals(1, preview.later());
    assertEquals("2026-06-11T00:00:00Z", preview.nextAt());
  }

  /** As earlier releases took them; the daemon passes them over, too. */
  @Test
  void aPolicyOfASnapshotHidesNoOther() throws Exception {
    file("/b/f", 70);
    List<PolicyPreview> previews =
        look(
            KnownReads.HDFS,
            cold("old", "/a/.snapshot/s/**", "rs-3-2"),
            cold("cold", "/b", "rs-3-2"));
    assertEquals(0, previews.get(0).files());
    assertEquals(1, previews.get(1).files());
  }

  /** Its parity protects other files: the daemon has nothing more to do with it. */
  @Test
  void aRestoredFileWhoseStripeOthersNeedIsDone() throws Exception {
    FakeCluster cluster = new FakeCluster(6, 2);
    String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
    cluster.raise(cluster.block(stripe, 0), 3);
    cluster.copy(cluster.block(stripe, 0), "r5n0");
    cluster.copy(cluster.block(stripe, 0), "r5n1");
    stripes = StripeMap.of(cluster.stripes());
    file("/a/f", 100, List.of(cluster.status(stripe).member(0).status()));
    Policy hot =
        Policy.of("hot", true, Action.RESTORE, Map.of("path", "/a", "modified-within", "60d"));
    PolicyPreview preview = look(KnownReads.HDFS, hot).get(0);
    assertEquals(0, preview.files());
    assertEquals(1, preview.done());
  }

  /** The daemon leaves it so, too. */
  @Test
  void aRestoredFileOfWhichUsersWantFewerReplicasIsDone() throws Exception {
    FakeCluster cluster = new FakeCluster(6, 2);
    String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
    cluster.raise(cluster.block(stripe, 0), 2);
    cluster.copy(cluster.block(stripe, 0), "r5n0");
    stripes = StripeMap.of(cluster.stripes());
    file("/a/f", 100, 2, List.of(cluster.status(stripe).member(0).status()));
    Policy hot =
        Policy.of("hot", true, Action.RESTORE, Map.of("path", "/a", "modified-within", "60d"));
    PolicyPreview preview = look(KnownReads.HDFS, hot).get(0);
    assertEquals(0, preview.files());
    assertEquals(1, preview.done());
  }

  /** The daemon leaves it so until it is restored. */
  @Test
  void aFileThatIsConvertedWithAnotherCodeIsNotAsWanted() throws Exception {
    FakeCluster cluster = new FakeCluster(6, 2);
    String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
    stripes = StripeMap.of(cluster.stripes());
    file("/a/f", 100, 1, List.of(cluster.status(stripe).member(0).status()));
    PolicyPreview other = look(KnownReads.HDFS, cold("big", "/a", "rs-10-4")).get(0);
    assertEquals(List.of(0, 0, 1), List.of(other.files(), other.done(), other.otherCode()));
    PolicyPreview same = look(KnownReads.HDFS, cold("cold", "/a", "rs-3-2")).get(0);
    assertEquals(List.of(0, 1, 0), List.of(same.files(), same.done(), same.otherCode()));
    Map<String, String> settings = Map.of("path", "/a", "code", "rs-3-2", "parity-copies", "2");
    PolicyPreview copies =
        look(KnownReads.HDFS, Policy.of("twice", true, Action.CONVERT, settings)).get(0);
    assertEquals(List.of(0, 0, 1), List.of(copies.files(), copies.done(), copies.otherCode()));
    assertEquals("rs-3-2, parity x2", copies.stripeCode());
    assertEquals("rs-3-2", same.stripeCode());
  }

  @Test
  void filesThatAreLeftAloneCountNeitherAsFilesNorAsBytes() throws Exception {
    file("/a/f", 1000);
    file("/a/g", 70);
    leftAlone.add(new Skipped("/a/f", "IN_SNAPSHOT", "it is in a snapshot"));
    PolicyPreview preview = look(KnownReads.HDFS, cold("cold", "/a", "rs-3-2")).get(0);
    assertEquals(1, preview.files());
    assertEquals(70, preview.bytes());
    assertEquals(leftAlone, List.copyOf(preview.leftAlone()));
  }

  /** The daemon passes over it, and says nothing. */
  @Test
  void aFileOfOneReplicaInNoStripeIsLeftAlone() throws Exception {
    file("/a/f", 1000);
    BlockIdentity block = new BlockIdentity(1, 1, 70);
    file("/a/g", 70, 1, List.of(new BlockStatus(block, List.of(), 1, true, List.of())));
    PolicyPreview preview = look(KnownReads.HDFS, cold("cold", "/a", "rs-3-2")).get(0);
    assertEquals(1, preview.files());
    assertEquals(0, preview.later());
    assertEquals(List.of("/a/g LEFT_SINGLE"), left(preview));
  }

  /** The daemon passes over it, too, though the other block is converted. */
  @Test
  void aFileOfOneReplicaWithABlockInNoStripeIsLeftAlone() throws Exception {
    FakeCluster cluster = new FakeCluster(6, 2);
    String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
    stripes = StripeMap.of(cluster.stripes());
    BlockIdentity block = new BlockIdentity(1, 1, 70);
    BlockStatus other = new BlockStatus(block, List.of(), 1, true, List.of());
    file("/a/f", 170, 1, List.of(cluster.status(stripe).member(0).status(), other));
    PolicyPreview preview = look(KnownReads.HDFS, cold("cold", "/a", "rs-3-2")).get(0);
    assertEquals(List.of(0, 0, 0), List.of(preview.files(), preview.done(), preview.otherCode()));
    assertEquals(List.of("/a/f LEFT_SINGLE"), left(preview));
  }

  /** The daemon passes over it, however old it gets, unless its policy names the directory. */
  @Test
  void aFileInAHiddenDirectoryIsLeftAloneUnlessItIsNamed() throws Exception {
    file("/a/f", 70);
    file("/a/_x/f", 1000);
    PolicyPreview all = look(KnownReads.HDFS, cold("cold", "/a", "rs-3-2")).get(0);
    assertEquals(List.of(1, 70L), List.of(all.files(), all.bytes()));
    assertEquals(List.of("/a/_x/f HIDDEN"), left(all));
    PolicyPreview named = look(KnownReads.HDFS, cold("cold", "/a/_x", "rs-3-2")).get(0);
    assertEquals(List.of(1, 1000L), List.of(named.files(), named.bytes()));
    assertEquals(List.of(), left(named));
    Map<String, String> settings = Map.of("path", "/a", "older-than", "90d", "code", "rs-3-2");
    PolicyPreview later =
        look(KnownReads.HDFS, Policy.of("later", true, Action.CONVERT, settings)).get(0);
    assertEquals(1, later.later());
    assertEquals(List.of("/a/_x/f HIDDEN"), left(later));
  }

  private static List<String> left(PolicyPreview preview) {
    return preview.leftAlone().stream().map(left -> left.path() + " " + left.cause()).toList();
  }

  @Test
  void agesBelowThePrecisionOfReadsAreNamed() throws Exception {
    file("/a/f", 70);
    PolicyPreview preview =
        look(KnownReads.fromAccessTimes(Duration.ofDays(20)), cold("cold", "/a", "rs-3-2")).get(0);
    assertEquals(
        "policy cold: unread-for 30d means nothing: HDFS records reads to 20d"
            + " (dfs.namenode.accesstime.precision of the NameNode), so that at least 40d is needed",
        preview.problem());
    assertEquals(1, preview.files());
  }
}
