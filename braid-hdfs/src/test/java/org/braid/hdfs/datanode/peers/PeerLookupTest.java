package org.braid.hdfs.datanode.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StatusCodec;
import org.junit.jupiter.api.Test;

final class PeerLookupTest {
  private static Datanode node(String uuid) {
    return Datanode.builder(uuid)
        .host(uuid)
        .ip("10.0.0.1")
        .ipcPort(1)
        .transferPort(2)
        .rack("/r")
        .build();
  }

  /** During an upgrade a NameNode of an earlier version lists the whole cluster. */
  @Test
  void ofAllNodesTheOneThatWasAskedForCounts() {
    ClusterResponseProto all =
        ClusterResponseProto.newBuilder()
            .setBlockPool("BP-1")
            .setSafeMode(false)
            .addDatanodes(StatusCodec.toProto(node("a")))
            .addDatanodes(StatusCodec.toProto(node("b")))
            .build();
    assertEquals(Optional.of("b"), PeerLookup.named(all, "b").map(Datanode::uuid));
    assertEquals(Optional.empty(), PeerLookup.named(all, "c"));
  }
}
