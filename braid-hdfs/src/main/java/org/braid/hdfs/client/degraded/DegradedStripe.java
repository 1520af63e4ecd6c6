package org.braid.hdfs.client.degraded;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.code.ErasureCode;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.stripe.UnsupportedStripeException;

/**
 * A stripe for a reader that misses one of its blocks.
 *
 * @param status the stripe, with the NameNode's present knowledge of each member
 * @param lost position of the missing block, 0 to n-1
 */
record DegradedStripe(StripeStatus status, int lost) {
  /**
   * The stripe in an answer that holds the block in its present state.
   *
   * @throws IOException when this version of Braid cannot decode the stripe
   */
  static Optional<DegradedStripe> holding(ExtendedBlock block, List<StripeStatus> answer)
      throws IOException {
    // The length is compared too: an appended block is another one.
    BlockIdentity missed =
        new BlockIdentity(block.getBlockId(), block.getGenerationStamp(), block.getNumBytes());
    for (StripeStatus status : answer) {
      OptionalInt position = status.stripe().positionOf(missed);
      if (position.isPresent()) {
        requireSupported(status.stripe());
        return Optional.of(new DegradedStripe(status, position.getAsInt()));
      }
    }
    return Optional.empty();
  }

  private static void requireSupported(Stripe stripe) throws IOException {
    try {
      stripe.code();
    } catch (UnsupportedStripeException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The stripe's record. */
  Stripe stripe() {
    return status.stripe();
  }

  /** Its code. */
  ErasureCode code() {
    return status.stripe().code();
  }

  BlockIdentity block(int position) {
    return stripe().member(position).block();
  }

  ByteString token(int position) {
    return status.member(position).token();
  }

  /** UUIDs of the nodes with a live replica, the home first. */
  List<String> replicas(int position) {
    MemberStatus member = status.member(position);
    List<String> nodes = new ArrayList<>();
    String home = stripe().member(position).home();
    for (Replica replica : member.status().replicas()) {
      if (replica.isGood()) {
        nodes.add(replica.node().equals(home) ? 0 : nodes.size(), replica.node());
      }
    }
    return nodes;
  }

  /** UUIDs of all nodes that hold the stripe's blocks or are their homes. */
  Set<String> nodes() {
    Set<String> nodes = new LinkedHashSet<>();
    for (int i = 0; i < code().n(); i++) {
      if (!stripe().isVirtual(i)) {
        nodes.addAll(replicas(i));
        nodes.add(stripe().member(i).home());
      }
    }
    nodes.remove(""); // the home of a block of which none is named
    return nodes;
  }

  /** The nodes among {@code known}, by UUID, that hold the stripe's blocks or are their homes. */
  Map<String, Datanode> among(Map<String, Datanode> known) {
    Map<String, Datanode> nodes = new LinkedHashMap<>();
    for (String uuid : nodes()) {
      Datanode node = known.get(uuid);
      if (node != null) {
        nodes.put(uuid, node);
      }
    }
    return nodes;
  }

  /** The reason why a position has no replica to read. */
  String missing(int position) {
    if (status.member(position).gone()) {
      return "deleted or changed";
    }
    String home = stripe().member(position).home();
    return "no live replica, home " + (home.isEmpty() ? "unknown" : home);
  }
}
