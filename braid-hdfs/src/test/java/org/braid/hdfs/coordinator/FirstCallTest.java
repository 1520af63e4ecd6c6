package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class FirstCallTest {
  private final FakeTicker ticker = new FakeTicker();
  private final AtomicInteger calls = new AtomicInteger();

  /** Why waiting is of no use. */
  private FirstCall.Call reason = () -> {};

  private void fail(int times, IOException failure) throws IOException {
    FirstCall.make(
        () -> {
          if (calls.incrementAndGet() <= times) {
            throw failure;
          }
        },
        reason,
        ticker);
  }

  @Test
  void aNameNodeWhosePluginsStartIsAskedAgain() throws IOException {
    fail(3, new IOException("Unknown protocol: org.braid.hdfs.rpc.BraidProtocol"));
    assertEquals(4, calls.get());
  }

  @Test
  void aNameNodeWithoutThePluginIsGivenUpAfterItsStart() {
    IOException failure = new IOException("Unknown protocol: org.braid.hdfs.rpc.BraidProtocol");
    long begun = ticker.millis();
    assertSame(failure, assertThrows(IOException.class, () -> fail(Integer.MAX_VALUE, failure)));
    assertEquals(FirstCall.START_MILLIS, ticker.millis() - begun);
  }

  @Test
  void otherFailuresAreToldAtOnce() {
    IOException failure = new IOException("Connection refused");
    assertSame(failure, assertThrows(IOException.class, () -> fail(1, failure)));
    assertEquals(1, calls.get());
  }

  @Test
  void whoNeverKnowsTheProtocolIsNotWaitedFor() {
    IOException failure = new IOException("Unknown protocol: org.braid.hdfs.rpc.BraidProtocol");
    IOException router = new IOException("it is a router");
    AtomicInteger asked = new AtomicInteger();
    reason =
        () -> {
          asked.incrementAndGet();
          throw router;
        };
    long begun = ticker.millis();
    assertSame(router, assertThrows(IOException.class, () -> fail(Integer.MAX_VALUE, failure)));
    assertEquals(0, ticker.millis() - begun);
    assertEquals(1, asked.get());
  }
}
