package org.braid.hdfs.coordinator.repair;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.TrafficMeter;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Recurring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds lost blocks concurrently with other work of the holder of the lease, under the same
 * rules as an idle daemon: it gives silent nodes the same time to come back, and keeps to the
 * throttle. Leaves stripes without lost blocks alone. {@link UrgentRepairs} rebuilds stripes
 * without a spare block, which do not wait.
 */
public final class RepairsBeside implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RepairsBeside.class);
  private static final long LOOK_MILLIS = 10_000;
  private static final int PARALLEL = 4;

  private final Session session;
  private final RepairRequest request;
  private final TrafficMeter traffic;
  private final BooleanSupplier wanted;
  private final BadReplicas bad = new BadReplicas();
  private final AtomicInteger rebuilt = new AtomicInteger();
  private volatile boolean repairing;
  private final Recurring looks =
      new Recurring("braid-beside", "lost blocks", LOOK_MILLIS, this::step);

  private RepairsBeside(
      Session session, String shape, TrafficMeter traffic, BooleanSupplier wanted) {
    this.session = session;
    this.request =
        new RepairRequest(
            "/",
            shape,
            PARALLEL,
            session.slice(),
            0,
            (phase, done, total) -> repairing = done < total);
    this.traffic = traffic;
    this.wanted = wanted;
  }

  /**
   * Begins to look for lost blocks.
   *
   * @param shape of the plans
   * @param traffic measures what they move
   * @param wanted whether to rebuild blocks now
   */
  public static RepairsBeside start(
      Session session, String shape, TrafficMeter traffic, BooleanSupplier wanted) {
    RepairsBeside repairs = new RepairsBeside(session, shape, traffic, wanted);
    repairs.looks.start();
    return repairs;
  }

  /** Number of blocks rebuilt so far. */
  public int rebuilt() {
    return rebuilt.get();
  }

  /** Whether stripes are being repaired. */
  public boolean isRepairing() {
    return repairing;
  }

  private long step() throws IOException {
    try {
      return repair();
    } finally {
      repairing = false;
    }
  }

  private long repair() throws IOException {
    if (!wanted.getAsBoolean()) {
      return 0;
    }
    Lost lost = new Lost();
    RepairReport report = new Repairer(session, request, lost, traffic, bad).repair();
    int blocks = report.repaired().size();
    rebuilt.addAndGet(blocks);
    if (blocks > 0) {
      LOG.info("{} blocks rebuilt beside other work", blocks);
    }
    return lost.listing;
  }

  /** The stripes that lost blocks. */
  private final class Lost implements RepairScope {
    private long listing;

    @Override
    public void stripes(Page<StripeStatus> pages) throws IOException {
      session.nameNode().damagedStripes(pages);
    }

    @Override
    public void listed(long millis) {
      listing = millis;
    }

    @Override
    public boolean halted() {
      return looks.isClosed() || !wanted.getAsBoolean();
    }

    @Override
    public long delayMillis() {
      return RepairSettings.WATCH_DELAY_MILLIS;
    }

    @Override
    public boolean onlyLost() {
      return true;
    }
  }

  /** Begins nothing more. */
  public void finish() {
    looks.finish();
  }

  /** Breaks off repairs that do not end soon; the next holder of the lease does them. */
  public void abort() {
    looks.abort();
  }

  /** Begins no new repairs and finishes the running ones, unless they take long. */
  @Override
  public void close() {
    looks.close();
  }
}
