package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.List;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;

/**
 * Lists damaged stripes, those that lack the most blocks first. As the listing may last as long as
 * their repair, it lists from time to time the stripes that lost further blocks after it passed
 * them.
 */
final class DamagedListing {
  /** How often it asks for stripes that lost further blocks. */
  static final long AGAIN_MILLIS = 60_000;

  /** The calls on the NameNode. */
  interface Calls {
    StripesResponseProto stripes(StripesRequestProto request) throws IOException;
  }

  private final Calls calls;
  private final int limit;
  private final Ticker ticker;

  /**
   * Creates a listing.
   *
   * @param limit stripes of a page
   */
  DamagedListing(Calls calls, int limit, Ticker ticker) {
    this.calls = calls;
    this.limit = limit;
    this.ticker = ticker;
  }

  /** Lists page by page; a stripe may be on several pages. */
  void list(Page<StripeStatus> pages) throws IOException {
    StripesRequestProto.Builder request = first();
    long asked = ticker.millis();
    while (true) {
      StripesResponseProto answer = calls.stripes(request.build());
      List<StripeStatus> stripes = take(answer, pages);
      if (!answer.getMore() || pages.isFull()) {
        return;
      }
      goOn(request, answer, stripes);
      if (request.getBehind() > 0 && ticker.millis() - asked >= AGAIN_MILLIS) {
        asked = ticker.millis();
        worse(request.getBehind(), pages);
        if (pages.isFull()) {
          return;
        }
      }
    }
  }

  private StripesRequestProto.Builder first() {
    return StripesRequestProto.newBuilder().setLimit(limit).setDamaged(true).setBehind(0);
  }

  private static List<StripeStatus> take(StripesResponseProto answer, Page<StripeStatus> pages)
      throws IOException {
    List<StripeStatus> stripes = answer.getStripesList().stream().map(StatusCodec::of).toList();
    pages.take(stripes);
    return stripes;
  }

  private static void goOn(
      StripesRequestProto.Builder request,
      StripesResponseProto answer,
      List<StripeStatus> stripes) {
    if (answer.hasPlace()) {
      request.setBehind(answer.getPlace()).setAfter(answer.getLast());
    } else if (request.getBehind() > 0) {
      // Since a failover, say, they are listed by id: from the first one on, as others were passed.
      request.clearBehind().clearAfter();
    } else {
      request.clearBehind().setAfter(last(answer, stripes));
    }
  }

  /**
   * The id behind which the next page begins; with a NameNode of an earlier version, that of the
   * last stripe listed.
   */
  static String last(StripesResponseProto answer, List<StripeStatus> stripes) {
    return answer.hasLast() ? answer.getLast() : stripes.get(stripes.size() - 1).stripe().id();
  }

  /** Lists the stripes that now lack more blocks than the one at a place, which were passed. */
  private void worse(long place, Page<StripeStatus> pages) throws IOException {
    StripesRequestProto.Builder request = first().setWorseThan(place);
    boolean more = true;
    while (more) {
      StripesResponseProto answer = calls.stripes(request.build());
      if (answer.getStripesCount() > 0) {
        var unused = take(answer, pages);
      }
      more = answer.getMore() && answer.hasPlace() && !pages.isFull();
      request.setBehind(answer.getPlace());
    }
  }

  /**
   * Lists unsound stripes; looks at the cluster before each page.
   *
   * @param limit stripes of a page
   */
  static void unsound(
      Calls calls, int limit, NameNodeCalls.RecentLook cluster, Page<StripeStatus> pages)
      throws IOException {
    byId(
        calls,
        () ->
            StripesRequestProto.newBuilder().setLimit(limit).setUnsoundOn(cluster.recent().seen()),
        pages);
  }

  /** Creates the request for a page, without the stripe after which it begins. */
  interface PageRequest {
    StripesRequestProto.Builder next() throws IOException;
  }

  /** Lists stripes by their ids, page by page. */
  static void byId(Calls calls, PageRequest asked, Page<StripeStatus> pages) throws IOException {
    StripesRequestProto.Builder request = asked.next();
    while (true) {
      StripesResponseProto answer = calls.stripes(request.build());
      List<StripeStatus> stripes = answer.getStripesList().stream().map(StatusCodec::of).toList();
      pages.take(stripes);
      if (!answer.getMore() || pages.isFull()) {
        return;
      }
      request = asked.next().setAfter(last(answer, stripes));
    }
  }
}
