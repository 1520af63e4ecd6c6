package org.braid.hdfs.coordinator.throttle;

import java.io.IOException;
import java.util.Optional;
import org.braid.hdfs.time.Ticker;
import org.braid.plan.throttle.Throttle;
import org.braid.thread.DaemonThreads;

/** Reads the throttle again when the last reading is old. Thread-safe. */
final class ThrottleReading {
  /** How long a reading is valid. */
  static final long GOOD_MILLIS = 1000;

  /** Takes readings. */
  interface Reader {
    /**
     * Takes a reading.
     *
     * @param now empty when it could not be read
     * @param problem why not
     */
    void read(Optional<Throttle> now, String problem);
  }

  private final Throttles.Source source;
  private final Reader reader;
  private final Ticker ticker;
  private long readAt = Long.MIN_VALUE / 2;
  private boolean reading;

  ThrottleReading(Throttles.Source source, Reader reader, Ticker ticker) {
    this.source = source;
    this.reader = reader;
    this.ticker = ticker;
  }

  private boolean isOld() {
    return ticker.millis() - readAt >= GOOD_MILLIS;
  }

  /** Reads in this thread when it is due. */
  void now() {
    synchronized (this) {
      if (!isOld()) {
        return;
      }
    }
    read();
  }

  /** Reads on its own thread when it is due, so that the caller never waits for a NameNode. */
  synchronized void soon() {
    if (!reading && isOld()) {
      DaemonThreads.of("braid-throttle-read", this::readAside).start();
      reading = true; // which it sees when it ends: this monitor is held
    }
  }

  private void readAside() {
    try {
      read();
    } finally {
      synchronized (this) {
        reading = false;
      }
    }
  }

  private void read() {
    Optional<Throttle> now = Optional.empty();
    String problem = "";
    try {
      now = Optional.of(source.read());
    } catch (IOException | RuntimeException e) {
      problem = String.valueOf(e.getMessage());
    }
    synchronized (this) {
      readAt = ticker.millis();
    }
    reader.read(now, problem);
  }
}
