package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.braid.code.Codes;
import org.braid.hdfs.namenode.stripes.StripeTotals.Gone;
import org.braid.hdfs.namenode.stripes.StripeTotals.Total;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;
import org.junit.jupiter.api.Test;

/** What there is of stripes, as they come, change, lose blocks and go. */
final class StripeTotalsTest {
  private static final long LENGTH = 1000;
  private final StripeTotals totals = new StripeTotals();

  private static BlockIdentity block(long id) {
    return new BlockIdentity(id, 1, LENGTH);
  }

  /** A stripe of three blocks of one replica, which had some, and of two of parity. */
  private static Stripe stripe(int number, int replication) {
    return stripe("%032x".formatted(number), number, replication);
  }

  private static Stripe stripe(String id, int number, int replication) {
    long first = 10L * number;
    List<Member> members =
        Stream.concat(
                LongStream.range(first, first + 3)
                    .mapToObj(at -> Member.data(block(at), 0, "n" + at, replication)),
                LongStream.range(first + 3, first + 5)
                    .mapToObj(at -> Member.parity(block(at), 0, "n" + at)))
            .toList();
    return Stripe.encoded(
        id, Codes.named("rs-3-2"), members, new StripePromise(1, List.of(), Optional.empty()), 0);
  }

  private static Total of(int stripes, int blocksGone, long replicasGone) {
    return new Total(
        true,
        false,
        stripes,
        3L * stripes - blocksGone,
        (3L * stripes - blocksGone) * LENGTH,
        9 * LENGTH * stripes - replicasGone * LENGTH,
        2L * stripes,
        2 * LENGTH * stripes);
  }

  private void assertTotals(int stripes, int blocksGone, long thinned) {
    assertEquals(
        stripes == 0 ? Map.of() : Map.of("rs-3-2", of(stripes, blocksGone, 3L * blocksGone)),
        totals.now());
    assertEquals(thinned, totals.thinned());
  }

  @Test
  void stripesComeAndGo() {
    assertTotals(0, 0, 0);
    totals.add(stripe(1, 3));
    totals.add(stripe(2, 3));
    assertTotals(2, 0, 0);
    totals.remove(stripe(1, 3));
    assertTotals(1, 0, 0);
    totals.remove(stripe(2, 3));
    assertTotals(0, 0, 0);
  }

  @Test
  void whatIsGoneCountsNoLonger() {
    totals.add(stripe(1, 3));
    totals.add(stripe(2, 3));
    totals.shrink(stripe(1, 3), new Gone(1, LENGTH, 3 * LENGTH, true));
    assertTotals(2, 1, 1);
    totals.shrink(stripe(1, 3), new Gone(2, 2 * LENGTH, 6 * LENGTH, false));
    assertTotals(2, 2, 0);
    totals.remove(stripe(1, 3));
    assertTotals(1, 0, 0);
  }

  /** A repair that gives a block another home gives no deleted block back. */
  @Test
  void aStripeThatIsDescribedAnewLacksWhatItLacked() {
    Stripe before = stripe(1, 3);
    totals.add(before);
    totals.shrink(before, new Gone(1, LENGTH, 3 * LENGTH, true));
    totals.replace(before, before.withHomes(Map.of(1, "elsewhere")));
    assertTotals(1, 1, 1);
    totals.remove(before);
    assertTotals(0, 0, 0);
  }

  @Test
  void anotherStripeInTheSameFileLacksNothing() {
    Stripe before = stripe(1, 3);
    totals.add(before);
    totals.shrink(before, new Gone(1, LENGTH, 3 * LENGTH, true));
    totals.replace(before, stripe(2, 3));
    assertTotals(1, 0, 0);
  }

  @Test
  void replicationsThatFilesHadAreCounted() {
    totals.add(stripe(1, 2));
    totals.add(stripe(2, 0));
    assertEquals(9 * LENGTH, totals.now().get("rs-3-2").replicatedBytes(), "2 and at least 1");
  }

  /** They are kept as stripes lose blocks, and are those of the blocks that are gone by then. */
  @Test
  void sumsOfWhatIsGoneFollowEachStripe() {
    Random random = new Random(7);
    Map<Integer, Integer> gone = new HashMap<>();
    for (int i = 1; i <= 20; i++) {
      totals.add(stripe(i, 3));
      gone.put(i, 0);
    }
    for (int step = 0; step < 2000; step++) {
      int number = 1 + random.nextInt(20);
      Stripe stripe = stripe(number, 3);
      switch (random.nextInt(4)) {
        case 0 -> {
          totals.remove(random.nextBoolean() ? stripe : stripe("", number, 3));
          totals.add(stripe);
          gone.put(number, 0);
        }
        case 1 -> totals.replace(stripe, stripe.withHomes(Map.of(0, "elsewhere")));
        default -> {
          int blocks = random.nextInt(4);
          totals.shrink(
              stripe,
              new Gone(blocks, blocks * LENGTH, 3L * blocks * LENGTH, blocks == 1 || blocks == 2));
          gone.put(number, blocks);
        }
      }
      assertTotals(
          20,
          gone.values().stream().mapToInt(blocks -> blocks).sum(),
          gone.values().stream().filter(blocks -> blocks == 1 || blocks == 2).count());
    }
  }

  /** Those that lost blocks are told page by page, without those that nothing needs. */
  @Test
  void stripesThatLostBlocksAreListed() {
    for (int i = 1; i <= 5; i++) {
      totals.add(stripe(i, 3));
      totals.shrink(stripe(i, 3), new Gone(1, LENGTH, 3 * LENGTH, i != 2));
    }
    String one = stripe(1, 3).id();
    String three = stripe(3, 3).id();
    assertEquals(List.of(one, three), totals.thinnedAfter("", 2));
    assertEquals(List.of(stripe(4, 3).id(), stripe(5, 3).id()), totals.thinnedAfter(three, 9));
    totals.remove(stripe(3, 3));
    assertEquals(List.of(stripe(4, 3).id()), totals.thinnedAfter(one, 1));
  }

  /** As after a return to an earlier release, which can read none of them. */
  @Test
  void descriptionsThatCannotBeReadAreAllCountedAndAFewNamed() {
    StripeTotals.Hidden hidden = new StripeTotals.Hidden();
    hidden.add(() -> "/b", "torn");
    hidden.add(() -> "/a", "version 3");
    assertEquals(Map.of("/a", "version 3", "/b", "torn"), hidden.named());
    for (int i = 0; i < StripeTotals.Hidden.MOST_NAMED; i++) {
      int number = i;
      hidden.add(() -> "/c" + number, "version 3");
    }
    assertEquals(StripeTotals.Hidden.MOST_NAMED + 2, hidden.count());
    assertEquals(StripeTotals.Hidden.MOST_NAMED, hidden.named().size());
  }

  /** Its id cannot be known any more. */
  @Test
  void aStripeWhoseFileWasRenamedGoesWithWhatItLacked() {
    totals.add(stripe(1, 3));
    totals.add(stripe(2, 3));
    totals.shrink(stripe(1, 3), new Gone(1, LENGTH, 3 * LENGTH, true));
    totals.remove(stripe("", 1, 3));
    assertTotals(1, 0, 0);
  }
}
