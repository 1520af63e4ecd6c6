package org.braid.hdfs.coordinator.scrub;

import java.io.IOException;
import java.util.Optional;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeStatus;

/** What a scrub asks of workers and the NameNode. */
interface ReplicaCalls {
  /** Has a worker read a replica. */
  ScrubResponseProto look(Datanode node, Member member) throws IOException;

  /** The same, and HDFS is told if it is bad. */
  ScrubResponseProto report(Datanode node, Member member) throws IOException;

  /** A stripe as it is now; empty when there is none any more. */
  Optional<StripeStatus> now(StripeStatus status) throws IOException;

  /**
   * Calls on a cluster.
   *
   * @param rate bytes a second that a worker reads at most
   */
  static ReplicaCalls of(NameNodeCalls nameNode, Workers workers, long rate) {
    return new ReplicaCalls() {
      @Override
      public ScrubResponseProto look(Datanode node, Member member) throws IOException {
        return workers.scrub(node, member.block(), member.crc(), rate);
      }

      @Override
      public ScrubResponseProto report(Datanode node, Member member) throws IOException {
        return workers.report(node, member.block(), member.crc(), rate);
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
