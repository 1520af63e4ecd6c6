package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.testing.Seeds;
import org.jspecify.annotations.Nullable;

/** Stops once, at the first time that a step is reached. */
final class Stopper implements Disturbance {
  /** What halts the coordinator: not an exception that anything handles. */
  static final class Halt extends Error {
    private static final long serialVersionUID = 1L;

    Halt(String message) {
      super(message);
    }
  }

  private static final Random RANDOM = Seeds.random(Stopper.class);

  private final EmbeddedCluster hdfs;
  private final FaultStep step;
  private final FaultCases.Stop stop;
  private final Breaking then;
  private final AtomicReference<@Nullable Thread> breaker = new AtomicReference<>();
  private volatile boolean fired;
  private volatile int stopped = -1;
  private volatile @Nullable Exception failure;

  Stopper(EmbeddedCluster hdfs, FaultStep step, FaultCases.Stop stop) {
    this(hdfs, step, stop, () -> {});
  }

  /**
   * The same with what is done, beside the work that goes on, once a worker has stopped.
   *
   * @param then is done for {@code WORKER} alone
   */
  Stopper(EmbeddedCluster hdfs, FaultStep step, FaultCases.Stop stop, Breaking then) {
    this.hdfs = hdfs;
    this.step = step;
    this.stop = stop;
    this.then = then;
  }

  @Override
  public boolean fired() {
    return fired;
  }

  @Override
  public void reached(FaultStep reached, String detail) throws IOException {
    synchronized (this) {
      if (reached != step || fired) {
        return;
      }
      fired = true;
    }
    switch (stop) {
      case EXCEPTION -> throw new IOException("injected at " + step + " (" + detail + ")");
      case COORDINATOR -> throw new Halt("the coordinator halts at " + step);
      case WORKER -> {
        int node = nodeOf(detail);
        stopped = node;
        inBackground(
            () -> {
              hdfs.stopNode(node);
              then.run();
            });
        throw new IOException("the worker halts at " + step + " (" + detail + ")");
      }
      case NAMENODE -> halt(hdfs::restartNameNode);
      case FAILOVER -> {
        boolean restarted = RANDOM.nextBoolean();
        System.out.printf("the first NameNode is restarted: %s%n", restarted);
        halt(restarted ? hdfs::failOver : hdfs::handOver);
      }
    }
  }

  /** The NameNode cannot wait for its own end. */
  private void halt(Breaking breaking) throws IOException {
    Thread halting = inBackground(breaking);
    if (step.name().startsWith("NAMENODE_")) {
      throw new IOException("the NameNode halts at " + step);
    }
    join(halting);
  }

  private int nodeOf(String detail) {
    for (int i = 0; i < hdfs.nodes(); i++) {
      if (detail.matches(".*\\b" + hdfs.nodeName(i) + "\\b.*") && hdfs.runs(i)) {
        return i;
      }
    }
    throw new IllegalStateException("no running node in: " + detail);
  }

  /** What is done in the background. */
  interface Breaking {
    void run() throws Exception;
  }

  private Thread inBackground(Breaking breaking) {
    Thread thread =
        new Thread(
            () -> {
              try {
                breaking.run();
              } catch (Exception e) {
                failure = e;
              }
            },
            "breaker");
    breaker.set(thread);
    thread.start();
    return thread;
  }

  private static void join(Thread thread) throws IOException {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Starts the DataNode again that was stopped. */
  void restart() throws IOException {
    hdfs.startNode(stopped);
    hdfs.awaitNodes();
  }

  @Override
  public void await() throws Exception {
    Thread thread = breaker.get();
    if (thread != null) {
      thread.join();
    }
    Exception failed = failure;
    if (failed != null) {
      throw failed;
    }
  }
}
