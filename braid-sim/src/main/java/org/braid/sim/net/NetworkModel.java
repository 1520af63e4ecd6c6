package org.braid.sim.net;

/** How transfers share links. */
public interface NetworkModel {
  /**
   * Moves bytes over links.
   *
   * @param links in the order of the way; over none the bytes are there at once
   * @param bytes 0 or more
   * @param done told, as an event of its own, when the last byte has passed
   */
  void transfer(int[] links, long bytes, Runnable done);

  /** Is told what a model does, to check it. Times are those of the simulation. */
  interface Observer {
    /** Observes nothing. */
    Observer NONE =
        new Observer() {
          @Override
          public void began(long transfer, int[] links, long bytes) {}

          @Override
          public void rate(long transfer, double bytesPerSecond) {}

          @Override
          public void ended(long transfer) {}
        };

    /** A transfer was asked for; it has no rate yet. */
    void began(long transfer, int[] links, long bytes);

    /** From now on a transfer has this rate on all of its links. */
    void rate(long transfer, double bytesPerSecond);

    /** The last byte of a transfer has passed. */
    void ended(long transfer);
  }
}
