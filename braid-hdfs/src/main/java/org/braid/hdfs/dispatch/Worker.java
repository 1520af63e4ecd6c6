package org.braid.hdfs.dispatch;

import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.stripe.Datanode;

/**
 * A worker that answered.
 *
 * @param node its DataNode
 * @param answer what it said
 */
public record Worker(Datanode node, PingResponseProto answer) {
  /** Where others find its streams, when it is that node of a plan. */
  public PeerProto peer(int number) {
    return PeerProto.newBuilder()
        .setNode(number)
        .setHost(node.ip())
        .setPort(answer.getStreamPort())
        .setUuid(node.uuid())
        .build();
  }
}
