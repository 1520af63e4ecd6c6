package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class ClaimsTest {
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> numbers = Collections.synchronizedList(new ArrayList<>());
  private int busy;
  private boolean unreachable;

  private final Claims claims =
      new Claims(
          new Claims.Shared() {
            @Override
            public Optional<String> claim(String stripe, long number) throws IOException {
              calls.add("claim " + stripe);
              numbers.add(number);
              if (unreachable) {
                throw new IOException("no NameNode");
              }
              return busy-- > 0 ? Optional.of("another") : Optional.empty();
            }

            @Override
            public void unclaim(String stripe, long number) throws IOException {
              calls.add("unclaim " + stripe);
              numbers.add(number);
              assertFalse(Thread.currentThread().isInterrupted());
              if (unreachable) {
                throw new IOException("no NameNode");
              }
            }
          },
          new FakeTicker(() -> {}));

  @Test
  void aStripeIsWaitedForNoLongerThanWanted() throws Exception {
    busy = 1000;
    assertEquals(Optional.empty(), claims.take("s", 1000));
    assertEquals("unclaim s", calls.get(calls.size() - 1), "it may be granted all the same");
    busy = 2;
    try (Claims.Claim unused = claims.take("s", 1000).orElseThrow()) {
      assertEquals(Optional.empty(), claims.take("s", 1000), "another thread has it");
    }
    busy = 0;
    claims.take("s", 0).orElseThrow().close();
  }

  @Test
  void aStripeOfAnotherCoordinatorIsWaitedFor() throws Exception {
    busy = 2;
    try (Claims.Claim unused = claims.take("s")) {
      // That is not the time of what is done with it.
      assertEquals(400, claims.waitedMillis("s"));
    }
    assertEquals(0, claims.waitedMillis("s"));
    assertEquals(List.of("claim s", "claim s", "claim s", "unclaim s"), calls);
  }

  @Test
  void oneThreadAtATimeHasAStripe() throws Exception {
    Claims.Claim first = claims.take("s");
    claims.take("t").close();
    CompletableFuture<Void> second =
        CompletableFuture.runAsync(
            () -> {
              try {
                claims.take("s").close();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    assertThrows(
        java.util.concurrent.TimeoutException.class, () -> second.get(50, TimeUnit.MILLISECONDS));
    first.close();
    second.get(10, TimeUnit.SECONDS);
  }

  /** Else no thread of this process would get it any more. */
  @Test
  void aClaimThatFailsLeavesNothingTaken() throws Exception {
    unreachable = true;
    assertThrows(IOException.class, () -> claims.take("s"));
    unreachable = false;
    Claims.Claim claim = claims.take("s");
    claims.tidy(); // it is taken
    unreachable = true;
    claim.close();
    calls.clear();
    claims.tidy();
    unreachable = false;
    claims.tidy();
    claims.tidy();
    assertEquals(List.of("unclaim s", "unclaim s"), calls);
    claims.take("s").close();
  }

  /** Hadoop does not send what a thread asks that is interrupted. */
  @Test
  void whatIsInterruptedGivesItsClaimBack() throws Exception {
    Claims.Claim claim = claims.take("s");
    Thread.currentThread().interrupt();
    claim.close();
    assertTrue(Thread.interrupted());
    assertEquals(List.of("claim s", "unclaim s"), calls);
  }

  /** What gives a claim back may be heard when the stripe is claimed again. */
  @Test
  void aClaimIsGivenBackByItsNumber() throws Exception {
    busy = 1;
    claims.take("s").close();
    assertEquals(List.of("claim s", "claim s", "unclaim s"), calls);
    assertEquals(1, Set.copyOf(numbers).size(), "all about one claim: " + numbers);
    long first = numbers.get(0);
    numbers.clear();
    Claims.Claim claim = claims.take("s");
    unreachable = true;
    claim.close();
    unreachable = false;
    claims.tidy();
    assertEquals(3, numbers.size());
    assertEquals(1, Set.copyOf(numbers).size(), "all about another one: " + numbers);
    assertTrue(numbers.get(0) > first, numbers.get(0) + " after " + first);
  }
}
