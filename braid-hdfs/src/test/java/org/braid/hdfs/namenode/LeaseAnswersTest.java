package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.braid.hdfs.namenode.lease.LeaseScope;
import org.braid.hdfs.namenode.lease.Leases;
import org.braid.hdfs.proto.BraidProtos.ClaimRequestProto;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims as coordinators ask for them, and give them back. */
final class LeaseAnswersTest {
  private static final String STRIPE = "%032x".formatted(7);

  private final AtomicLong now = new AtomicLong(1_000_000);
  private final Leases leases = new Leases(now::get, () -> 0);
  private String first = "";
  private String second = "";

  @BeforeEach
  void acquire() {
    first = lease("convert", "/logs");
    second = lease("restore", "/tables");
  }

  private String lease(String holder, String path) {
    return String.valueOf(leases.acquire(holder, false, 0, LeaseScope.of(List.of(path))).lease());
  }

  /** Of a coordinator of an earlier release. */
  private static ClaimRequestProto.Builder request(String lease) {
    return ClaimRequestProto.newBuilder().setLease(lease).setStripeId(STRIPE);
  }

  private String answer(ClaimRequestProto.Builder request) throws IOException {
    return LeaseAnswers.claim(leases, request.build()).getHolder();
  }

  private void claim(long number) throws IOException {
    assertEquals("", answer(request(first).setNumber(number)));
  }

  private void release(long number) throws IOException {
    answer(request(first).setRelease(true).setNumber(number));
  }

  /** Whoever asks next would work on the stripe beside the one that has it. */
  @Test
  void aReleaseThatIsHeardLateFreesNoLaterClaim() throws Exception {
    claim(1);
    claim(2); // the release of the one before is under way still
    release(1);
    assertEquals("convert", answer(request(second).setNumber(1)));
    release(2);
    assertFalse(leases.isClaimed(STRIPE));
  }

  /** A claim is repeated where its answer is lost. */
  @Test
  void aClaimThatIsHeardLateTakesNotThePlaceOfALaterOne() throws Exception {
    claim(2);
    claim(1);
    release(1);
    assertTrue(leases.isClaimed(STRIPE));
    release(2);
    assertFalse(leases.isClaimed(STRIPE));
  }

  @Test
  void theNumberStaysWhileOthersWait() throws Exception {
    claim(2);
    assertEquals("convert", answer(request(second).setNumber(1)));
    assertEquals(Set.of(STRIPE), leases.awaited(first));
    release(1);
    assertTrue(leases.isClaimed(STRIPE));
    release(2);
    assertFalse(leases.isClaimed(STRIPE));
  }

  /** The claim that it gives back may never have been heard. */
  @Test
  void aReleaseFreesClaimsBeforeIt() throws Exception {
    claim(1);
    release(2);
    assertFalse(leases.isClaimed(STRIPE));
  }

  @Test
  void coordinatorsOfEarlierReleasesNumberNoClaims() throws Exception {
    assertEquals("", answer(request(first)));
    assertEquals("convert", answer(request(second)));
    answer(request(first).setRelease(true));
    assertFalse(leases.isClaimed(STRIPE));
    assertEquals("", answer(request(second)));
    claimsOfOthersStay();
  }

  private void claimsOfOthersStay() throws IOException {
    answer(request(first).setRelease(true));
    assertTrue(leases.isClaimed(STRIPE));
  }
}
