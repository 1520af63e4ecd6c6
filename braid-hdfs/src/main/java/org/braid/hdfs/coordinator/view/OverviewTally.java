package org.braid.hdfs.coordinator.view;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.view.StatusReport;
import org.braid.hdfs.api.view.StatusReport.CodeCount;
import org.braid.hdfs.api.view.StatusReport.Coordination;
import org.braid.hdfs.api.view.StatusReport.CopyCount;
import org.braid.hdfs.api.view.StatusReport.FileCounts;
import org.braid.hdfs.api.view.StatusReport.NodeShare;
import org.braid.hdfs.api.view.StatusReport.NodeStatus;
import org.braid.hdfs.coordinator.convert.ReadLoads;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.jspecify.annotations.Nullable;

/** Counts files and stripes, which are added page by page. */
final class OverviewTally {
  private final ClusterState state;
  private final Map<String, int[]> codes = new TreeMap<>();
  private final Map<String, Double> loads = new HashMap<>();
  private final HealthTally health;

  /** Counted stripes of several files, which another page may contain again. */
  private final Set<String> shared = new HashSet<>();

  private int replicated;
  private int converted;
  private int partly;
  private int striped;
  private long logical;
  private long stored;
  private long parity;
  private long promised;
  private long readable;

  OverviewTally(ClusterState state) {
    this.state = state;
    this.health = new HealthTally(state);
  }

  /** Adds files and the stripes of their blocks. */
  void add(List<StoredFile> files, StripeMap stripes) {
    for (StoredFile file : files) {
      if (file.usage().striped() > 0) {
        striped++;
        logical += file.length();
        stored += file.usage().striped();
        continue;
      }
      int in = 0;
      for (BlockStatus block : file.blocks()) {
        in += stripes.holds(block) ? 1 : 0;
        logical += block.block().length();
        stored += block.block().length() * block.replicas().size();
        if (!stripes.holds(block)) {
          health.addReplicated(block);
        }
      }
      if (in == 0) {
        replicated++;
      } else if (in == file.blocks().size() && file.replication() == 1) {
        converted++;
      } else {
        partly++;
      }
    }
    ReadLoads.byNode(files).forEach((node, load) -> loads.merge(node, load, Double::sum));
    for (StripeStatus status : stripes.all()) {
      if (!isShared(status) || shared.add(status.stripe().id())) {
        add(status);
      }
    }
  }

  private static boolean isShared(StripeStatus status) {
    if (!status.stripe().isSupported()) {
      return true; // perhaps
    }
    return status.members().subList(0, status.stripe().code().k()).stream()
            .filter(member -> !member.gone())
            .mapToLong(MemberStatus::inode)
            .distinct()
            .count()
        > 1;
  }

  private void add(StripeStatus status) {
    health.add(List.of(status));
    Stripe stripe = status.stripe();
    int[] count = codes.computeIfAbsent(stripe.recordedCode().name(), unused -> new int[3]);
    count[0]++;
    if (!stripe.isSupported()) {
      return; // which of its blocks are parity is not known
    }
    ErasureCode code = stripe.code();
    for (int i = 0; i < stripe.size(); i++) {
      if (i >= code.k()) {
        count[2]++;
      } else if (!stripe.isVirtual(i)) {
        count[1]++;
      }
    }
    parity += stripe.parityBytes();
    stored += stripe.parityBytes();
    promised += copies(status);
    readable += readableCopies(status, state);
  }

  /** Parity blocks of a stripe that stores each several times. */
  static int copies(StripeStatus status) {
    Stripe stripe = status.stripe();
    return stripe.recordedCode().copies() > 1 && stripe.isSupported()
        ? stripe.code().n() - stripe.code().k()
        : 0;
  }

  /** Number of these that can be read. */
  static int readableCopies(StripeStatus status, ClusterState state) {
    int k = status.stripe().size() - copies(status);
    int count = 0;
    for (MemberStatus member : status.members().subList(k, status.stripe().size())) {
      count += !member.gone() && state.readable(member.status()).length > 0 ? 1 : 0;
    }
    return count;
  }

  /**
   * What was counted.
   *
   * @param hidden number of files and directories that this user may not read; null for a superuser
   */
  StatusReport report(Coordination coordination, List<NodeStatus> nodes, @Nullable Integer hidden) {
    List<CodeCount> counts = new ArrayList<>();
    codes.forEach((code, c) -> counts.add(new CodeCount(code, c[0], c[1], c[2])));
    return new StatusReport(
        health.health(!codes.isEmpty(), 0),
        state.safeMode(),
        state.rollingUpgrade(),
        coordination,
        nodes,
        new FileCounts(replicated, converted, partly, striped),
        null,
        counts,
        logical,
        stored,
        parity,
        new CopyCount(promised, readable),
        mostLoaded(),
        Map.of(),
        hidden,
        null,
        null);
  }

  private NodeShare mostLoaded() {
    double blocks = loads.values().stream().mapToDouble(Double::doubleValue).sum();
    long live = state.nodes().stream().filter(Datanode::live).count();
    return loads.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(
            most ->
                new NodeShare(
                    state.indexOf(most.getKey()).isPresent()
                        ? state.name(state.indexOf(most.getKey()).getAsInt())
                        : most.getKey(),
                    most.getValue() / blocks,
                    live == 0 ? 0 : 1.0 / live))
        .orElse(new NodeShare("", 0, live == 0 ? 0 : 1.0 / live));
  }
}
