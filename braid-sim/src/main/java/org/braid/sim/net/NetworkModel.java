package org.braid.sim.net;

/** A rule by which transfers share links. */
public interface NetworkModel {
  /**
   * Moves bytes over links.
   *
   * @param links from sender to receiver; without links the bytes arrive at once
   * @param bytes 0 or more
   * @param done runs, as an event of its own, when the last byte has passed
   */
  void transfer(int[] links, long bytes, Runnable done);

  /** Told what a model does, at the simulation's time. */
  interface Observer {
    /** A transfer was requested; it has no rate yet. */
    void began(long transfer, int[] links, long bytes);

    /** A transfer has a new rate on all of its links. */
    void rate(long transfer, double bytesPerSecond);

    /** The last byte of a transfer has passed. */
    void ended(long transfer);
  }
}
