package org.braid.hdfs.rpc;

import org.braid.code.ErasureCode;
import org.braid.engine.CellLayout;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;

/** How the blocks of a stripe consist of sub-blocks. */
public final class StripeLayout {
  private StripeLayout() {}

  /**
   * The layout of a stripe's blocks.
   *
   * @param code the stripe's code
   * @throws IllegalArgumentException when the stripe's description lacks what it takes
   */
  public static CellLayout of(StripeProto stripe, ErasureCode code) {
    if (code.alpha() > 1 && stripe.getCell() < 1) {
      throw new IllegalArgumentException(
          "stripe "
              + stripe.getId()
              + " does not say how its blocks are cut into "
              + code.alpha()
              + " sub-blocks: its description is damaged");
    }
    return CellLayout.of(code.alpha(), stripe.getCell(), longest(stripe));
  }

  private static long longest(StripeProto stripe) {
    return stripe.getMembersList().stream()
        .filter(MemberProto::hasBlock)
        .mapToLong(member -> member.getBlock().getLength())
        .max()
        .orElse(0);
  }
}
