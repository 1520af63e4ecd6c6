package org.braid.hdfs.coordinator.repair;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairReport.Unrepairable;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.TrafficMeter;
import org.braid.hdfs.coordinator.throttle.Throttles;
import org.braid.hdfs.engine.FailureReason;
import org.braid.hdfs.proto.BraidProtos.DemandProto;
import org.braid.hdfs.proto.BraidProtos.DemandsRequestProto;
import org.braid.hdfs.proto.BraidProtos.DemandsResponseProto;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the lost blocks that readers wait for, at once and concurrently with all other work of
 * the holder of the lease. Reports blocks that cannot be rebuilt to the NameNode, so that no reader
 * waits for them in vain.
 */
public final class DemandServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(DemandServer.class);
  private static final int POLL_MILLIS = 2000;
  private static final int PAUSE_MILLIS = 500;
  private static final int PARALLEL = 4;
  private static final int TRIES = 3;

  /**
   * Time for repairs that are nearly done to end after a stop; they may wait for reports of
   * DataNodes.
   */
  private static final long GRACE_MILLIS = 12_000;

  private static final long CLOSE_SECONDS = 120;

  private final Session session;
  private final RepairRequest request;
  private final boolean yields;
  private final TrafficMeter traffic;
  private final Runnable doubt;
  private final BadReplicas bad = new BadReplicas();
  private final AtomicInteger rebuilt = new AtomicInteger();
  private final Set<String> stripesAtWork = new HashSet<>();
  private final Set<Long> refused = new TreeSet<>();
  private final ExecutorService repairs = DaemonThreads.fixed(PARALLEL, "braid-demand");

  /** Stripes whose repairs are hurried; only for the polling thread. */
  private final Map<String, Throttles.Hurry> hurries = new HashMap<>();

  /** The number of the last demand that it received; only for the polling thread. */
  private long served;

  private volatile boolean closed;

  /** Whether new demands are left to the next holder of the lease, which receives them. */
  private volatile boolean leaving;

  private volatile boolean wanted;

  /** Whether this coordinator leads; false until that is known. */
  private volatile boolean leads;

  private DemandServer(
      Session session, String shape, TrafficMeter traffic, boolean yields, Runnable doubt) {
    this.doubt = doubt;
    this.session = session;
    // One stripe a repair, so that as many run at once as there are threads.
    request = new RepairRequest("/", shape, 1, session.slice(), 0, Progress.SILENT);
    this.traffic = traffic;
    this.yields = yields;
  }

  /**
   * Starts serving for a holder that keeps the lease until its work is done.
   *
   * @param shape of the plans
   */
  public static DemandServer keeping(Session session, String shape) {
    return start(new DemandServer(session, shape, new TrafficMeter(), false, () -> {}));
  }

  /**
   * Starts serving for a holder that gives way to others; see {@link #leaseWanted}.
   *
   * @param shape of the plans
   * @param doubt called when the NameNode does not answer: the lease may be lost
   */
  public static DemandServer yielding(
      Session session, String shape, TrafficMeter traffic, Runnable doubt) {
    return start(new DemandServer(session, shape, traffic, true, doubt));
  }

  private static DemandServer start(DemandServer server) {
    DaemonThreads.of("braid-demands", server::poll).start();
    return server;
  }

  /** Whether another coordinator waits for the lease. */
  public boolean leaseWanted() {
    return wanted;
  }

  /**
   * Whether this coordinator rebuilds the lost blocks, and not a concurrent one that began earlier.
   */
  public boolean leads() {
    return leads;
  }

  /** Number of blocks rebuilt so far because readers waited. */
  public int rebuilt() {
    return rebuilt.get();
  }

  /** Whether a block that a reader waits for is being rebuilt. */
  public synchronized boolean isBusy() {
    return !stripesAtWork.isEmpty();
  }

  private void poll() {
    // It is to be known at once whether others work beside it.
    DemandsRequestProto.Builder question = DemandsRequestProto.newBuilder().setWaitMillis(0);
    try {
      while (!closed) {
        List<Long> told = takeRefused();
        Turn.take(() -> poll(question, told), e -> failed(told, e));
      }
    } finally {
      hurry(List.of());
    }
  }

  /**
   * Stops throttling the stripes that concurrent coordinators wait for; throttles all others again.
   */
  private void hurry(List<String> awaited) {
    hurries
        .entrySet()
        .removeIf(
            hurry -> {
              boolean over = !awaited.contains(hurry.getKey());
              if (over) {
                hurry.getValue().close();
              }
              return over;
            });
    awaited.forEach(stripe -> hurries.computeIfAbsent(stripe, session.throttles()::hurry));
  }

  private void poll(DemandsRequestProto.Builder question, List<Long> told) throws IOException {
    session.claims().tidy();
    question
        .setLease(session.lease())
        .setAfter(leaving ? Long.MAX_VALUE : served)
        .setYields(yields && !wanted)
        .setResigns(leaving)
        .clearRefused()
        .addAllRefused(told);
    DemandsResponseProto answer = session.nameNode().leases().demands(question.build());
    question
        .setWaitMillis(POLL_MILLIS)
        .setKnownLeads(answer.getLeads())
        .setKnownLeases(answer.getLeases())
        .clearKnownAwaited()
        .addAllKnownAwaited(answer.getAwaitedList());
    leads = answer.getLeads();
    session.throttles().share(answer.getLeases());
    hurry(answer.getAwaitedList());
    List<Long> blocks = new ArrayList<>();
    for (DemandProto demand : answer.getDemandsList()) {
      served = Math.max(served, demand.getNumber());
      blocks.add(demand.getBlockId());
    }
    serve(blocks);
    if (yields && answer.hasWaiting()) {
      wanted = true;
    }
  }

  private void failed(List<Long> told, Exception e) {
    // Nobody may be served here any more: the lease is given up, for whoever waits.
    if (yields && e.getCause() instanceof Error) {
      wanted = true;
    }
    if (!closed) {
      LOG.info("demands of readers cannot be asked for, again soon: {}", e.getMessage());
      refuse(told);
      doubt.run();
      pause();
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
    for (StripeStatus status : session.nameNode().stripesOf(blocks)) {
      String id = status.stripe().id();
      List<Long> own = new ArrayList<>(status.stripe().blockIds());
      own.retainAll(blocks);
      own.forEach(open::remove);
      synchronized (this) {
        if (!stripesAtWork.add(id)) {
          continue;
        }
      }
      boolean begun = false;
      try {
        repairs.execute(() -> rebuild(status, own));
        begun = true;
      } catch (RejectedExecutionException e) {
        LOG.debug("a demand came as the work ended; the next coordinator serves it");
      } finally {
        if (!begun) {
          ended(id);
        }
      }
    }
    refuse(List.copyOf(open)); // in no stripe any more
  }

  private void rebuild(StripeStatus status, List<Long> blocks) {
    Stripe stripe = status.stripe();
    // Whoever is at work on the stripe already is held back no longer.
    try (Throttles.Hurry unused = session.throttles().hurry(stripe.id())) {
      for (int i = 1; !closed || i == 1; i++) {
        try {
          told(
              stripe,
              blocks,
              new Repairer(
                      session,
                      request,
                      RepairScope.awaited(List.of(status), () -> false),
                      traffic,
                      bad)
                  .repair());
          return;
        } catch (IOException | RuntimeException | Error e) {
          LOG.warn("a reader waits for stripe {}: {}", stripe.id(), FailureReason.of(e));
          if (!(e instanceof IOException) || i == TRIES) {
            refuse(blocks);
            return;
          }
          pause();
        }
      }
    } finally {
      ended(stripe.id());
    }
  }

  private synchronized void ended(String stripe) {
    stripesAtWork.remove(stripe);
  }

  /** Refuses the demands for blocks that were not rebuilt or are not lost. */
  private void told(Stripe stripe, List<Long> blocks, RepairReport report) {
    int count = report.repaired().size();
    rebuilt.addAndGet(count);
    report.unrepairable().stream()
        .map(Unrepairable::reason)
        .distinct()
        .forEach(reason -> LOG.warn("a reader waits for stripe {}: {}", stripe.id(), reason));
    refuse(
        count == 0
            ? blocks
            : report.unrepairable().stream()
                .map(u -> stripe.member(u.block()).block().id())
                .toList());
    LOG.info("{} blocks of stripe {} rebuilt for a reader", count, stripe.id());
  }

  /** Breaks off repairs that do not end within some seconds; the next coordinator does them. */
  public void abort() {
    closed = true;
    repairs.shutdown();
    try {
      if (repairs.awaitTermination(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    repairs.shutdownNow();
  }

  /**
   * Finishes the running repairs and begins no new ones. New demands wait for the next coordinator,
   * which receives them.
   */
  @Override
  public void close() {
    leaving = true;
    repairs.shutdown();
    try {
      if (!repairs.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("a repair for a reader does not end within {} s", CLOSE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closed = true;
    }
  }
}
