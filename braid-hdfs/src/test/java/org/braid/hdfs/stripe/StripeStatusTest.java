package org.braid.hdfs.stripe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.code.Codes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StripeStatusTest {
  private static MemberStatus data(
      int fileReplication, boolean oneInSnapshots, int expected, boolean reencoded) {
    return data(fileReplication, oneInSnapshots, expected, reencoded, 0);
  }

  /** A block of two copies, of which some are corrupt. */
  private static MemberStatus data(
      int fileReplication, boolean oneInSnapshots, int expected, boolean reencoded, int corrupt) {
    List<Replica> copies = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      copies.add(new Replica("uuid" + i, false, i < corrupt, true));
    }
    BlockStatus block =
        new BlockStatus(new BlockIdentity(1, 1, 1), copies, expected, true, List.of());
    return new MemberStatus(
        block, "/f", 7, false, false, fileReplication, oneInSnapshots, reencoded, ByteString.EMPTY);
  }

  /** Only the parity has what corrupt copies have not: it is to be repaired, not swept. */
  @Test
  void corruptCopiesAreNoReplicas() {
    assertTrue(data(3, false, 3, false, 0).isReplicated());
    assertFalse(data(3, false, 3, false, 1).isReplicated());
    assertFalse(data(3, false, 3, false, 2).isReplicated());
  }

  /** The first data block is as given, the second is gone. */
  @ParameterizedTest
  @CsvSource({
    "1, false, 1, false, true",
    // As the NameNode raised what deletions left, of a file that snapshots alone have: a restart
    // forgets that.
    "1, false, 3, false, true",
    // As users raise it, before the blocks follow.
    "3, false, 1, false, true",
    "3, false, 3, false, false",
    // As users raise it while a snapshot has it as it was: blocks that are cut off follow that.
    "3, true, 3, false, true",
    "1, false, 1, true, false",
  })
  void parityIsNeededWhileABlockHasOneReplicaInTheNamespaceOrInMemory(
      int fileReplication,
      boolean oneInSnapshots,
      int expected,
      boolean reencoded,
      boolean needed) {
    List<Member> members = new ArrayList<>();
    List<MemberStatus> now = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      members.add(Member.data(new BlockIdentity(i, 1, 1), 0, "uuid-" + i, 3));
      now.add(
          i == 0 ? data(fileReplication, oneInSnapshots, expected, reencoded) : MemberStatus.GONE);
    }
    StripePromise promise = new StripePromise(1, List.of(), Optional.empty());
    Stripe stripe =
        Stripe.encoded(
            "0123456789abcdef0123456789abcdef", Codes.named("rs-2-1"), members, promise, 0);
    StripeStatus status = new StripeStatus(stripe, "/p", 9, now);
    assertEquals(needed, status.isNeeded());
    assertEquals(!needed, status.isReplicated());
  }
}
