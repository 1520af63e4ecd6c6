package org.braid.hdfs.dispatch;

import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;

/**
 * A worker that answered.
 *
 * @param node its DataNode
 * @param answer what it said
 */
public record Worker(DatanodeProto node, PingResponseProto answer) {
  /** Where others find its streams, when it is that node of a plan. */
  PeerProto peer(int number) {
    return PeerProto.newBuilder()
        .setNode(number)
        .setHost(node.getIp())
        .setPort(answer.getStreamPort())
        .setUuid(node.getUuid())
        .build();
  }
}
