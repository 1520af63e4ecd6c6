package org.braid.hdfs.coordinator.scrub;

import java.io.Closeable;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.braid.hdfs.coordinator.session.NameNodeCalls.StripePage;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.Waiting;
import org.braid.hdfs.rpc.ScrubRecord;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Scrubs all stripes on its own thread while the lease is held. */
public final class BackgroundScrub implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundScrub.class);

  /** Pause after a failure. */
  private static final long AGAIN_MILLIS = 10_000;

  private static final long CLOSE_MILLIS = 5000;

  private final Session session;
  private final ScrubSettings settings;
  private final BooleanSupplier others;
  private final ScrubRounds rounds;
  private final Thread thread = DaemonThreads.of("braid-scrub", this::run);
  private volatile boolean closed;

  /** Milliseconds before the next step, and the failure of the last one; only for its thread. */
  private long wait;

  private String failure = "";

  private BackgroundScrub(
      Session session,
      ScrubStore store,
      ScrubSettings settings,
      BooleanSupplier others,
      Consumer<String> journal,
      InstantSource clock) {
    this.session = session;
    this.settings = settings;
    this.others = others;
    rounds =
        new ScrubRounds(
            new OnCluster(store), new ScrubSchedule(settings.spanMillis()), clock, journal);
  }

  /**
   * Starts scrubbing.
   *
   * @param others whether other work comes first now
   * @param journal gets a line for each round and each finding
   */
  public static BackgroundScrub start(
      Session session,
      ScrubStore store,
      ScrubSettings settings,
      BooleanSupplier others,
      Consumer<String> journal,
      InstantSource clock) {
    BackgroundScrub scrub = new BackgroundScrub(session, store, settings, others, journal, clock);
    if (settings.enabled()) {
      scrub.thread.start();
    }
    return scrub;
  }

  private void run() {
    while (!closed) {
      Turn.take(this::turn, this::failed);
      try {
        Waiting.pause(Math.max(1, wait));
      } catch (IOException e) {
        break;
      }
    }
    Thread.interrupted(); // what follows is not broken off
    Turn.take(
        rounds::handOver,
        e -> LOG.info("how far the scrub is was not recorded: {}", e.getMessage()));
  }

  private void turn() throws IOException {
    wait = others.getAsBoolean() ? 1000 : rounds.step();
    failure = "";
  }

  private void failed(Exception e) {
    wait = AGAIN_MILLIS;
    String reason = String.valueOf(e.getMessage());
    if (!closed && !reason.equals(failure)) {
      LOG.warn("stripes cannot be scrubbed, again later: {}", reason);
      failure = reason;
    }
  }

  /** The cluster that rounds read. */
  private final class OnCluster implements ScrubRounds.Port {
    private final ScrubStore store;
    private final SecureRandom seeds = new SecureRandom();

    OnCluster(ScrubStore store) {
      this.store = store;
    }

    @Override
    public ScrubRecord load() throws IOException {
      return store.load();
    }

    @Override
    public ScrubRecord save(ScrubRecord record) throws IOException {
      return store.save(record);
    }

    @Override
    public StripePage after(String stripe, int most) throws IOException {
      return session.nameNode().stripesAfter(stripe, most);
    }

    @Override
    public ScrubRounds.Done read(List<StripeStatus> stripes) throws IOException {
      ScrubTally tally = new ScrubTally();
      ScrubGate gate = new ReadersFirst(others::getAsBoolean, () -> closed, 0, Ticker.SYSTEM);
      ReplicaCalls calls = ReplicaCalls.of(session.nameNode(), session.workers(), settings.rate());
      int done =
          new ScrubBatch(
                  new ReplicaCheck(calls, gate, tally, Ticker.SYSTEM), tally, seeds::nextLong)
              .read(stripes, session.cluster().patiently(session.cluster().recent()));
      return new ScrubRounds.Done(
          done,
          tally.blocks(),
          tally.bytes(),
          tally.parity(),
          tally.findings(),
          tally.unchecked(),
          tally.lost());
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
