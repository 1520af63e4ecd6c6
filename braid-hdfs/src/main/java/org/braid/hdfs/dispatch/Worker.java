package org.braid.hdfs.dispatch;

import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.stripe.Datanode;

/**
 * A worker that answered.
 *
 * @param node its DataNode
 * @param answer its answer
 */
public record Worker(Datanode node, PingResponseProto answer) {
  /** Its address as a node of a plan, for the streams of other nodes. */
  public PeerProto peer(int number) {
    return PeerProto.newBuilder()
        .setNode(number)
        .setHost(node.ip())
        .setPort(answer.getStreamPort())
        .setUuid(node.uuid())
        .build();
  }
}
