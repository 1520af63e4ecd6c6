package org.braid.hdfs.coordinator;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.Stripes.BadReplicas;
import org.braid.hdfs.proto.BraidProtos.DemandProto;
import org.braid.hdfs.proto.BraidProtos.DemandsResponseProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.plan.RepairPlanner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds at once what readers wait for, beside whatever else the holder of the lease does. Blocks
 * that cannot be rebuilt are named to the NameNode, so that nobody waits for them in vain.
 */
final class DemandServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(DemandServer.class);
  private static final int POLL_MILLIS = 2000;
  private static final int PAUSE_MILLIS = 500;
  private static final int PARALLEL = 4;
  private static final int TRIES = 3;
  private static final long CLOSE_SECONDS = 120;

  /** How long nodes that are silent for a moment are waited for while a reader waits. */
  private static final long SILENT_NANOS = 5_000_000_000L;

  private final Session session;
  private final RepairPlanner planner;
  private final boolean yields;
  private final TrafficMeter traffic;
  private final Runnable doubt;
  private final BadReplicas bad = new BadReplicas();
  private final AtomicInteger rebuilt = new AtomicInteger();
  private final Set<String> stripesAtWork = new HashSet<>();
  private final Set<Long> refused = new TreeSet<>();
  private final ExecutorService repairs =
      Executors.newFixedThreadPool(PARALLEL, task -> daemon(task, "braid-demand"));
  private volatile boolean closed;
  private volatile boolean wanted;

  private DemandServer(
      Session session,
      RepairPlanner planner,
      TrafficMeter traffic,
      boolean yields,
      Runnable doubt) {
    this.doubt = doubt;
    this.session = session;
    this.planner = planner;
    this.traffic = traffic;
    this.yields = yields;
  }

  /** Serves for a holder of the lease that keeps it until its work is done. */
  static DemandServer keeping(Session session, RepairPlanner planner) {
    return start(new DemandServer(session, planner, new TrafficMeter(), false, () -> {}));
  }

  /**
   * Serves for a holder of the lease that gives way; see {@link #leaseWanted}.
   *
   * @param doubt called when the NameNode does not answer: the lease may be lost
   */
  static DemandServer yielding(
      Session session, RepairPlanner planner, TrafficMeter traffic, Runnable doubt) {
    return start(new DemandServer(session, planner, traffic, true, doubt));
  }

  private static DemandServer start(DemandServer server) {
    daemon(server::poll, "braid-demands").start();
    return server;
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Whether somebody waits for the lease. */
  boolean leaseWanted() {
    return wanted;
  }

  /** Blocks rebuilt so far because a reader waited. */
  int rebuilt() {
    return rebuilt.get();
  }

  private void poll() {
    long after = 0;
    while (!closed && !wanted) {
      List<Long> told = takeRefused();
      try {
        DemandsResponseProto answer =
            session.nameNode().demands(session.lease(), after, POLL_MILLIS, yields, told);
        List<Long> blocks = new ArrayList<>();
        for (DemandProto demand : answer.getDemandsList()) {
          after = Math.max(after, demand.getNumber());
          blocks.add(demand.getBlockId());
        }
        serve(blocks);
        wanted = yields && answer.hasWaiting();
      } catch (IOException | RuntimeException e) {
        if (!closed) {
          LOG.info("demands of readers cannot be asked for, again soon: {}", e.getMessage());
          refuse(told);
          doubt.run();
          pause();
        }
      }
    }
  }

  private void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed = true;
    }
  }

  private synchronized List<Long> takeRefused() {
    List<Long> taken = List.copyOf(refused);
    refused.clear();
    return taken;
  }

  private synchronized void refuse(List<Long> blocks) {
    refused.addAll(blocks);
  }

  private void serve(List<Long> blocks) throws IOException {
    if (blocks.isEmpty()) {
      return;
    }
    Set<Long> open = new TreeSet<>(blocks);
    for (StripeStatusProto status : session.nameNode().stripesOf(blocks)) {
      String id = status.getStripe().getId();
      List<Long> own = new ArrayList<>(Stripes.blockIds(status.getStripe()));
      own.retainAll(blocks);
      own.forEach(open::remove);
      synchronized (this) {
        if (!stripesAtWork.add(id)) {
          continue;
        }
      }
      try {
        repairs.execute(() -> rebuild(status, own));
      } catch (RejectedExecutionException e) {
        LOG.debug("a demand came as the work ended; the next coordinator serves it");
      }
    }
    refuse(List.copyOf(open)); // in no stripe any more
  }

  private void rebuild(StripeStatusProto status, List<Long> blocks) {
    StripeProto stripe = status.getStripe();
    try {
      for (int i = 1; !closed || i == 1; i++) {
        try {
          long silentUntil = System.nanoTime() + SILENT_NANOS;
          StripeRepair.Done done =
              new StripeRepair(session, planner, traffic, bad, silentUntil, new Stopwatch())
                  .repair(status, new SplittableRandom(stripe.getId().hashCode()));
          rebuilt.addAndGet(done.repaired().size());
          refuse(done.beyond().stream().map(p -> stripe.getMembers(p).getBlock().getId()).toList());
          LOG.info(
              "{} blocks of stripe {} rebuilt for a reader",
              done.repaired().size(),
              stripe.getId());
          return;
        } catch (IOException | IllegalArgumentException e) {
          LOG.warn("a reader waits for stripe {}: {}", stripe.getId(), e.getMessage());
          if (e instanceof RefusedException
              || e instanceof IllegalArgumentException
              || i == TRIES) {
            refuse(blocks);
            return;
          }
          pause();
        }
      }
    } finally {
      synchronized (this) {
        stripesAtWork.remove(stripe.getId());
      }
    }
  }

  /** Finishes the stripes that are being rebuilt; no new ones are begun. */
  @Override
  public void close() {
    closed = true;
    repairs.shutdown();
    try {
      if (!repairs.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("a repair for a reader does not end within {} s", CLOSE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
