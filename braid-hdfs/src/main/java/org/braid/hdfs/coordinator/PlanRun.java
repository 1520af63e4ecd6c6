package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.braid.code.SubBlock;
import org.braid.engine.CellLayout;
import org.braid.engine.Link;
import org.braid.hdfs.api.RepairReport.Phases;
import org.braid.hdfs.dispatch.Dispatch;
import org.braid.hdfs.dispatch.WorkerException;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.BytesProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.plan.Fragment;
import org.braid.plan.Plan;
import org.jspecify.annotations.Nullable;

/** Runs a plan on the workers: the engine whose values are blocks on DataNodes. */
final class PlanRun {
  /** How long nothing may be heard before the workers that are still at it are asked for a sign. */
  private static final long PATIENCE_MILLIS = 3000;

  /** How long a run that failed waits for its workers to know. */
  private static final long CANCEL_MILLIS = 2000;

  private final Workers workers;
  private final ClusterState state;

  PlanRun(Workers workers, ClusterState state) {
    this.workers = workers;
    this.state = state;
  }

  /**
   * What a plan did.
   *
   * @param reads the CRC-32C of each block all of which was read at a node, zeros behind short ones
   *     included
   * @param stores the CRC-32C of each block stored
   * @param links payload bytes by link, counted by the senders
   * @param cpuNanos processor time of the workers' threads
   * @param storing what took the time of the nodes that stored
   */
  record Result(
      Map<Integer, Integer> reads,
      Map<Integer, Integer> stores,
      Map<Link, Long> links,
      long cpuNanos,
      List<Phases> storing) {}

  /** A plan that failed, with the nodes that did. */
  static final class PlanFailed extends IOException {
    private static final long serialVersionUID = 1L;
    private final transient Set<Integer> silent;
    private final transient Set<Integer> failed;

    PlanFailed(
        String message, @Nullable Throwable cause, Set<Integer> silent, Set<Integer> failed) {
      super(message, cause);
      this.silent = silent;
      this.failed = failed;
    }

    /** Nodes that gave no sign of life. */
    Set<Integer> silent() {
      return silent;
    }

    /** Nodes that are better left out of the next attempt. */
    Set<Integer> failed() {
      Set<Integer> all = new TreeSet<>(silent);
      all.addAll(failed);
      return all;
    }
  }

  private record Ended(
      int node, @Nullable ExecuteResponseProto response, @Nullable WorkerException failure) {}

  /**
   * Runs a plan; its nodes are those of the cluster's topology.
   *
   * @param layout how blocks consist of the plan's sub-blocks
   * @param slice bytes of a slice of a block
   * @throws PlanFailed when any fragment failed; the others are cancelled
   */
  Result run(
      Plan plan,
      CellLayout layout,
      int slice,
      Function<SubBlock, ReadSource> reads,
      Function<SubBlock, StoreTarget> stores)
      throws IOException {
    Set<Integer> open = new TreeSet<>();
    for (Fragment fragment : plan.fragments()) {
      if (!state.answers(fragment.node())) {
        throw new PlanFailed(
            "node " + state.name(fragment.node()) + " does not answer",
            null,
            Set.of(fragment.node()),
            Set.of());
      }
      open.add(fragment.node());
    }
    BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    Dispatch dispatch =
        Dispatch.start(
            workers,
            plan.fragments(),
            new Dispatch.Job(
                layout, layout.unit(), layout.slice(slice), state::worker, reads, stores),
            (node, response, failure) -> ended.add(new Ended(node, response, failure)));
    return collect(dispatch, layout, open, ended);
  }

  private Result collect(
      Dispatch dispatch, CellLayout layout, Set<Integer> open, BlockingQueue<Ended> ended)
      throws IOException {
    Map<Integer, Integer> reads = new HashMap<>();
    Map<Integer, Integer> stores = new HashMap<>();
    Map<Link, Long> links = new LinkedHashMap<>();
    long cpuNanos = 0;
    List<Phases> storing = new ArrayList<>();
    while (!open.isEmpty()) {
      Ended next = take(dispatch, open, ended);
      open.remove(next.node());
      WorkerException failure = next.failure();
      if (failure != null) {
        dispatch.cancel(CANCEL_MILLIS);
        throw new PlanFailed(
            state.name(next.node()) + ": " + failure.getMessage(),
            failure,
            silentOf(Set.of(next.node())),
            Set.of(next.node()));
      }
      ExecuteResponseProto response = Objects.requireNonNull(next.response());
      reads.putAll(
          FragmentCodec.blockCrcs(layout, response.getReadBlocksList(), response.getReadsList()));
      stores.putAll(
          FragmentCodec.blockCrcs(
              layout, response.getStoredBlocksList(), response.getStoresList()));
      for (BytesProto sent : response.getSentList()) {
        links.merge(new Link(next.node(), sent.getNode()), sent.getBytes(), Long::sum);
      }
      cpuNanos += response.getCpuNanos();
      if (response.getStoresCount() > 0) {
        storing.add(
            new Phases(
                response.getReadNanos() / 1e9,
                response.getCpuNanos() / 1e9,
                response.getWaitNanos() / 1e9));
      }
    }
    return new Result(reads, stores, links, cpuNanos, storing);
  }

  /** The next fragment that ends; nodes that fall silent meanwhile fail the run. */
  private Ended take(Dispatch dispatch, Set<Integer> open, BlockingQueue<Ended> ended)
      throws IOException {
    try {
      while (true) {
        Ended next = ended.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (next != null) {
          return next;
        }
        Set<Integer> silent = silentOf(open);
        if (!silent.isEmpty()) {
          dispatch.cancel(CANCEL_MILLIS);
          List<String> names = silent.stream().map(state::name).toList();
          throw new PlanFailed("no sign of life from " + names, null, silent, Set.of());
        }
      }
    } catch (InterruptedException e) {
      var unused = dispatch.cancel();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a plan ran", e);
    }
  }

  private Set<Integer> silentOf(Set<Integer> nodes) throws IOException {
    List<DatanodeProto> asked = new ArrayList<>();
    nodes.forEach(n -> asked.add(state.node(n)));
    Set<String> alive = workers.ping(asked).reached().keySet();
    Set<Integer> silent = new TreeSet<>();
    for (int node : nodes) {
      if (!alive.contains(state.node(node).getUuid())) {
        silent.add(node);
      }
    }
    return silent;
  }
}
