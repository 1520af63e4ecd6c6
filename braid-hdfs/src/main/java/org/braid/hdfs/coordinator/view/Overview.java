package org.braid.hdfs.coordinator.view;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.view.Health;
import org.braid.hdfs.api.view.PlacementView;
import org.braid.hdfs.api.view.StatusReport;
import org.braid.hdfs.api.view.StatusReport.BlockCounts;
import org.braid.hdfs.api.view.StatusReport.CodeCount;
import org.braid.hdfs.api.view.StatusReport.Coordination;
import org.braid.hdfs.api.view.StatusReport.CopyCount;
import org.braid.hdfs.api.view.StatusReport.NodeShare;
import org.braid.hdfs.api.view.StatusReport.NodeStatus;
import org.braid.hdfs.api.view.ThrottleView;
import org.braid.hdfs.api.view.UsageReport;
import org.braid.hdfs.api.view.UsageRequest;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.coordinator.session.RecentClusterState;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.policy.Moments;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.proto.BraidProtos.CodeTotalProto;
import org.braid.hdfs.proto.BraidProtos.CoordinationProto;
import org.braid.hdfs.proto.BraidProtos.TotalsResponseProto;
import org.braid.hdfs.rpc.ScrubRecord;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;

/**
 * Reports what is stored where: figures of files, blocks and nodes, and placements for drawings.
 * Changes nothing.
 */
public final class Overview {
  private final NameNodeCalls nameNode;
  private final RecentClusterState cluster;
  private final DistributedFileSystem files;
  private final Supplier<Optional<ThrottleView>> throttle;
  private final Function<Pausable, Optional<Instant>> pause;
  private final ScrubState scrub;
  private final InstantSource clock;

  /** Reads the recorded state of the scrub of all stripes. */
  public interface ScrubState {
    ScrubRecord load() throws IOException;
  }

  /**
   * A look at a cluster.
   *
   * @param pause tells until when work is paused, if it is
   * @param clock the clock for ages
   * @param throttle tells the limits of background work, if known
   */
  public Overview(
      NameNodeCalls nameNode,
      RecentClusterState cluster,
      DistributedFileSystem files,
      Function<Pausable, Optional<Instant>> pause,
      ScrubState scrub,
      InstantSource clock,
      Supplier<Optional<ThrottleView>> throttle) {
    this.throttle = throttle;
    this.pause = pause;
    this.scrub = scrub;
    this.clock = clock;
    this.nameNode = nameNode;
    this.cluster = cluster;
    this.files = files;
  }

  /**
   * Counts the files at or below a path, page by page, so that its memory does not grow with the
   * number of files. The counts of the whole cluster, except for files, come from the NameNode,
   * which tells them to superusers only; other users get counts of the files that they may read. If
   * blocks are lost while nodes just fell silent, it looks again after these had time to answer.
   */
  public StatusReport status(String path) throws IOException {
    return cluster.judged(
        cluster.now(),
        state -> status(path, state),
        report -> report.health().word() == Health.Word.LOST);
  }

  private StatusReport status(String path, ClusterState state) throws IOException {
    if (path.equals("/")) {
      try {
        return whole(state);
      } catch (AccessControlException e) {
        throw ShownFiles.rootless(e);
      }
    }
    OverviewTally tally = new OverviewTally(state);
    Integer hidden = new ShownFiles(nameNode, files).show(path, tally::add);
    return tally.report(coordination(state.coordination()), nodes(state), hidden);
  }

  /** Computes the storage that files take, page by page like {@link #status}. */
  public UsageReport usage(UsageRequest request, Progress progress) throws IOException {
    UsageTally tally = new UsageTally(request);
    Integer hidden =
        new ShownFiles(nameNode, files)
            .show(
                request.path(),
                (page, stripes) -> {
                  tally.add(page, stripes);
                  // How many files there are is known when the last one was looked at.
                  progress.at("counting files", tally.files(), tally.files() + 1);
                });
    progress.at("counting files", tally.files(), tally.files());
    return tally.report(hidden);
  }

  private StatusReport whole(ClusterState state) throws IOException {
    TotalsResponseProto totals = nameNode.totals();
    List<CodeCount> codes = new ArrayList<>();
    long encoded = 0;
    long data = 0;
    long replicated = 0;
    long parityBlocks = 0;
    long parity = 0;
    long copies = 0;
    for (CodeTotalProto code : totals.getCodesList()) {
      codes.add(
          new CodeCount(
              code.getCode(), code.getStripes(), code.getDataBlocks(), code.getParityBlocks()));
      encoded += code.getDataBlocks();
      data += code.getDataBytes();
      replicated += code.getReplicatedBytes();
      parityBlocks += code.getParityBlocks();
      parity += code.getParityBytes();
      copies += code.getCopied() ? code.getParityBlocks() : 0;
    }
    HealthTally health = new HealthTally(state);
    long unreadableCopies = damage(new Listed(nameNode), health, state, copies > 0);
    health.setThinned(totals.getThinned());
    health.setUnusable(unusable(totals));
    pause.apply(Pausable.REPAIR).ifPresent(health::setPaused);
    return new StatusReport(
        health.health(encoded > 0, undescribed(totals)),
        state.safeMode(),
        state.rollingUpgrade(),
        coordination(state.coordination()),
        nodes(state),
        null,
        new BlockCounts(
            totals.getBlocks(), encoded, parityBlocks, totals.getStoredBytes(), replicated),
        codes,
        data,
        data + parity,
        parity,
        new CopyCount(copies, copies - unreadableCopies),
        new NodeShare("", 0, 0),
        unreadable(totals),
        null,
        throttle.get().orElse(null),
        scrub());
  }

  private StatusReport.Scrub scrub() throws IOException {
    ScrubRecord record = scrub.load();
    Optional<ScrubRecord.Round> last = record.last();
    Optional<ScrubRecord.Round> present = record.present();
    OptionalLong oldest = record.oldestMillis(clock.millis());
    return new StatusReport.Scrub(
        last.map(round -> moment(round.begun())).orElse(null),
        last.map(round -> moment(round.ended())).orElse(null),
        last.map(ScrubRecord.Round::findings).orElse(0L),
        last.map(ScrubRecord.Round::unread).orElse(0L),
        present.map(round -> moment(round.begun())).orElse(null),
        present.map(ScrubRecord.Round::done).orElse(0.0),
        present.map(ScrubRecord.Round::findings).orElse(0L),
        oldest.isPresent() ? Long.valueOf(oldest.getAsLong() / 1000) : null,
        pause.apply(Pausable.SCRUB).map(Moments::until).orElse(null));
  }

  private static String moment(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Why descriptions of parity files cannot be read, by path. */
  static Map<String, String> unreadable(TotalsResponseProto totals) {
    Map<String, String> found = new TreeMap<>();
    totals.getHiddenList().forEach(file -> found.put(file.getPath(), file.getProblem()));
    return found;
  }

  /** Number of parity files with unreadable descriptions, also beyond those that are named. */
  static int undescribed(TotalsResponseProto totals) {
    long count = Math.max(totals.getHiddenCount(), totals.getUnreadable()); // an earlier release
    return (int) Math.min(Integer.MAX_VALUE, count);
  }

  /** Number of stripes with codes that the NameNode does not know, which nothing repairs. */
  static long unusable(TotalsResponseProto totals) {
    return totals.getCodesList().stream()
        .filter(code -> !code.getKnown())
        .mapToLong(CodeTotalProto::getStripes)
        .sum();
  }

  /** Stripes that may be damaged, page by page; one may be on several pages. */
  interface Stripes {
    /** The stripes that the NameNode counts as damaged. */
    void damaged(Page<StripeStatus> pages) throws IOException;

    /** The stripes that are not sound on a given look at the cluster. */
    void unsound(ClusterState state, Page<StripeStatus> pages) throws IOException;
  }

  private record Listed(NameNodeCalls nameNode) implements Stripes {
    @Override
    public void damaged(Page<StripeStatus> pages) throws IOException {
      nameNode.damagedStripes(pages);
    }

    @Override
    public void unsound(ClusterState state, Page<StripeStatus> pages) throws IOException {
      nameNode.unsoundStripes(() -> state, pages);
    }
  }

  /**
   * Adds the damaged stripes. The NameNode does not count blocks on nodes without Braid's plugin as
   * missing, so that all stripes are judged if there are such nodes.
   *
   * @param all whether to add all of them, not only until the health is known
   * @return copies of parity that cannot be read now
   */
  static long damage(Stripes stripes, HealthTally health, ClusterState state, boolean all)
      throws IOException {
    long[] copies = new long[1];
    Page<StripeStatus> pages =
        Page.once(
            Page.until(
                () -> !all && (state.safeMode() || health.isFull()),
                page -> {
                  health.add(page);
                  for (StripeStatus status : page) {
                    copies[0] +=
                        OverviewTally.copies(status) - OverviewTally.readableCopies(status, state);
                  }
                }));
    stripes.damaged(pages);
    if (state.hasPlain() && !pages.isFull()) {
      stripes.unsound(state, pages);
    }
    return copies[0];
  }

  private static Coordination coordination(CoordinationProto described) {
    return new Coordination(
        described.getCoordinator(),
        described.getDeferring(),
        described.getServed(),
        described.getExpected(),
        described.getWaiting(),
        described.getWaitMillis() / 1000.0,
        described.getHearsHeartbeats());
  }

  private static List<NodeStatus> nodes(ClusterState state) {
    List<NodeStatus> out = new ArrayList<>();
    for (int i = 0; i < state.nodes().size(); i++) {
      Datanode node = state.node(i);
      out.add(
          new NodeStatus(
              node.host(),
              node.rack(),
              node.live(),
              state.answers(i),
              state.answers(i) ? state.answer(i).getKernel() : state.silence(i),
              node.remaining()));
    }
    return out;
  }

  public PlacementView placement(List<String> paths) throws IOException {
    ClusterState state = cluster.now();
    List<PlacementView.Node> nodes = new ArrayList<>();
    for (int i = 0; i < state.nodes().size(); i++) {
      nodes.add(
          new PlacementView.Node(
              state.name(i), state.node(i).rack(), state.node(i).live() && state.answers(i)));
    }
    List<StoredFile> files = new ArrayList<>();
    for (String path : paths) {
      files.addAll(nameNode.files(path));
    }
    StripeMap stripes = StripeMap.of(nameNode, files);
    List<String> order = stripes.ids();
    List<PlacementView.Block> blocks = new ArrayList<>();
    for (StoredFile file : files) {
      String name = file.path().substring(file.path().lastIndexOf('/') + 1);
      for (int i = 0; i < file.blocks().size(); i++) {
        BlockStatus block = file.blocks().get(i);
        StripeStatus status = stripes.of(block);
        int stripe = status == null ? -1 : order.indexOf(status.stripe().id());
        int position = status == null ? -1 : status.stripe().positionOf(block.block()).orElse(-1);
        blocks.add(block(name + "#" + i, stripe, position, false, block, state));
      }
    }
    for (StripeStatus status : stripes.all()) {
      ErasureCode code = ParityCopies.original(status.stripe().code());
      for (int i = code.k(); i < status.members().size(); i++) {
        int copy = (i - code.k()) / code.m();
        blocks.add(
            block(
                "parity " + (i - code.k()) % code.m() + (copy == 0 ? "" : ", copy " + (copy + 1)),
                order.indexOf(status.stripe().id()),
                i,
                true,
                status.member(i).status(),
                state));
      }
    }
    return new PlacementView(nodes, blocks);
  }

  private static PlacementView.Block block(
      String label,
      int stripe,
      int position,
      boolean parity,
      BlockStatus block,
      ClusterState state) {
    List<Integer> holders = new ArrayList<>();
    block.replicas().forEach(r -> state.indexOf(r.node()).ifPresent(holders::add));
    return new PlacementView.Block(
        label, stripe, position, parity, block.block().length(), holders);
  }
}
