package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.time.Ticker;

/**
 * The first call on a NameNode. A NameNode that has just started answers calls before its plugins
 * do, and does not know Braid's protocol for a moment.
 */
final class FirstCall {
  /** How long a NameNode may take from its first answer to the start of its plugins. */
  static final long START_MILLIS = 15_000;

  private static final long AGAIN_MILLIS = 500;

  private FirstCall() {}

  /** A call on the NameNode. */
  interface Call {
    void make() throws IOException;
  }

  /**
   * Makes the call, again while the NameNode does not know the protocol and may be starting.
   *
   * @param unknown called once when the protocol is not known; throws when waiting does not help
   */
  static void make(Call call, Call unknown, Ticker ticker) throws IOException {
    long end = ticker.millis() + START_MILLIS;
    boolean asked = false;
    while (true) {
      try {
        call.make();
        return;
      } catch (IOException e) {
        if (!isUnknown(e) || ticker.millis() >= end) {
          throw e;
        }
        if (!asked) {
          unknown.make();
          asked = true;
        }
      }
      try {
        ticker.sleep(AGAIN_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while the NameNode was starting");
      }
    }
  }

  /** Whether the NameNode does not know Braid's protocol. */
  static boolean isUnknown(IOException e) {
    return Rpc.isUnknownProtocol(String.valueOf(e.getMessage()));
  }
}
