package org.braid.hdfs.namenode.page;

import java.io.IOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.braid.hdfs.api.view.Health;
import org.braid.hdfs.api.view.HealthCounts;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.namenode.deferral.Deferral;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NodeTraffic;
import org.braid.hdfs.namenode.host.NodeTraffic.Flow;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.lease.Leases;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeTotals;
import org.braid.hdfs.namenode.view.ScrubProgress;
import org.braid.hdfs.namenode.view.StripeCounts;
import org.braid.hdfs.namenode.view.StripeFigures;
import org.braid.hdfs.policy.Moments;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicyJson;
import org.braid.hdfs.rpc.ScrubRecord;
import org.jspecify.annotations.Nullable;

/** Collects the page's figures from existing counters, without scans. */
final class PageGatherer {
  private final NameNodeHost host;
  private final StripeIndex index;
  private final StripeFigures figures;
  private final Leases leases;
  private final Deferral deferral;
  private final ScrubProgress scrub;
  private final PolicyReader policies;
  private final History history;
  private final InstantSource clock;

  PageGatherer(
      NameNodeHost host,
      StripeIndex index,
      StripeFigures figures,
      Leases leases,
      Deferral deferral,
      PolicyReader policies,
      History history,
      InstantSource clock) {
    this.host = host;
    this.index = index;
    this.figures = figures;
    this.leases = leases;
    this.deferral = deferral;
    this.policies = policies;
    this.history = history;
    this.clock = clock;
    scrub = new ScrubProgress(host, clock);
  }

  /** A sample for the history. */
  History.Sample sample() {
    StripeCounts counts = figures.counts();
    Flow all = host.traffic().snapshot().all();
    Map<Cause, Long> sent = new TreeMap<>();
    for (Cause cause : Cause.values()) {
      sent.put(cause, all.sentBytes(cause));
    }
    return new History.Sample(
        stored(index.totals().now(), Optional.empty()).savedBytes(),
        counts.known() ? counts.damaged() : -1,
        deferral.demands().waiting(),
        all.clientRead(),
        all.clientWritten(),
        sent);
  }

  /** The present figures. */
  PageFigures gather() throws IOException {
    boolean active = host.nameNode().isActiveState();
    boolean safeMode = host.namesystem().isInSafeMode();
    StripeCounts counts = figures.counts();
    NodeTraffic.Snapshot traffic = host.traffic().snapshot();
    List<PageFigures.Node> nodes = nodes(traffic);
    PageFigures.Stored stored =
        stored(
            index.totals().now(),
            active ? Optional.of(host.reading("braidPage", host::storedBytes)) : Optional.empty());
    List<Leases.Held> held = active ? leases.held() : List.of();
    boolean known = active && !safeMode && counts.known();
    Health health =
        known || (active && safeMode)
            ? health(known ? counts : null, safeMode, stored.stripes(), nodes)
            : null;
    return new PageFigures(
        host.nameNode().getNameNodeAddressHostPortString(),
        host.state(),
        safeMode,
        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(),
        health,
        notice(active, safeMode, counts),
        stored,
        known ? stripes(counts) : null,
        active ? waiting() : null,
        lease(held, 0),
        held.stream().skip(1).map(PageGatherer::lease).toList(),
        scrub.known().map(this::scrub).orElse(null),
        traffic(traffic),
        racks(nodes),
        nodes,
        active ? policies.known().map(this::policies).orElse(null) : null,
        history.series());
  }

  private String notice(boolean active, boolean safeMode, StripeCounts counts) {
    if (!active) {
      return "This NameNode is "
          + host.state()
          + ": it follows what is stored; the active NameNode knows how stripes are, who works on"
          + " them and who waits.";
    }
    if (safeMode) {
      return "The NameNode is in safe mode: which blocks are lost is known when DataNodes have"
          + " reported.";
    }
    return counts.known() ? "" : "Stripes have not been looked at yet: that takes some seconds.";
  }

  private static PageFigures.Stored stored(
      Map<String, StripeTotals.Total> totals, Optional<Long> all) {
    long data = 0;
    long parity = 0;
    long replicated = 0;
    long stripes = 0;
    List<PageFigures.Code> codes = new ArrayList<>();
    for (Map.Entry<String, StripeTotals.Total> entry : totals.entrySet()) {
      StripeTotals.Total total = entry.getValue();
      data += total.dataBytes();
      parity += total.parityBytes();
      replicated += total.replicatedBytes();
      stripes += total.stripes();
      codes.add(
          new PageFigures.Code(
              entry.getKey(),
              total.stripes(),
              total.dataBlocks(),
              total.dataBytes(),
              total.parityBlocks(),
              total.parityBytes()));
    }
    long encoded = data + parity;
    return new PageFigures.Stored(
        all.orElse(null),
        all.map(bytes -> Math.max(0, bytes - encoded)).orElse(null),
        data,
        parity,
        replicated - encoded,
        stripes,
        codes);
  }

  private Health health(
      @Nullable StripeCounts counts, boolean safeMode, long stripes, List<PageFigures.Node> nodes) {
    HealthCounts.Stripes seen =
        counts == null
            ? HealthCounts.Stripes.NONE
            : new HealthCounts.Stripes(
                counts.lost(),
                counts.atRisk(),
                counts.unreadable(),
                counts.degraded(),
                counts.misplaced(),
                index.totals().thinned(),
                true);
    String paused =
        policies
            .known()
            .flatMap(known -> known.document().pausedUntil(Pausable.REPAIR, clock.instant()))
            .map(until -> Moments.words(Moments.until(until)))
            .orElse("");
    long dead = nodes.stream().filter(node -> node.inService() && !node.live()).count();
    long silent = nodes.stream().filter(node -> node.live() && node.suspect()).count();
    // Blocks of files in no stripe are HDFS's to tell, and it cannot tell them from those of
    // stripes; nor does a node say that it has no plugin.
    return new HealthCounts(
            seen,
            0,
            new HealthCounts.Nodes(dead, silent, 0),
            new HealthCounts.Service(
                safeMode,
                paused,
                stripes > 0 && leases.holders().isEmpty(),
                deferral.demands().waiting()))
        .health();
  }

  private PageFigures.Stripes stripes(StripeCounts counts) {
    return new PageFigures.Stripes(
        counts.healthy(),
        counts.misplaced(),
        counts.degraded(),
        counts.atRisk(),
        counts.lost(),
        counts.unreadable(),
        index.totals().thinned(),
        counts.oldestSeconds(),
        counts.ageSeconds());
  }

  private PageFigures.Waiting waiting() {
    return new PageFigures.Waiting(
        deferral.demands().waiting(),
        deferral.demands().served(),
        leases.waiting().orElse(null),
        leases.standingBy());
  }

  private static PageFigures.@Nullable Lease lease(List<Leases.Held> held, int number) {
    return held.size() > number ? lease(held.get(number)) : null;
  }

  private static PageFigures.Lease lease(Leases.Held held) {
    return new PageFigures.Lease(
        held.holder(),
        held.millis() / 1000,
        held.doing().map(doing -> work(held.holder(), doing)).orElse(null));
  }

  private static PageFigures.Work work(String holder, Leases.Doing doing) {
    var left = TimeLeft.seconds(doing.done(), doing.total(), doing.phaseMillis());
    return new PageFigures.Work(
        WorkCause.of(holder, doing.phase()),
        doing.phase(),
        doing.done(),
        doing.total(),
        doing.phaseMillis() / 1000,
        left.isPresent() ? left.getAsLong() : null);
  }

  private PageFigures.Scrub scrub(ScrubRecord record) {
    var oldest = record.oldestMillis(clock.millis());
    return new PageFigures.Scrub(
        record.present().map(round -> (long) (100 * round.done())).orElse(0L),
        record.present().map(ScrubRecord.Round::findings).orElse(0L),
        record.last().map(ScrubRecord.Round::findings).orElse(null),
        record.last().map(ScrubRecord.Round::unread).orElse(null),
        oldest.isPresent() ? oldest.getAsLong() / 1000 : null);
  }

  private static PageFigures.Traffic traffic(NodeTraffic.Snapshot seen) {
    return new PageFigures.Traffic(
        seen.seconds(), sent(seen.all(), seen.causes()), clients(seen.all()));
  }

  private static List<PageFigures.Sent> sent(Flow flow, Map<Cause, Double> rates) {
    List<PageFigures.Sent> causes = new ArrayList<>();
    flow.sent()
        .forEach(
            (cause, links) -> {
              Map<String, Long> words = new TreeMap<>();
              links.forEach((link, bytes) -> words.put(link.word(), bytes));
              causes.add(
                  new PageFigures.Sent(
                      cause.word(),
                      flow.sentBytes(cause),
                      Math.round(rates.getOrDefault(cause, 0.0)),
                      words));
            });
    return causes;
  }

  private static PageFigures.Clients clients(Flow flow) {
    return new PageFigures.Clients(
        flow.clientRead(),
        flow.clientWritten(),
        Math.round(flow.perSecond().clientRead()),
        Math.round(flow.perSecond().clientWritten()));
  }

  /** Those that moved most first. */
  private List<PageFigures.Node> nodes(NodeTraffic.Snapshot traffic) {
    List<PageFigures.Node> nodes = new ArrayList<>();
    for (DatanodeDescriptor node : host.nodes().getDatanodes()) {
      Flow flow = traffic.nodes().getOrDefault(node.getDatanodeUuid(), Flow.NONE);
      nodes.add(
          new PageFigures.Node(
              node.getHostName() + ":" + node.getXferPort(),
              node.getDatanodeUuid(),
              node.getNetworkLocation(),
              node.isAlive(),
              ReplicaView.inService(node),
              host.isSuspect(node),
              flow.sentBytes(),
              Math.round(flow.perSecond().sent()),
              flow.sent().keySet().stream()
                  .map(cause -> new PageFigures.CauseBytes(cause.word(), flow.sentBytes(cause)))
                  .toList(),
              clients(flow)));
    }
    nodes.sort(
        Comparator.comparingLong(PageFigures.Node::sentBytes)
            .reversed()
            .thenComparing(PageFigures.Node::host)
            .thenComparing(PageFigures.Node::uuid));
    return nodes;
  }

  /** Sums over nodes, by the name of the rack. */
  static List<PageFigures.Rack> racks(List<PageFigures.Node> nodes) {
    Map<String, PageFigures.Rack> racks = new TreeMap<>();
    for (PageFigures.Node node : nodes) {
      racks.merge(
          node.rack(),
          new PageFigures.Rack(
              node.rack(),
              1,
              node.live() ? 1 : 0,
              node.live() && node.suspect() ? 1 : 0,
              node.sentBytes(),
              node.sentBytesPerSecond(),
              node.clients()),
          PageFigures.Rack::plus);
    }
    return new ArrayList<>(racks.values());
  }

  private PageFigures.Policies policies(PolicyReader.Known known) {
    PolicyDocument document = known.document();
    Map<String, String> pauses = new LinkedHashMap<>();
    for (Pausable work : Pausable.values()) {
      document
          .pausedUntil(work, clock.instant())
          .ifPresent(until -> pauses.put(work.word(), Moments.until(until)));
    }
    return new PageFigures.Policies(
        document.revision(),
        document.user(),
        document.at().toString(),
        document.change(),
        known.problem(),
        document.policies().policies().stream().map(PolicyJson::shown).toList(),
        pauses);
  }
}
