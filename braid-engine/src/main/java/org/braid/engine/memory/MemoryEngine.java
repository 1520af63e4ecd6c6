package org.braid.engine.memory;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.braid.engine.BufferPool;
import org.braid.engine.FragmentResult;
import org.braid.engine.FragmentRunner;
import org.braid.engine.PlanResult;
import org.braid.kernel.Kernel;
import org.braid.plan.Fragment;
import org.braid.plan.Plan;
import org.braid.thread.DaemonThreads;

/**
 * The reference engine: runs a plan in this process on blocks in memory, one thread for each
 * fragment. Its streams hold a few slices each, as on a cluster.
 */
public final class MemoryEngine {
  private final FragmentRunner runner;
  private final int queueSlices;

  /**
   * An engine.
   *
   * @param kernel multiplies and adds
   * @param sliceBytes bytes of a slice
   * @param queueSlices slices that a stream holds before its sender waits, 1 or more
   * @param pool provides the buffers
   */
  public MemoryEngine(Kernel kernel, int sliceBytes, int queueSlices, BufferPool pool) {
    if (queueSlices < 1) {
      throw new IllegalArgumentException("a stream holds at least 1 slice, not " + queueSlices);
    }
    runner = new FragmentRunner(kernel, sliceBytes, pool);
    this.queueSlices = queueSlices;
  }

  /**
   * Runs a plan.
   *
   * @param plan the plan
   * @param blocks the blocks that the nodes store
   * @param length bytes of each sub-block
   * @throws IOException when a fragment fails, with the first cause; all other fragments stop, and
   *     nothing is stored
   */
  public PlanResult run(Plan plan, BlockSource blocks, int length) throws IOException {
    MemoryCluster cluster = new MemoryCluster(plan, blocks, length, queueSlices);
    List<Fragment> fragments = plan.fragments();
    if (fragments.isEmpty()) {
      return cluster.result(Map.of());
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(fragments.size(), DaemonThreads.named("braid-memory-engine"));
    try {
      List<Future<FragmentResult>> futures = new ArrayList<>();
      for (Fragment fragment : fragments) {
        futures.add(threads.submit(() -> run(fragment, length, cluster)));
      }
      return cluster.result(outcomes(fragments, futures));
    } finally {
      threads.shutdownNow();
    }
  }

  private FragmentResult run(Fragment fragment, int length, MemoryCluster cluster)
      throws IOException {
    try {
      return runner.run(fragment, length, cluster.ports(fragment.node()));
    } catch (IOException | RuntimeException | Error e) {
      cluster.breakUp("the run failed at node " + fragment.node());
      throw e;
    }
  }

  /** Waits for all fragments. Throws the failure that is no consequence of another one. */
  private static Map<Integer, FragmentResult> outcomes(
      List<Fragment> fragments, List<Future<FragmentResult>> futures) throws IOException {
    Map<Integer, FragmentResult> outcomes = new HashMap<>();
    List<Throwable> causes = new ArrayList<>();
    List<Throwable> consequences = new ArrayList<>();
    for (int i = 0; i < futures.size(); i++) {
      try {
        outcomes.put(fragments.get(i).node(), futures.get(i).get());
      } catch (ExecutionException e) {
        Throwable failure = e.getCause() != null ? e.getCause() : e;
        boolean consequence = failure.getCause() instanceof MemoryStream.BrokenException;
        (consequence ? consequences : causes).add(failure);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while the plan ran");
      }
    }
    causes.addAll(consequences);
    if (causes.isEmpty()) {
      return outcomes;
    }
    IOException failure = new IOException(causes.get(0).getMessage(), causes.get(0));
    causes.stream().skip(1).forEach(failure::addSuppressed);
    throw failure;
  }
}
