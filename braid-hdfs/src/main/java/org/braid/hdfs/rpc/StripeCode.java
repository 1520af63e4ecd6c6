package org.braid.hdfs.rpc;

import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.LastUsed;
import org.braid.code.derive.ParityCopies;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.placement.site.SiteRequest;

/** The code of a stripe: the one it names, with as many copies of parity as it says. */
public final class StripeCode {
  /** Codes with copies. */
  private static final LastUsed<String, ErasureCode> MADE = new LastUsed<>(8);

  private StripeCode() {}

  /**
   * The code of a stripe; one block of it for each member.
   *
   * @throws IllegalArgumentException when this version of Braid does not know it
   */
  public static ErasureCode of(StripeProto stripe) {
    return of(stripe.getCode(), copies(stripe));
  }

  /**
   * A code that stores each parity several times.
   *
   * @param name the name of the code
   * @param copies how often each parity is stored
   * @throws IllegalArgumentException when there is no such code, copies are not 1 to {@link
   *     SiteRequest#MAX_PARITY_COPIES}, or a stripe would have more than {@link
   *     ErasureCode#MAX_BLOCKS} blocks
   */
  public static ErasureCode of(String name, int copies) {
    ErasureCode code = Codes.named(name);
    if (copies < 1 || copies > SiteRequest.MAX_PARITY_COPIES) {
      throw new IllegalArgumentException(
          "%d copies of each parity, needed are 1 to %d"
              .formatted(copies, SiteRequest.MAX_PARITY_COPIES));
    }
    int blocks = code.k() + copies * code.m();
    if (blocks > ErasureCode.MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "%s with %d copies of each parity has %d blocks a stripe, at most %d are possible"
              .formatted(name, copies, blocks, ErasureCode.MAX_BLOCKS));
    }
    if (copies == 1) {
      return code;
    }
    return MADE.get(ParityCopies.name(name, copies), unused -> new ParityCopies(code, copies));
  }

  /** What the code of a stripe is called, whether or not it is known here. */
  public static String name(StripeProto stripe) {
    return ParityCopies.name(stripe.getCode(), copies(stripe));
  }

  /** Writes down a code. */
  public static void describe(StripeProto.Builder stripe, ErasureCode code) {
    stripe.setCode(ParityCopies.original(code).name()).setDigest(Codes.digest(code));
    if (ParityCopies.of(code) > 1) {
      stripe.setParityCopies(ParityCopies.of(code));
    }
  }

  private static int copies(StripeProto stripe) {
    return stripe.hasParityCopies() ? stripe.getParityCopies() : 1;
  }
}
