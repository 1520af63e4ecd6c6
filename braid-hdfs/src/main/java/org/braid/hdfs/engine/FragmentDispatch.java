package org.braid.hdfs.engine;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.dispatch.WorkerException;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.metrics.LinkClass;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.LinkProto;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.stripe.Datanode;
import org.braid.plan.Fragment;
import org.braid.plan.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Sends the fragments of a plan to their workers, all at once, and takes their answers.
 * Thread-safe.
 */
final class FragmentDispatch {
  private final Workers workers;
  private final HdfsJob job;
  private final String run;
  private final RunPace pace;
  private final Listener listener;
  private final Map<Integer, Datanode> nodes = new LinkedHashMap<>();
  private final Map<Integer, CompletableFuture<ExecuteResponseProto>> answers =
      new LinkedHashMap<>();

  /** Hears of the end of each fragment once, on any thread. */
  interface Listener {
    /**
     * A fragment has ended.
     *
     * @param response its result; null when it failed
     * @param failure its failure; null when it ended well
     */
    void ended(
        int node, @Nullable ExecuteResponseProto response, @Nullable WorkerException failure);
  }

  private FragmentDispatch(
      Workers workers, HdfsJob job, String run, RunPace pace, Listener listener) {
    this.workers = workers;
    this.job = job;
    this.run = run;
    this.pace = pace;
    this.listener = listener;
  }

  /** Sends some fragments of a plan to their workers. */
  static FragmentDispatch start(
      Workers workers,
      Collection<Fragment> fragments,
      HdfsJob job,
      String run,
      RunPace pace,
      Listener listener) {
    FragmentDispatch dispatch = new FragmentDispatch(workers, job, run, pace, listener);
    Map<Integer, ExecuteRequestProto> requests = new LinkedHashMap<>();
    for (Fragment fragment : fragments) {
      int node = fragment.node();
      dispatch.nodes.put(node, job.worker(node).node());
      requests.put(node, dispatch.request(fragment));
    }
    requests.forEach(
        (node, request) ->
            dispatch.answers.put(node, workers.start(() -> dispatch.execute(node, request))));
    return dispatch;
  }

  private ExecuteRequestProto request(Fragment fragment) {
    ExecuteRequestProto.Builder request =
        FragmentCodec.layOut(
            FragmentCodec.requestFor(
                fragment,
                run,
                job.length(),
                job.slice(),
                job.reads(),
                job.stores(),
                peer -> job.worker(peer).peer(peer)),
            job.layout());
    pace.told().ifPresent(rate -> request.setBytesPerSecond((long) Math.ceil(rate)));
    if (!pace.work().isEmpty()) {
      request.setWork(pace.work());
    }
    request.setCause(pace.cause().word());
    fragment.ops().stream()
        .filter(Operation.Send.class::isInstance)
        .map(op -> ((Operation.Send) op).to())
        .distinct()
        .forEach(to -> request.addLinks(link(fragment.node(), to)));
    return request.build();
  }

  private LinkProto link(int from, int to) {
    LinkClass link = LinkClass.between(job.location(from), job.location(to));
    return LinkProto.newBuilder().setNode(to).setLink(link.word()).build();
  }

  private ExecuteResponseProto execute(int node, ExecuteRequestProto request)
      throws WorkerException {
    ExecuteResponseProto response;
    try {
      response = workers.execute(node(node), request);
    } catch (WorkerException e) {
      listener.ended(node, null, e);
      throw e;
    } catch (RuntimeException | Error e) {
      WorkerException failure = WorkerException.unreachable(e);
      listener.ended(node, null, failure);
      throw failure;
    }
    listener.ended(node, response, null);
    return response;
  }

  /** The run's secret name, which gives access to its streams. */
  String run() {
    return run;
  }

  private Datanode node(int number) {
    Datanode node = nodes.get(number);
    if (node == null) {
      throw new IllegalArgumentException("node " + number + " has no fragment");
    }
    return node;
  }

  /** Begins to abort the fragments that have not ended. */
  CompletableFuture<Void> cancel() {
    return workers.cancel(
        answers.entrySet().stream()
            .filter(entry -> !entry.getValue().isDone())
            .map(entry -> node(entry.getKey()))
            .toList(),
        run);
  }

  /**
   * Aborts the fragments that have not ended; waits for a time for the answers of their workers.
   */
  void cancel(long millis) {
    await(cancel(), millis);
  }

  /** Waits until all fragments have ended, or for a time; their answers are then known. */
  void settle(long millis) {
    await(CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new)), millis);
  }

  /** Whether all fragments have ended. */
  boolean hasEnded() {
    return answers.values().stream().allMatch(CompletableFuture::isDone);
  }

  private static void await(CompletableFuture<?> future, long millis) {
    try {
      future.get(millis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // The listener heard the reasons; who is late says nothing.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Follows the waits to the node that blocks all others.
   *
   * @param first the node that the caller waits for
   * @param millis how long workers may take to answer; one that takes longer blocks the others
   */
  int straggler(int first, long millis) throws IOException {
    Map<String, Worker> answered = workers.ping(nodes.values(), run, millis).reached();
    int node = first;
    for (int hops = 0; hops < nodes.size(); hops++) {
      Worker worker = answered.get(node(node).uuid());
      if (worker == null || !worker.answer().hasWaitsFor()) {
        break;
      }
      node = worker.answer().getWaitsFor();
    }
    return node;
  }

  /** All nodes with fragments. */
  Collection<Datanode> all() {
    return nodes.values();
  }
}
