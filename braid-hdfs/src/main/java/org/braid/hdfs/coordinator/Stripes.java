package org.braid.hdfs.coordinator;

import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.engine.CellLayout;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.StripeCode;
import org.braid.hdfs.rpc.StripeLayout;
import org.braid.hdfs.rpc.StripePromise;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;

/** What a stripe's description and the NameNode's words on its members mean. */
final class Stripes {
  /** How the description of a stripe is written today. */
  static final int VERSION = 1;

  private Stripes() {}

  /**
   * The code of a stripe.
   *
   * @throws IllegalArgumentException when this version of Braid does not know it, or knows another
   *     matrix by its name
   */
  static ErasureCode code(StripeProto stripe) {
    if (stripe.getVersion() != VERSION) {
      throw new IllegalArgumentException(
          "stripe "
              + stripe.getId()
              + " is described in version "
              + stripe.getVersion()
              + ", this Braid knows "
              + VERSION
              + ": upgrade Braid");
    }
    ErasureCode code = StripeCode.of(stripe);
    if (!Codes.digest(code).equals(stripe.getDigest())) {
      throw new IllegalArgumentException(
          "stripe "
              + stripe.getId()
              + " was made with another matrix of the name "
              + StripeCode.name(stripe)
              + " (digest "
              + stripe.getDigest()
              + ", this Braid has "
              + Codes.digest(code)
              + ")");
    }
    return code;
  }

  /** How the stripe's blocks consist of sub-blocks, zeros behind short ones included. */
  static CellLayout layout(StripeProto stripe) {
    return StripeLayout.of(stripe, code(stripe));
  }

  /** Bytes of the stripe's longest blocks, its parity. */
  static long length(StripeProto stripe) {
    return layout(stripe).blockLength();
  }

  /** Whether a position holds no block but zeros. */
  static boolean isVirtual(StripeProto stripe, int position) {
    return !stripe.getMembers(position).hasBlock();
  }

  /** The rule by which the stripe was placed, on the racks as they are now. */
  static StripeRule rule(StripeProto stripe, ClusterState state) {
    return rule(stripe, state.topology());
  }

  /** The same on other racks. */
  static StripeRule rule(StripeProto stripe, Topology topology) {
    return StripePromise.of(stripe, topology);
  }

  /** The position of a block in a stripe. */
  static OptionalInt positionOf(StripeProto stripe, BlockProto block) {
    for (int i = 0; i < stripe.getMembersCount(); i++) {
      if (stripe.getMembers(i).hasBlock() && stripe.getMembers(i).getBlock().equals(block)) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /** How many blocks of a stripe there are, and how many are needed at least. */
  static String supply(ErasureCode code, int available) {
    return "%d of the %d blocks of its stripe can be had, %d are needed%s"
        .formatted(
            available,
            code.n(),
            code.k(),
            available < code.k() ? "" : " that together determine the data");
  }

  /** Replicas that a worker found to be bad. */
  static final class BadReplicas {
    private final Set<List<Long>> known = new HashSet<>();

    synchronized void add(long blockId, int node) {
      known.add(List.of(blockId, (long) node));
    }

    synchronized boolean contains(long blockId, int node) {
      return known.contains(List.of(blockId, (long) node));
    }
  }

  /** As much of a stripe's id as a picture has room for. */
  static String shortId(StripeProto stripe) {
    return stripe.getId().substring(0, 8);
  }

  /** A block's name as HDFS prints it. */
  static String name(BlockProto block) {
    return "blk_" + block.getId();
  }

  /** The blocks by which a stripe is found. */
  static List<Long> blockIds(StripeProto stripe) {
    return stripe.getMembersList().stream()
        .filter(m -> m.hasBlock())
        .map(m -> m.getBlock().getId())
        .toList();
  }
}
