package org.braid.hdfs.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.security.token.Token;
import org.braid.code.SubBlock;
import org.braid.engine.BufferPool;
import org.braid.engine.FragmentRunner;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.kernel.Kernel;
import org.braid.kernel.Kernels;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;

final class HdfsRunTest {
  private static final int LENGTH = 100;

  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private final BufferPool pool = new BufferPool(LENGTH);

  /** A run that copies a block from node 0 to this process. */
  private HdfsRun copy(Workers workers) {
    return prepare(
        workers,
        RelocationPlanner.move(0, 1, 0, 1),
        new FragmentRunner(Kernels.active(), LENGTH, pool));
  }

  /** A run of a plan of node 0 and this process, which is node 1. */
  private static HdfsRun prepare(Workers workers, Plan plan, FragmentRunner runner) {
    LocalNode here =
        new LocalNode(
            1,
            "",
            runner,
            (worker, run, stream, length, token) -> {
              throw new AssertionError("a stream is opened");
            },
            position -> new Token<>(),
            target -> {
              throw new AssertionError("something is stored");
            },
            (from, to, bytes) -> {});
    HdfsJob job =
        new HdfsJob(
            plan,
            new FakeCluster(2, 1).look(),
            CellLayout.whole(LENGTH),
            LENGTH,
            LENGTH,
            source -> new ReadSource(new BlockIdentity(1, 1, LENGTH), 0),
            stored -> StoreTarget.parity("/p"),
            Optional.of(here));
    return new HdfsEngine(workers).prepare(job);
  }

  /** A worker whose fragments last until they are cancelled. */
  private BraidWorkerPB stub() {
    return (BraidWorkerPB)
        Proxy.newProxyInstance(
            HdfsRunTest.class.getClassLoader(),
            new Class<?>[] {BraidWorkerPB.class, Closeable.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("close")) {
                calls.incrementAndGet();
              }
              if (method.getName().equals("execute")) {
                cancelled.await();
              } else if (method.getName().equals("cancel")) {
                cancelled.countDown();
              }
              return null;
            });
  }

  /** Memory never becomes free here. */
  @Test
  void aRunThatIsCancelledWhileItWaitsForMemoryEndsAndBeginsNothing() throws Exception {
    try (Workers workers = new Workers(node -> stub(), 1000);
        BufferPool.Lease unused = pool.lease(1, LENGTH)) {
      HdfsRun run = copy(workers);
      FutureTask<HdfsResult> ends = new FutureTask<>(run::run);
      Thread thread = new Thread(ends, "run");
      thread.start();
      Await.until(
          "the run to wait",
          () -> thread.getState() == Thread.State.TIMED_WAITING || ends.isDone());
      run.cancel();
      ExecutionException e = assertThrows(ExecutionException.class, ends::get);
      assertTrue(e.getCause() instanceof PlanFailedException, e.toString());
      assertEquals("another plan was faster", e.getCause().getMessage());
      assertEquals(0, calls.get(), "calls of workers");
      assertTrue(run.awaitEnds(0));
    }
  }

  /** The process may have too little memory, for example. */
  @Test
  void anErrorInThisProcessEndsTheFragmentsOfWorkers() {
    try (Workers workers = new Workers(node -> stub(), 1000)) {
      HdfsRun run = copy(workers);
      AssertionError e = assertThrows(AssertionError.class, run::run);
      assertEquals("a stream is opened", e.getMessage());
      Await.until("the worker to be told", () -> cancelled.getCount() == 0);
    } finally {
      cancelled.countDown();
    }
  }

  /** To load a kernel may take longer than a helper may take for a slice. */
  @Test
  void aKernelThatIsNeededHereIsLoadedBeforeWorkersBegin() {
    Kernel kernel =
        (Kernel)
            Proxy.newProxyInstance(
                HdfsRunTest.class.getClassLoader(),
                new Class<?>[] {Kernel.class},
                (proxy, method, arguments) -> {
                  throw new IllegalStateException("the kernel is asked for");
                });
    SubBlock block = new SubBlock(0, 0);
    Plan.Builder product = Plan.builder("star");
    int received = product.send(product.read(0, block), 1);
    product.store(product.combine(1, List.of(new Step.Input(received, 2))), block);
    try (Workers workers = new Workers(node -> stub(), 1000)) {
      HdfsRun run =
          prepare(
              workers,
              product.build(),
              new FragmentRunner(kernel, LENGTH, new BufferPool(10 * LENGTH)));
      IllegalStateException e = assertThrows(IllegalStateException.class, run::run);
      assertEquals("the kernel is asked for", e.getMessage());
      assertEquals(0, calls.get(), "calls of workers");
    }
  }
}
