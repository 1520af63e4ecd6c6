package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.time.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a daemon reaches no DataNode for long, while the NameNode hears them: it can repair
 * nothing, and one that stands by elsewhere may. Thread-safe.
 */
final class CutOff {
  /** Property: for how long no DataNode may answer before another daemon is to try. */
  static final String AFTER_KEY = "braid.daemon.cut-off-after";

  private static final long AFTER_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(CutOff.class);

  /** DataNodes are asked so often in that time. */
  private static final int LOOKS = 4;

  /** Asks DataNodes. */
  interface Nodes {
    /** Whether one of some that the NameNode hears answers, or it hears none. */
    boolean answer() throws IOException;
  }

  private final Nodes nodes;
  private final long afterMillis;
  private final Ticker ticker;

  /** Held while nodes are asked: whoever comes meanwhile is told what was known before. */
  private final ReentrantLock asking = new ReentrantLock();

  private volatile long answeredAt;
  private volatile long lookedAt;

  /**
   * Not cut off yet.
   *
   * @param afterMillis for how long nobody answers until it counts as cut off
   */
  CutOff(Nodes nodes, long afterMillis, Ticker ticker) {
    this.nodes = nodes;
    this.afterMillis = afterMillis;
    this.ticker = ticker;
    begin();
  }

  /** The same, as configured; a connection has no value that cannot be. */
  static CutOff of(Configuration conf, Nodes nodes, Ticker ticker) {
    return new CutOff(
        nodes, conf.getTimeDuration(AFTER_KEY, AFTER_MILLIS, TimeUnit.MILLISECONDS), ticker);
  }

  /** For how long it stays away from the lease then. */
  long awayMillis() {
    return afterMillis;
  }

  /** Forgets what was. */
  void begin() {
    answeredAt = ticker.millis();
    lookedAt = answeredAt;
  }

  /**
   * Whether it is cut off; asks now and then. To ask a NameNode that is away may take minutes: one
   * of those who come meanwhile may be about to end the daemon.
   */
  boolean is() {
    if (!asking.tryLock()) {
      return was();
    }
    try {
      if (ticker.millis() - lookedAt >= afterMillis / LOOKS) {
        ask();
      }
      return was();
    } finally {
      asking.unlock();
    }
  }

  /** Whether it was cut off when nodes were asked last; asks nobody. */
  boolean was() {
    return lookedAt - answeredAt >= afterMillis;
  }

  private void ask() {
    try {
      if (nodes.answer()) {
        answeredAt = ticker.millis();
      }
    } catch (IOException e) {
      // The NameNode does not answer, either: the lease tells what that means.
      LOG.info("DataNodes cannot be asked: {}", e.getMessage());
      answeredAt = ticker.millis();
    }
    lookedAt = ticker.millis();
  }
}
