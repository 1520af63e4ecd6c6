package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.braid.code.Codes;
import org.braid.hdfs.namenode.stripes.UnfinishedStripes.Awaited;
import org.braid.hdfs.namenode.stripes.UnfinishedStripes.AwaitedHomes;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;
import org.junit.jupiter.api.Test;

final class UnfinishedStripesTest {
  private static final int MOST_FOUND = 2;
  private final AwaitedHomes homes = new AwaitedHomes(MOST_FOUND);

  /** A stripe of blocks from 10 times its number on; the first one is at a home, others at none. */
  private static Stripe stripe(int number, String home) {
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      BlockIdentity block = new BlockIdentity(10L * number + i, 1, 1000);
      members.add(
          i < 2 ? Member.data(block, 0, i == 0 ? home : "", 3) : Member.parity(block, 0, ""));
    }
    return Stripe.encoded(
        "%032x".formatted(number),
        Codes.named("rs-2-1"),
        members,
        new StripePromise(1, List.of(), Optional.empty()),
        0);
  }

  @Test
  void aHomeIsAwaitedUntilItsStripeIsForgotten() {
    Stripe stripe = stripe(1, "a");
    homes.await(stripe);
    assertEquals(Optional.of("a"), homes.at(10));
    assertEquals(Optional.empty(), homes.at(11));
    assertFalse(homes.renew(stripe));
    Awaited before = homes.all().get(0);
    assertTrue(homes.renew(stripe(1, "b")));
    assertEquals(Optional.of("b"), homes.at(10));
    homes.forget(before);
    assertEquals(Optional.of("b"), homes.at(10), "it was described anew since");
    homes.forget(stripe.id());
    assertEquals(Optional.empty(), homes.at(10));
    assertTrue(homes.isEmpty());
    assertFalse(homes.renew(stripe));
  }

  /** Users may give replicas to the files of all stripes. */
  @Test
  void whatIsFoundIsAwaitedUpToALimit() {
    for (int i = 1; i <= MOST_FOUND + 2; i++) {
      homes.awaitFound(stripe(i, "a"));
    }
    assertEquals(MOST_FOUND, homes.ids().size());
    homes.awaitFound(stripe(1, "b"));
    assertEquals(Optional.of("b"), homes.at(10));
    homes.await(stripe(9, "a"));
    assertEquals(Optional.of("a"), homes.at(90), "a conversion that is under way here");
  }

  @Test
  void manyStripesShareTheNamesOfTheirHomes() {
    homes.await(stripe(1, "n".repeat(36)));
    homes.await(stripe(2, "n".repeat(36)));
    assertSame(homes.at(10).orElseThrow(), homes.at(20).orElseThrow());
  }

  /** Each snapshot from before a truncation names all blocks that the file had then. */
  @Test
  void aBlockThatManySnapshotsHaveIsLookedAtOnce() {
    LongStream blocks = LongStream.of(1, 2, 3, 1, 2, 1);
    assertEquals(
        Map.of("a", List.of(1L), "b", List.of(3L)),
        UnfinishedStripes.byHome(
            blocks,
            id -> id == 1 ? Optional.of("a") : id == 3 ? Optional.of("b") : Optional.empty()));
  }
}
