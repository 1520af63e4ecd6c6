package org.braid.hdfs.coordinator.scrub;

import java.io.IOException;
import java.util.Optional;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.HashRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.stripe.StripeStatus;

/** The calls of a scrub on workers and the NameNode. */
interface ReplicaCalls {
  /**
   * Has a worker read a replica.
   *
   * @param hash the requested hashes; empty for none
   */
  ScrubResponseProto look(Datanode node, Member member, Optional<HashRequestProto> hash)
      throws IOException;

  /** Has a worker read a replica and report it to HDFS if it is bad. */
  ScrubResponseProto report(Datanode node, Member member) throws IOException;

  /** The current state of a stripe; empty when it no longer exists. */
  Optional<StripeStatus> now(StripeStatus status) throws IOException;

  /**
   * Calls on a cluster.
   *
   * @param rate bytes a second that a worker reads at most
   */
  static ReplicaCalls of(NameNodeCalls nameNode, Workers workers, long rate) {
    return new ReplicaCalls() {
      @Override
      public ScrubResponseProto look(Datanode node, Member member, Optional<HashRequestProto> hash)
          throws IOException {
        ScrubRequestProto.Builder request = request(member);
        hash.ifPresent(request::setHash);
        return workers.scrub(node, request.build());
      }

      @Override
      public ScrubResponseProto report(Datanode node, Member member) throws IOException {
        return workers.scrub(node, request(member).setReport(true).build());
      }

      private ScrubRequestProto.Builder request(Member member) {
        return ScrubRequestProto.newBuilder()
            .setBlock(StripeCodec.toProto(member.block()))
            .setCrc32C(member.crc())
            .setRate(rate);
      }

      @Override
      public Optional<StripeStatus> now(StripeStatus status) throws IOException {
        return nameNode.stripesOf(status.stripe().blockIds()).stream()
            .filter(other -> other.stripe().id().equals(status.stripe().id()))
            .findFirst();
      }
    };
  }
}
