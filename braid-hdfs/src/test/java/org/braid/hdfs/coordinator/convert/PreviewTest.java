package org.braid.hdfs.coordinator.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.junit.jupiter.api.Test;

final class PreviewTest {
  private static final long BLOCK = 1 << 20;

  private final FakeCluster cluster = new FakeCluster(6, 2);
  private final String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
  private final Preview.ThinnedParity thinned = new Preview.ThinnedParity();

  /** The stripe without its first block, which was deleted. */
  private StripeStatus rest() {
    StripeStatus all = cluster.status(stripe);
    List<MemberStatus> members = new ArrayList<>(all.members());
    members.set(0, MemberStatus.GONE);
    return new StripeStatus(all.stripe(), all.parityPath(), all.parityInode(), members);
  }

  /** A file of one block of the stripe. */
  private StoredFile file(int position) {
    return FakeFile.at("/f" + position, position)
        .length(BLOCK, BLOCK)
        .blocks(cluster.status(stripe).member(position).status())
        .build();
  }

  /** Files that are left alone, or that nobody asked for, have nothing else. */
  @Test
  void parityOfAThinnedStripeStaysAsLongAsABlockReliesOnIt() {
    thinned.add(List.of(rest()), List.of(file(1)), List.of());
    assertEquals(2 * BLOCK, thinned.bytes());
    thinned.add(List.of(rest()), List.of(), List.of());
    assertEquals(2 * BLOCK, thinned.bytes(), "counted once");
  }

  @Test
  void itGoesWithTheLastBlockInWhateverBatch() {
    thinned.add(List.of(rest()), List.of(file(1)), List.of());
    thinned.add(List.of(rest()), List.of(file(2)), List.of());
    assertEquals(0, thinned.bytes());
  }

  /** Snapshots remember one replica of a file that gets several again. */
  @Test
  void aBlockOfASnapshotHoldsItUntilItIsEncodedAnew() {
    StripeStatus rest = rest();
    List<MemberStatus> members = new ArrayList<>(rest.members());
    MemberStatus member = rest.member(1);
    members.set(
        1,
        new MemberStatus(
            member.status(),
            member.path(),
            member.inode(),
            false,
            false,
            member.fileReplication(),
            true,
            false,
            member.token()));
    List<StripeStatus> batch =
        List.of(new StripeStatus(rest.stripe(), rest.parityPath(), rest.parityInode(), members));
    thinned.add(batch, List.of(), List.of(file(1), file(2)));
    assertEquals(2 * BLOCK, thinned.bytes());
    thinned.add(batch, List.of(file(1)), List.of());
    assertEquals(0, thinned.bytes());
  }

  @Test
  void blocksWithReplicasOrInALaterStripeDoNotHoldIt() {
    cluster.raise(cluster.block(stripe, 1), 3);
    cluster.copy(cluster.block(stripe, 1), "r5n0");
    cluster.reencode(cluster.block(stripe, 2));
    thinned.add(List.of(rest()), List.of(), List.of());
    assertEquals(0, thinned.bytes());
  }
}
