package org.braid.hdfs.coordinator.scrub;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.braid.hdfs.api.ScrubReport;
import org.braid.hdfs.api.ScrubRequest;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.NameNodeCalls.StripePage;
import org.braid.hdfs.coordinator.session.RecentClusterState;
import org.braid.hdfs.coordinator.session.Stopwatch;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.TotalsResponseProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.ScrubRecord.Round;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;

/**
 * Scrubs all stripes, or those of files below a path, once. It changes nothing and needs no lease,
 * so that it never waits for other commands, nor they for it. Readers that wait for lost blocks
 * come first.
 */
public final class Scrubber {
  /** Number of stripes that are read together. */
  private static final int PAGE = 50;

  /** How often it checks whether readers wait. */
  private static final long ASK_MILLIS = 2000;

  private final NameNodeCalls nameNode;
  private final RecentClusterState cluster;
  private final ScrubStore store;
  private final ScrubRequest request;
  private final InstantSource clock;
  private final ScrubTally tally = new ScrubTally();
  private final Stopwatch watch = new Stopwatch();
  private final ScrubBatch batch;
  private final Map<String, String> unreadable = new TreeMap<>();
  private long total;

  public Scrubber(
      NameNodeCalls nameNode,
      Workers workers,
      ScrubStore store,
      ScrubSettings settings,
      ScrubRequest request,
      InstantSource clock) {
    this.nameNode = nameNode;
    this.store = store;
    this.request = request;
    this.clock = clock;
    cluster = new RecentClusterState(nameNode, workers);
    ReplicaCalls calls = ReplicaCalls.of(nameNode, workers, request.rate().orElse(settings.rate()));
    ScrubGate gate =
        new ReadersFirst(
            () -> nameNode.cluster().getCoordination().getWaiting() > 0,
            request.stop()::stopped,
            ASK_MILLIS,
            Ticker.SYSTEM);
    batch =
        new ScrubBatch(
            new ReplicaCheck(calls, gate, tally, Ticker.SYSTEM),
            tally,
            new SecureRandom()::nextLong);
  }

  /** Scrubs; when it is stopped, reports the part that was done. */
  public ScrubReport scrub() throws IOException {
    boolean[] complete = new boolean[1];
    try {
      request.stop().breakingOff(() -> complete[0] = request.path().equals("/") ? all() : below());
    } catch (IOException e) {
      if (!request.stop().stopped()) {
        throw e;
      }
    }
    if (complete[0]) {
      request.progress().at("scrubbing", tally.stripes(), tally.stripes());
    }
    return new ScrubReport(
        request.path(),
        complete[0],
        tally.stripes(),
        tally.blocks(),
        tally.bytes(),
        tally.parity(),
        tally.findings(),
        tally.counts(),
        tally.unchecked(),
        unreadable,
        watch.seconds());
  }

  private boolean all() throws IOException {
    long begun = clock.millis();
    TotalsResponseProto totals = nameNode.totals();
    totals.getHiddenList().forEach(file -> unreadable.put(file.getPath(), file.getProblem()));
    total = totals.getCodesList().stream().mapToLong(code -> code.getStripes()).sum();
    String after = "";
    StripePage page;
    do {
      page = nameNode.stripesAfter(after, PAGE);
      if (!read(page.stripes())) {
        return false;
      }
      after = page.stripes().isEmpty() ? after : last(page.stripes());
    } while (page.more());
    Round round =
        Round.from(begun, 0)
            .at(after, tally.blocks(), tally.bytes(), tally.findings().size())
            .compared(tally.parity().checked(), tally.parity().unfit())
            .missing(tally.unchecked().size());
    store.end(round.ended(clock.millis()));
    return true;
  }

  private static String last(List<StripeStatus> stripes) {
    return stripes.get(stripes.size() - 1).stripe().id();
  }

  private boolean below() throws IOException {
    boolean[] goesOn = {true};
    nameNode.files(
        request.path(),
        page -> {
          Set<Long> ids = new HashSet<>();
          page.forEach(file -> file.blocks().forEach(block -> ids.add(block.block().id())));
          List<StripeStatus> own = new ArrayList<>();
          for (StripeStatus status :
              goesOn[0] ? nameNode.stripesOf(ids) : List.<StripeStatus>of()) {
            if (isFirstSeen(status, request.path(), ids)) {
              own.add(status);
            }
          }
          for (int from = 0; goesOn[0] && from < own.size(); from += PAGE) {
            goesOn[0] = read(own.subList(from, Math.min(own.size(), from + PAGE)));
          }
        });
    return goesOn[0];
  }

  /**
   * Whether a stripe is read with these blocks. Files may share a stripe; it is read once, with its
   * first block below the path.
   */
  static boolean isFirstSeen(StripeStatus status, String path, Set<Long> ids) {
    int data = status.stripe().isSupported() ? status.stripe().code().k() : status.stripe().size();
    for (int i = 0; i < data; i++) {
      if (StripeReads.isHeld(status, i) && BraidPaths.isBelow(status.member(i).path(), path)) {
        return ids.contains(status.stripe().member(i).block().id());
      }
    }
    return true; // as of files that only a snapshot has
  }

  private boolean read(List<StripeStatus> stripes) throws IOException {
    int done = batch.read(stripes, cluster.patiently(cluster.recent()));
    request.progress().at("scrubbing", tally.stripes(), Math.max(total, tally.stripes() + 1));
    return done == stripes.size() && !request.stop().stopped();
  }
}
