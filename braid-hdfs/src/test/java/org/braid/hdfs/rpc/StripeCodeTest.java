package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.junit.jupiter.api.Test;

final class StripeCodeTest {
  private static StripeProto.Builder described(ErasureCode code) {
    StripeProto.Builder stripe = StripeProto.newBuilder();
    StripeCode.describe(stripe, code);
    return stripe.setVersion(1).setId("s").setPerRack(1).setVerified(true);
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    for (int copies = 1; copies <= 3; copies++) {
      ErasureCode code = StripeCode.of("lrc-10-2-2", copies);
      assertEquals(10 + 4 * copies, code.n());
      StripeProto stripe = StripeProto.parseFrom(described(code).build().toByteArray());
      assertEquals("lrc-10-2-2", stripe.getCode());
      assertEquals(code, StripeCode.of(stripe));
      assertEquals(Codes.digest(code), stripe.getDigest());
      assertEquals(code.name(), StripeCode.name(stripe));
    }
    assertSame(StripeCode.of("rs-6-3", 2), StripeCode.of("rs-6-3", 2));
  }

  /** Stripes of before say nothing of copies; whoever knows none finds another matrix. */
  @Test
  void aStripeWithoutCopiesIsDescribedAsEver() {
    StripeProto once = described(Codes.named("rs-6-3")).build();
    assertFalse(once.hasParityCopies());
    assertEquals(Codes.digest(Codes.named("rs-6-3")), once.getDigest());
    assertSame(Codes.named("rs-6-3"), StripeCode.of(once));
    assertNotEquals(once.getDigest(), described(StripeCode.of("rs-6-3", 2)).getDigest());
  }

  @Test
  void whatCannotBeIsRefused() {
    StripeProto.Builder stripe = described(Codes.named("rs-6-3"));
    for (int copies : new int[] {0, 4}) {
      assertEquals(
          copies + " copies of each parity, needed are 1 to 3",
          assertThrows(
                  IllegalArgumentException.class,
                  () -> StripeCode.of(stripe.setParityCopies(copies).build()))
              .getMessage());
    }
    assertEquals(
        "rs-200-55 with 2 copies of each parity has 310 blocks a stripe, at most 255 are possible",
        assertThrows(IllegalArgumentException.class, () -> StripeCode.of("rs-200-55", 2))
            .getMessage());
  }
}
