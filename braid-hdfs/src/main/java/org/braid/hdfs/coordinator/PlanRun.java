package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.braid.code.SubBlock;
import org.braid.engine.CellLayout;
import org.braid.engine.Link;
import org.braid.hdfs.proto.BraidProtos.BytesProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
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
   */
  record Result(
      Map<Integer, Integer> reads,
      Map<Integer, Integer> stores,
      Map<Link, Long> links,
      long cpuNanos) {}

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

  private record Ended(int node, ExecuteResponseProto response, @Nullable IOException failure) {
    static Ended well(int node, ExecuteResponseProto response) {
      return new Ended(node, response, null);
    }

    static Ended badly(int node, IOException failure) {
      return new Ended(node, ExecuteResponseProto.getDefaultInstance(), failure);
    }
  }

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
    String run = Ids.random();
    BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    Set<Integer> open = new TreeSet<>();
    for (Fragment fragment : plan.fragments()) {
      if (!state.answers(fragment.node())) {
        throw new PlanFailed(
            "node " + state.name(fragment.node()) + " does not answer",
            null,
            Set.of(fragment.node()),
            Set.of());
      }
    }
    for (Fragment fragment : plan.fragments()) {
      int node = fragment.node();
      ExecuteRequestProto request =
          FragmentCodec.layOut(
                  FragmentCodec.requestFor(
                      fragment, run, layout.unit(), layout.slice(slice), reads, stores, this::peer),
                  layout)
              .build();
      open.add(node);
      workers.threads().execute(() -> ended.add(execute(node, request)));
    }
    return collect(run, layout, open, ended);
  }

  private Ended execute(int node, ExecuteRequestProto request) {
    try {
      return Ended.well(node, workers.execute(state.node(node), request));
    } catch (IOException e) {
      return Ended.badly(node, e);
    } catch (RuntimeException e) {
      return Ended.badly(node, new IOException(e));
    }
  }

  private PeerProto peer(int node) {
    DatanodeProto datanode = state.node(node);
    return PeerProto.newBuilder()
        .setNode(node)
        .setHost(datanode.getIp())
        .setPort(state.answer(node).getStreamPort())
        .setUuid(datanode.getUuid())
        .build();
  }

  private Result collect(
      String run, CellLayout layout, Set<Integer> open, BlockingQueue<Ended> ended)
      throws IOException {
    Map<Integer, Integer> reads = new HashMap<>();
    Map<Integer, Integer> stores = new HashMap<>();
    Map<Link, Long> links = new LinkedHashMap<>();
    long cpuNanos = 0;
    while (!open.isEmpty()) {
      Ended next = take(run, open, ended);
      open.remove(next.node());
      IOException failure = next.failure();
      if (failure != null) {
        cancel(run, open);
        throw new PlanFailed(
            state.name(next.node()) + ": " + failure.getMessage(),
            failure,
            silentOf(Set.of(next.node())),
            Set.of(next.node()));
      }
      ExecuteResponseProto response = next.response();
      reads.putAll(
          FragmentCodec.blockCrcs(layout, response.getReadBlocksList(), response.getReadsList()));
      stores.putAll(
          FragmentCodec.blockCrcs(
              layout, response.getStoredBlocksList(), response.getStoresList()));
      for (BytesProto sent : response.getSentList()) {
        links.merge(new Link(next.node(), sent.getNode()), sent.getBytes(), Long::sum);
      }
      cpuNanos += response.getCpuNanos();
    }
    return new Result(reads, stores, links, cpuNanos);
  }

  /** The next fragment that ends; nodes that fall silent meanwhile fail the run. */
  private Ended take(String run, Set<Integer> open, BlockingQueue<Ended> ended) throws IOException {
    try {
      while (true) {
        Ended next = ended.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (next != null) {
          return next;
        }
        Set<Integer> silent = silentOf(open);
        if (!silent.isEmpty()) {
          cancel(run, open);
          List<String> names = silent.stream().map(state::name).toList();
          throw new PlanFailed("no sign of life from " + names, null, silent, Set.of());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cancel(run, open);
      throw new IOException("interrupted while a plan ran", e);
    }
  }

  private Set<Integer> silentOf(Set<Integer> nodes) {
    List<DatanodeProto> asked = new ArrayList<>();
    nodes.forEach(n -> asked.add(state.node(n)));
    Set<String> alive = workers.ping(asked).keySet();
    Set<Integer> silent = new TreeSet<>();
    for (int node : nodes) {
      if (!alive.contains(state.node(node).getUuid())) {
        silent.add(node);
      }
    }
    return silent;
  }

  private void cancel(String run, Set<Integer> open) {
    workers.cancel(open.stream().map(state::node).toList(), run);
  }
}
