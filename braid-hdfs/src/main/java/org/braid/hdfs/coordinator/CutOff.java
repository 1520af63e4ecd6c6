package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.time.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that a daemon has long reached no DataNode although the NameNode receives their
 * heartbeats. Such a daemon can repair nothing; a standby daemon on another host may. Thread-safe.
 */
final class CutOff {
  /**
   * Property: how long no DataNode may answer before the daemon leaves the lease to another one.
   */
  static final String AFTER_KEY = "braid.daemon.cut-off-after";

  private static final long AFTER_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(CutOff.class);

  /** Number of times that DataNodes are asked in that time. */
  private static final int LOOKS = 4;

  /** Asks DataNodes. */
  interface Nodes {
    /** Whether one of a few live DataNodes answers, or the NameNode knows none that is live. */
    boolean answer() throws IOException;
  }

  private final Nodes nodes;
  private final long afterMillis;
  private final Ticker ticker;

  /** Held while nodes are asked; other threads get the previous result meanwhile. */
  private final ReentrantLock asking = new ReentrantLock();

  private volatile long answeredAt;
  private volatile long lookedAt;

  /**
   * Starts as not cut off.
   *
   * @param afterMillis how long no DataNode answers before the daemon counts as cut off
   */
  CutOff(Nodes nodes, long afterMillis, Ticker ticker) {
    this.nodes = nodes;
    this.afterMillis = afterMillis;
    this.ticker = ticker;
    begin();
  }

  /** Creates one from a configuration, whose values were checked when it was connected. */
  static CutOff of(Configuration conf, Nodes nodes, Ticker ticker) {
    return new CutOff(
        nodes, conf.getTimeDuration(AFTER_KEY, AFTER_MILLIS, TimeUnit.MILLISECONDS), ticker);
  }

  /** How long a daemon that is cut off does not ask for the lease. */
  long awayMillis() {
    return afterMillis;
  }

  /** Forgets earlier results. */
  void begin() {
    answeredAt = ticker.millis();
    lookedAt = answeredAt;
  }

  /**
   * Whether the daemon is cut off; asks DataNodes from time to time. Never waits for another thread
   * that asks: a NameNode that does not answer can take minutes, and the caller may be about to
   * stop the daemon.
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

  /** Whether the daemon was cut off when DataNodes were last asked; asks none. */
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
