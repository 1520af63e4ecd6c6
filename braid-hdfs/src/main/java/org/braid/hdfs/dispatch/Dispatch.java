package org.braid.hdfs.dispatch;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.braid.code.SubBlock;
import org.braid.engine.CellLayout;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.plan.Fragment;
import org.jspecify.annotations.Nullable;

/** Fragments of one plan on their way: sent to their workers all at once. Thread-safe. */
public final class Dispatch {
  private final Workers workers;
  private final Job job;
  private final String run = Ids.random();
  private final Listener listener;
  private final Map<Integer, DatanodeProto> nodes = new LinkedHashMap<>();
  private final Map<Integer, CompletableFuture<ExecuteResponseProto>> answers =
      new LinkedHashMap<>();

  /**
   * What a plan's nodes and values are.
   *
   * @param layout how blocks consist of the plan's sub-blocks
   * @param length bytes of each value
   * @param slice bytes of a slice
   * @param workerOf the worker that is a node of the plan
   * @param reads the replica range behind each sub-block that is read
   * @param stores what becomes of each sub-block that is stored
   */
  public record Job(
      CellLayout layout,
      long length,
      int slice,
      IntFunction<Worker> workerOf,
      Function<SubBlock, ReadSource> reads,
      Function<SubBlock, StoreTarget> stores) {}

  /** Hears of each fragment's end, on any thread, once. */
  public interface Listener {
    /**
     * A fragment has ended.
     *
     * @param response what it did; null when it failed
     * @param failure why it failed; null when it did not
     */
    void ended(
        int node, @Nullable ExecuteResponseProto response, @Nullable WorkerException failure);
  }

  private Dispatch(Workers workers, Job job, Listener listener) {
    this.workers = workers;
    this.job = job;
    this.listener = listener;
  }

  /** Sends some fragments of a plan to their workers. */
  public static Dispatch start(
      Workers workers, Collection<Fragment> fragments, Job job, Listener listener) {
    Dispatch dispatch = new Dispatch(workers, job, listener);
    Map<Integer, ExecuteRequestProto> requests = new LinkedHashMap<>();
    for (Fragment fragment : fragments) {
      int node = fragment.node();
      dispatch.nodes.put(node, job.workerOf().apply(node).node());
      requests.put(node, dispatch.request(fragment));
    }
    requests.forEach(
        (node, request) ->
            dispatch.answers.put(node, workers.start(() -> dispatch.execute(node, request))));
    return dispatch;
  }

  private ExecuteRequestProto request(Fragment fragment) {
    return FragmentCodec.layOut(
            FragmentCodec.requestFor(
                fragment,
                run,
                job.length(),
                job.slice(),
                job.reads(),
                job.stores(),
                peer -> job.workerOf().apply(peer).peer(peer)),
            job.layout())
        .build();
  }

  private ExecuteResponseProto execute(int node, ExecuteRequestProto request)
      throws WorkerException {
    ExecuteResponseProto response;
    try {
      response = workers.execute(node(node), request);
    } catch (WorkerException e) {
      listener.ended(node, null, e);
      throw e;
    } catch (RuntimeException e) {
      WorkerException failure = WorkerException.unreachable(e);
      listener.ended(node, null, failure);
      throw failure;
    }
    listener.ended(node, response, null);
    return response;
  }

  /** The run's secret name: whoever knows it may take its streams. */
  public String run() {
    return run;
  }

  private DatanodeProto node(int number) {
    DatanodeProto node = nodes.get(number);
    if (node == null) {
      throw new IllegalArgumentException("node " + number + " has no fragment");
    }
    return node;
  }

  /** Begins to abort the fragments that have not ended. */
  public CompletableFuture<Void> cancel() {
    return workers.cancel(
        answers.entrySet().stream()
            .filter(entry -> !entry.getValue().isDone())
            .map(entry -> node(entry.getKey()))
            .toList(),
        run);
  }

  /** Aborts the fragments that have not ended; waits a while for their workers to know. */
  public void cancel(long millis) {
    await(cancel(), millis);
  }

  /** Waits until all fragments have ended, or for a while; what they said is known already. */
  public void settle(long millis) {
    await(CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new)), millis);
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
   * The node that holds up another one: who is waited for by who is waited for, to the end.
   *
   * @param first whom the asker waits for
   * @param millis how long workers may take to answer; who takes longer holds all others up
   */
  public int straggler(int first, long millis) throws IOException {
    Map<String, Worker> answered = workers.ping(nodes.values(), run, millis).reached();
    int node = first;
    for (int hops = 0; hops < nodes.size(); hops++) {
      Worker worker = answered.get(node(node).getUuid());
      if (worker == null || !worker.answer().hasWaitsFor()) {
        break;
      }
      node = worker.answer().getWaitsFor();
    }
    return node;
  }

  /** All nodes with fragments. */
  public Collection<DatanodeProto> all() {
    return nodes.values();
  }

  /** What those fragments said that ended well, by node. */
  public Map<Integer, ExecuteResponseProto> responses() {
    Map<Integer, ExecuteResponseProto> said = new LinkedHashMap<>();
    answers.forEach(
        (node, answer) -> {
          if (answer.isDone() && !answer.isCompletedExceptionally()) {
            said.put(node, answer.join());
          }
        });
    return said;
  }
}
