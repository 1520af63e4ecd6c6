package org.braid.hdfs.namenode.view;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.util.Time;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.metrics.TimeHistogram;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.namenode.stripes.StripeTotals;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeCode;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The states of a cluster's stripes, for monitoring systems. Its own thread looks at possibly
 * damaged stripes every few seconds; queries start no look. A NameNode that makes no decisions does
 * not look.
 */
public final class StripeFigures implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(StripeFigures.class);
  private static final long LOOK_MILLIS = 2000;

  /** Looking takes at most this part of the time. */
  private static final int SHARE = 20;

  /** Stripes that are looked at before what was seen is thought about, outside the lock. */
  private static final int PAGE = 400;

  private static final int MOST_AGES = 100_000;
  private static final long PROOF_NANOS = 1_000_000_000;
  private static final long[] REPAIR_SECONDS = {
    10, 30, 60, 300, 900, 1800, 3600, 14_400, 43_200, 86_400
  };

  private final NameNodeHost host;
  private final StripeIndex index;
  private final DamagedStripes damaged;
  private final TimeHistogram repairs =
      new TimeHistogram(
          "RepairTime",
          "From when the NameNode saw that a stripe lacks blocks until these were rebuilt",
          REPAIR_SECONDS);
  private final StripeWatch watch = new StripeWatch(Time::monotonicNow, repairs, MOST_AGES);
  private final SpareCounts spares = new SpareCounts(System::nanoTime, PROOF_NANOS);
  private final Map<String, Integer> counted = new HashMap<>();
  private final Thread thread = DaemonThreads.of("braid-figures", this::run);
  private String failure = "";

  /** What was seen of a stripe under the lock. */
  private record Seen(Entry entry, List<Integer> missing, Map<Integer, String> lost) {}

  /** Starts without figures. */
  public StripeFigures(NameNodeHost host, StripeIndex index, DamagedStripes damaged) {
    this.host = host;
    this.index = index;
    this.damaged = damaged;
  }

  /** Starts to look. */
  public void start() {
    thread.start();
  }

  /** Adds the figures to the metrics of a NameNode. */
  public void addTo(DaemonMetrics metrics) {
    metrics.gauge("Stripes", "Published stripes", index::size);
    metrics.gauge(
        "StripesThinned",
        "Stripes that lost data blocks to deletions and protect others still",
        () -> index.totals().thinned());
    metrics.gauge(
        "StripesLookedAtSeconds",
        "Seconds since it was looked which stripes are damaged; -1: not yet, as on a standby",
        watch::ageSeconds);
    metrics.gauge(
        "OldestDamageSeconds",
        "Seconds for which the stripe that has lacked blocks longest has done so",
        watch::oldestSeconds);
    metrics.counter(
        "StripesReturned",
        "Stripes that lacked blocks until their nodes were back",
        watch::returned);
    metrics.gauge("BytesEncoded", "Bytes of data blocks in stripes", () -> sum(Bytes.DATA));
    metrics.gauge("BytesParity", "Bytes of parity", () -> sum(Bytes.PARITY));
    metrics.gauge(
        "BytesSaved",
        "Bytes that the data blocks took with their replicas, less what they and parity take",
        () -> sum(Bytes.SAVED));
    metrics.family("StripesBy", this::states);
    metrics.family("StripesWith", this::spares);
    repairs.addTo(metrics);
  }

  /** The states of stripes at the last look; takes no lock. */
  public StripeCounts counts() {
    StripeWatch.Figures now = watch.figures();
    return new StripeCounts(
        watch.ageSeconds(),
        Math.max(0, now.of(StripeState.HEALTHY)),
        now.of(StripeState.MISPLACED),
        now.of(StripeState.DEGRADED),
        now.of(StripeState.AT_RISK),
        now.of(StripeState.LOST),
        now.of(StripeState.UNREADABLE),
        watch.oldestSeconds());
  }

  private enum Bytes {
    DATA,
    PARITY,
    SAVED
  }

  private long sum(Bytes what) {
    long sum = 0;
    for (StripeTotals.Total total : index.totals().now().values()) {
      sum +=
          switch (what) {
            case DATA -> total.dataBytes();
            case PARITY -> total.parityBytes();
            case SAVED -> total.replicatedBytes() - total.dataBytes() - total.parityBytes();
          };
    }
    return sum;
  }

  private void states(DaemonMetrics.Rows rows) {
    StripeWatch.Figures now = watch.figures();
    for (StripeState state : StripeState.values()) {
      rows.row("State", state.word())
          .gauge("State", "Stripes by how they are", Math.max(0, now.of(state)));
    }
  }

  private void spares(DaemonMetrics.Rows rows) {
    StripeWatch.Figures now = watch.figures();
    StripeWatch.spareWords()
        .forEach(
            (spare, word) ->
                rows.row("Spare", word)
                    .gauge(
                        "Spare",
                        "Stripes by the number of further losses that they survive",
                        Math.max(0, now.ofSpare(spare))));
  }

  private void run() {
    long before = 0;
    try {
      while (true) {
        long begun = Time.monotonicNow();
        Turn.take(this::look, this::failed);
        long took = Time.monotonicNow() - begun;
        Thread.sleep(pauseMillis(took, before));
        before = took;
      }
    } catch (InterruptedException e) {
      LOG.debug("stripes are not looked at any more");
    }
  }

  /**
   * Milliseconds until the next look. A single slow look counts no more than the look before it:
   * this process may have been paused, or other threads may have held the lock.
   */
  static long pauseMillis(long took, long before) {
    return Math.max(LOOK_MILLIS, SHARE * Math.min(took, before));
  }

  private void look() throws IOException {
    if (host.decides()) {
      index.catchUp();
      lookAtAll();
    } else {
      watch.forget();
    }
    failure = "";
  }

  private void failed(Exception e) {
    String reason = e.toString();
    if (!reason.equals(failure)) {
      LOG.warn("it cannot be told for monitoring how stripes are, again soon: {}", reason);
      failure = reason;
    }
  }

  private void lookAtAll() throws IOException {
    Map<Integer, Long> whole = new HashMap<>();
    long unknown = index.hidden().count();
    for (Map.Entry<String, StripeTotals.Total> entry : index.totals().now().entrySet()) {
      long stripes = entry.getValue().stripes();
      Optional<StripeCode> code = index.totals().code(entry.getKey());
      if (code.isPresent()) {
        whole.merge(counted(code.get()), stripes, Long::sum);
      } else {
        unknown += stripes;
      }
    }
    watch.begin(whole, unknown);
    spares.begin();
    Optional<RepairOrder> order = damaged.inOrder(true);
    if (order.isPresent()) {
      lookAt(order.get());
    } else {
      lookAtEach();
    }
    watch.end(this::homes);
  }

  private void lookAt(RepairOrder order) throws IOException {
    long[] places = order.next(0, Long.MAX_VALUE, PAGE);
    while (places.length > 0) {
      List<Entry> page = new ArrayList<>();
      for (long place : places) {
        index.ofFile(RepairOrder.fileAt(place)).ifPresent(page::add);
      }
      List<Seen> seen = new ArrayList<>();
      index.visit("braidFigures", page, entry -> see(entry, seen));
      seen.forEach(this::think);
      places = order.next(places[places.length - 1], Long.MAX_VALUE, PAGE);
    }
  }

  /** Very many may be damaged: all are looked at. */
  private void lookAtEach() throws IOException {
    String after = "";
    String last;
    do {
      last = after;
      List<Seen> seen = new ArrayList<>();
      String[] at = {after};
      int[] visited = {0};
      index.visit(
          "braidFigures",
          after,
          entry -> {
            at[0] = entry.stripe().id();
            see(entry, seen);
            return ++visited[0] < PAGE;
          });
      seen.forEach(this::think);
      after = at[0];
    } while (!after.equals(last));
  }

  /** Notes what is wrong with a stripe, if anything; the lock is held. */
  private boolean see(Entry entry, List<Seen> seen) throws IOException {
    if (!entry.stripe().isSupported()) {
      return true;
    }
    List<Integer> missing = new ArrayList<>();
    Map<Integer, String> lost = new LinkedHashMap<>();
    boolean needed = false;
    boolean displaced = false;
    int k = entry.stripe().code().k();
    for (int i = 0; i < entry.stripe().size(); i++) {
      Member member = entry.stripe().member(i);
      if (member.isVirtual()) {
        continue;
      }
      Optional<Held> held = StripeReader.held(host, member);
      boolean own = held.isPresent() && index.holds(entry, member);
      needed |= i < k && own && held.get().reliesOnParity();
      if (held.isEmpty() || !ReplicaView.readable(host, held.get().block())) {
        missing.add(i);
        if (own) {
          lost.put(i, member.home());
        }
      } else if (own) {
        displaced |= isDisplaced(held.get(), member);
      }
    }
    if (needed && (displaced || !lost.isEmpty())) {
      seen.add(new Seen(entry, missing, lost));
    }
    return true;
  }

  /** Whether a block that is to have one copy has none where it is to be, or its node leaves. */
  private boolean isDisplaced(Held held, Member member) {
    if (held.block().getReplication() != 1) {
      return false;
    }
    return isDisplaced(
        ReplicaView.of(host.blocks(), held.block()).stream()
            .filter(replica -> replica.good() && !replica.suspect(host))
            .map(ReplicaView::uuid)
            .toList(),
        member.home());
  }

  /**
   * Whether no good replica is at home; a surplus replica in addition to that at home does no harm.
   */
  static boolean isDisplaced(List<String> good, String home) {
    return !good.contains(home);
  }

  /** Proving what a stripe survives takes time: outside the lock. */
  private void think(Seen seen) {
    Stripe stripe = seen.entry().stripe();
    if (seen.lost().isEmpty()) {
      watch.misplaced(seen.entry().inode());
      return;
    }
    ErasureCode code = stripe.code();
    int spare = spares.of(code, seen.missing());
    watch.lacking(
        seen.entry().inode(),
        stripe.id(),
        Tolerance.counted(code),
        spare,
        spare < 0 && spares.costsData(code, seen.missing(), seen.lost().keySet()),
        seen.lost());
  }

  private int counted(StripeCode code) {
    return counted.computeIfAbsent(
        code.name(), name -> Tolerance.counted(StripeCode.named(code.original(), code.copies())));
  }

  private Optional<Map<Integer, String>> homes(String id) {
    try {
      return index.published(id).map(entry -> homes(entry.stripe()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Map<Integer, String> homes(Stripe stripe) {
    Map<Integer, String> homes = new HashMap<>();
    for (int i = 0; i < stripe.size(); i++) {
      if (!stripe.isVirtual(i)) {
        homes.put(i, stripe.member(i).home());
      }
    }
    return homes;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
