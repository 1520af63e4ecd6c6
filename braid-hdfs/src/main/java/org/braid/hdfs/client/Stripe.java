package org.braid.hdfs.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.engine.CellLayout;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.MemberStatusProto;
import org.braid.hdfs.proto.BraidProtos.ReplicaProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.rpc.StripeCode;
import org.braid.hdfs.rpc.StripeLayout;

/**
 * A stripe as a reader sees it who misses one of its blocks.
 *
 * @param proto what is recorded
 * @param status what the NameNode knows of each member now
 * @param code its code, whose matrix is the one recorded
 * @param lost position of the missed block, 0..n-1
 */
record Stripe(StripeProto proto, StripeStatusProto status, ErasureCode code, int lost) {
  private static final ConcurrentHashMap<String, String> DIGESTS = new ConcurrentHashMap<>();

  /**
   * The stripe of an answer that holds a block, or nothing.
   *
   * @throws IOException when its code is unknown or means another matrix here
   */
  static List<Stripe> holding(ExtendedBlock block, List<StripeStatusProto> answer)
      throws IOException {
    List<Stripe> found = new ArrayList<>();
    for (StripeStatusProto status : answer) {
      StripeProto proto = status.getStripe();
      for (int i = 0; i < proto.getMembersCount(); i++) {
        MemberProto member = proto.getMembers(i);
        // The length is compared too: an appended block is another one.
        if (member.hasBlock()
            && member.getBlock().getId() == block.getBlockId()
            && member.getBlock().getGeneration() == block.getGenerationStamp()
            && member.getBlock().getLength() == block.getNumBytes()) {
          found.add(new Stripe(proto, status, code(proto), i));
        }
      }
    }
    return found;
  }

  private static ErasureCode code(StripeProto proto) throws IOException {
    ErasureCode code;
    try {
      code = StripeCode.of(proto);
    } catch (IllegalArgumentException e) {
      throw new IOException("stripe " + proto.getId() + ": " + e.getMessage(), e);
    }
    String digest = DIGESTS.computeIfAbsent(code.name(), name -> Codes.digest(code));
    if (!digest.equals(proto.getDigest())) {
      throw new IOException(
          "stripe "
              + proto.getId()
              + " was encoded with a matrix of digest "
              + proto.getDigest()
              + ", "
              + code.name()
              + " has "
              + digest
              + " here: use the release that wrote it");
    }
    if (proto.getMembersCount() != code.n()) {
      throw new IOException(
          "stripe "
              + proto.getId()
              + " has "
              + proto.getMembersCount()
              + " members, "
              + code.name()
              + " has "
              + code.n());
    }
    return code;
  }

  /** How its blocks consist of sub-blocks. */
  CellLayout layout() throws IOException {
    try {
      return StripeLayout.of(proto, code);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Whether a position is a block of zeros that is stored nowhere. */
  boolean virtual(int position) {
    return !proto.getMembers(position).hasBlock();
  }

  BlockProto block(int position) {
    return proto.getMembers(position).getBlock();
  }

  ByteString token(int position) {
    return member(position).getToken();
  }

  /** UUIDs of the nodes with a live replica, the home first. */
  List<String> replicas(int position) {
    MemberStatusProto member = member(position);
    List<String> nodes = new ArrayList<>();
    if (member.getGone()) {
      return nodes;
    }
    String home = proto.getMembers(position).getHome();
    for (ReplicaProto replica : member.getStatus().getReplicasList()) {
      if (replica.getLive() && !replica.getCorrupt()) {
        nodes.add(replica.getNode().equals(home) ? 0 : nodes.size(), replica.getNode());
      }
    }
    return nodes;
  }

  /** Why a position has no replica to ask for. */
  String missing(int position) {
    if (member(position).getGone()) {
      return "deleted or changed";
    }
    String home = proto.getMembers(position).getHome();
    return "no live replica, home " + (home.isEmpty() ? "unknown" : home);
  }

  private MemberStatusProto member(int position) {
    return position < status.getMembersCount()
        ? status.getMembers(position)
        : MemberStatusProto.newBuilder().setGone(true).build();
  }
}
