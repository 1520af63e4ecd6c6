package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketTimeoutException;
import org.apache.hadoop.ipc.RemoteException;
import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class BadReplicasTest {
  private final FakeTicker ticker = new FakeTicker();
  private final BadReplicas bad = new BadReplicas(ticker);

  @Test
  void onlyWhatAWorkerFindsIsBad() {
    assertFalse(bad.found(1, "a", new SocketTimeoutException("no answer")));
    assertFalse(bad.contains(1, "a"));
    assertTrue(bad.found(1, "a", new RemoteException(IOException.class.getName(), "no replica")));
    assertTrue(bad.contains(1, "a"));
    assertFalse(bad.contains(1, "b"));
    assertFalse(bad.contains(2, "a"));
    bad.remove(1, "a");
    assertFalse(bad.contains(1, "a"));
  }

  /** A daemon runs for weeks, and others mend what it found bad. */
  @Test
  void nothingIsBadForGood() {
    bad.add(1, "a");
    ticker.pass(BadReplicas.KNOWN_MILLIS - 1);
    bad.add(2, "a");
    assertTrue(bad.contains(1, "a"));
    ticker.pass(1);
    assertFalse(bad.contains(1, "a"));
    assertTrue(bad.contains(2, "a"));
    bad.add(1, "a");
    assertTrue(bad.contains(1, "a"), "found anew");
  }
}
