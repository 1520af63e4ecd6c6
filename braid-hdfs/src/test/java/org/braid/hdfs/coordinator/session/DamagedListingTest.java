package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class DamagedListingTest {
  private final FakeCluster cluster = new FakeCluster(5, 1);
  private final StripeStatus stripe =
      cluster.status(cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0"));
  private final FakeTicker ticker = new FakeTicker();
  private final List<String> asked = new ArrayList<>();
  private final List<StripesResponseProto> answers = new ArrayList<>();

  private StripesResponseProto stripes(StripesRequestProto request) {
    assertEquals(7, request.getLimit());
    asked.add(
        (request.hasBehind() ? "behind " + request.getBehind() : "")
            + (request.hasAfter() ? " after " + request.getAfter() : "")
            + (request.hasWorseThan() ? " worse than " + request.getWorseThan() : ""));
    ticker.pass(25_000);
    return answers.remove(0);
  }

  private static StripesResponseProto.Builder page(boolean more, String last) {
    return StripesResponseProto.newBuilder().setMore(more).setLast(last);
  }

  private StripesResponseProto.Builder withStripe(StripesResponseProto.Builder page) {
    return page.addStripes(StatusCodec.toProto(stripe));
  }

  private int list() throws IOException {
    int[] listed = new int[1];
    new DamagedListing(this::stripes, 7, ticker).list(page -> listed[0] += page.size());
    assertEquals(List.of(), answers);
    return listed[0];
  }

  @Test
  void pagesAreInTheOrderOfRepair() throws Exception {
    answers.add(withStripe(page(true, "b").setPlace(20)).build());
    answers.add(withStripe(page(false, "a").setPlace(30)).build());
    assertEquals(2, list());
    assertEquals(List.of("behind 0", "behind 20 after b"), asked);
  }

  /** They stand before the place that was come to. */
  @Test
  void stripesThatGotWorseAreAskedForEachMinute() throws Exception {
    answers.add(withStripe(page(true, "a").setPlace(20)).build());
    answers.add(page(true, "b").setPlace(30).build());
    answers.add(page(true, "c").setPlace(40).build());
    answers.add(withStripe(page(true, "d").setPlace(3)).build());
    answers.add(page(false, "e").setPlace(4).build());
    answers.add(page(false, "f").setPlace(50).build());
    assertEquals(2, list());
    assertEquals(
        List.of(
            "behind 0",
            "behind 20 after a",
            "behind 30 after b",
            "behind 0 worse than 40",
            "behind 3 worse than 40",
            "behind 40 after c"),
        asked);
  }

  /** Behind the last one by id there are not those that were to be listed next. */
  @Test
  void whereTheOrderIsLostAllAreListedById() throws Exception {
    answers.add(withStripe(page(true, "x").setPlace(20)).build());
    answers.add(withStripe(page(true, "y")).build()); // of another NameNode
    answers.add(withStripe(page(true, "a")).build());
    answers.add(withStripe(page(false, "b")).build());
    assertEquals(4, list());
    assertEquals(List.of("behind 0", "behind 20 after x", "", " after a"), asked);
  }

  /** Whoever counts them counts no stripe twice, and hears of those that pages bring first. */
  @Test
  void eachStripeCanBeTakenOnce() throws Exception {
    answers.add(withStripe(page(true, "x").setPlace(20)).build());
    answers.add(withStripe(page(true, "y")).build()); // of another NameNode
    answers.add(withStripe(page(false, "a")).build());
    int[] taken = new int[1];
    new DamagedListing(this::stripes, 7, ticker)
        .list(NameNodeCalls.Page.once(page -> taken[0] += page.size()));
    assertEquals(List.of(), answers);
    assertEquals(1, taken[0]);
  }

  @Test
  void nothingIsAskedForWhenItIsFull() throws Exception {
    answers.add(withStripe(page(true, "x").setPlace(20)).build());
    new DamagedListing(this::stripes, 7, ticker)
        .list(NameNodeCalls.Page.until(() -> true, page -> assertFalse(page.isEmpty())));
    assertEquals(1, asked.size());
  }
}
