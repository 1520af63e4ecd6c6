package org.braid.hdfs.coordinator.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.braid.hdfs.api.view.UsageReport;
import org.braid.hdfs.api.view.UsageReport.Row;
import org.braid.hdfs.api.view.UsageRequest;
import org.braid.hdfs.api.view.UsageRequest.By;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.junit.jupiter.api.Test;

final class UsageTallyTest {
  private static final long MIB = 1 << 20;

  private final FakeCluster cluster = new FakeCluster(6, 2);
  private final String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");

  private static UsageTally tally(String path, By by, int depth) {
    return new UsageTally(new UsageRequest(path, by, depth));
  }

  private static StoredFile file(String path, String owner, List<BlockStatus> blocks) {
    return FakeFile.at(path, path.hashCode())
        .length(blocks.size() * MIB, MIB)
        .blocks(blocks)
        .usage(new StoredFile.Usage(owner, 0, 0))
        .build();
  }

  /** A file of the blocks at some positions of the stripe. */
  private StoredFile file(String path, String owner, int... positions) {
    return file(
        path,
        owner,
        Arrays.stream(positions)
            .mapToObj(position -> cluster.status(stripe).member(position).status())
            .toList());
  }

  private UsageReport count(UsageTally tally, StripeStatus status, StoredFile... files) {
    tally.add(List.of(files), StripeMap.of(List.of(status)));
    return tally.report(null);
  }

  @Test
  void filesOfAStripeShareItsParity() {
    UsageReport report =
        count(
            tally("/", By.DIRECTORY, 1),
            cluster.status(stripe),
            file("/a/x", "ann", 0),
            file("/b/y", "bob", 1, 2));
    assertEquals(new Row("/", 2, 3 * MIB, 5 * MIB, 2 * MIB, 9 * MIB), report.total());
    assertEquals(4 * MIB, report.total().savedBytes());
    assertEquals(
        List.of(
            new Row("/a", 1, MIB, MIB + 699_051, 699_051, 3 * MIB),
            new Row("/b", 1, 2 * MIB, 2 * MIB + 1_398_101, 1_398_101, 6 * MIB)),
        report.rows());
    assertNull(report.hidden());
  }

  /** What owners are charged for is what HDFS itself counts. */
  @Test
  void filesThatHdfsStripesTakeWhatHdfsStores() {
    StoredFile striped =
        FakeFile.at("/ec/f", 9)
            .length(600, MIB)
            .obstacles("STRIPED")
            .usage(new StoredFile.Usage("ann", 0, 0, 900))
            .build();
    UsageTally tally = tally("/", By.OWNER, 0);
    tally.add(List.of(striped), StripeMap.of(List.of()));
    assertEquals(List.of(new Row("ann", 1, 600, 900, 0, 900)), tally.report(null).rows());
    assertEquals(0, tally.report(null).total().savedBytes());
  }

  /** Whoever deletes a file leaves its share of the parity to the others of the stripe. */
  @Test
  void whatIsGoneTakesNoShare() {
    StripeStatus all = cluster.status(stripe);
    List<MemberStatus> members = new ArrayList<>(all.members());
    members.set(0, MemberStatus.GONE);
    StripeStatus thinned =
        new StripeStatus(all.stripe(), all.parityPath(), all.parityInode(), members);
    UsageReport report = count(tally("/", By.OWNER, 0), thinned, file("/b/y", "bob", 1, 2));
    assertEquals(List.of(new Row("bob", 1, 2 * MIB, 4 * MIB, 2 * MIB, 6 * MIB)), report.rows());
  }

  /** A block in a later stripe has its share there. */
  @Test
  void whatIsEncodedAnewTakesNoShareOfTheEarlierStripe() {
    cluster.reencode(cluster.block(stripe, 0));
    UsageReport report =
        count(tally("/", By.DIRECTORY, 0), cluster.status(stripe), file("/b/y", "bob", 1, 2));
    assertEquals(2 * MIB, report.total().parityBytes());
  }

  @Test
  void replicasCountAsTheyAre() {
    long block = cluster.block(stripe, 1);
    cluster.copy(block, "r5n0");
    cluster.lose(cluster.block(stripe, 2));
    BlockStatus plain = cluster.status(stripe).member(1).status();
    UsageTally tally = tally("/", By.DIRECTORY, 0);
    // In no stripe: nothing would be otherwise.
    tally.add(List.of(file("/plain", "ann", List.of(plain))), StripeMap.of(List.of()));
    assertEquals(new Row("/", 1, MIB, 2 * MIB, 0, 2 * MIB), tally.report(null).total());
    // In a stripe: a surplus copy counts, and a lost block as it will be there again.
    UsageReport report =
        count(tally, cluster.status(stripe), file("/f", "ann", 1), file("/g", "ann", 2, 0));
    assertEquals(3, report.total().files());
    assertEquals(2 * MIB + 4 * MIB + 2 * MIB, report.total().storedBytes());
    assertEquals(2 * MIB + 9 * MIB, report.total().replicatedBytes());
  }

  @Test
  void directoriesAreToldApartToADepth() {
    StoredFile[] files = {
      file("/x/f", "ann", 0), file("/x/a/f", "ann", 1), file("/x/a/b/f", "ann", 2)
    };
    StripeStatus status = cluster.status(stripe);
    for (String path : List.of("/x", "/x/")) {
      assertEquals(
          List.of("/x/a", "/x/a/b"),
          count(tally(path, By.DIRECTORY, 2), status, files).rows().stream()
              .map(Row::name)
              .toList());
      UsageReport one = count(tally(path, By.DIRECTORY, 1), status, files);
      assertEquals(List.of("/x/a"), one.rows().stream().map(Row::name).toList());
      assertEquals(2, one.rows().get(0).files());
      assertEquals(3, one.total().files());
    }
    assertEquals(List.of(), count(tally("/x/f", By.DIRECTORY, 3), status, files[0]).rows());
    assertThrows(IllegalArgumentException.class, () -> tally("/x", By.DIRECTORY, -1));
  }

  @Test
  void stripesOfAnotherMatrixAreLeftOutAndCounted() {
    StripeStatus all = cluster.status(stripe);
    StripeStatus other =
        new StripeStatus(
            StripeCodec.of(StripeCodec.toProto(all.stripe()).toBuilder().setDigest("0b").build()),
            all.parityPath(),
            all.parityInode(),
            all.members());
    UsageReport report = count(tally("/", By.DIRECTORY, 0), other, file("/f", "ann", 0, 1, 2));
    assertEquals(1, report.unsupported());
    assertEquals(new Row("/", 1, 3 * MIB, 3 * MIB, 0, 9 * MIB), report.total());
  }
}
