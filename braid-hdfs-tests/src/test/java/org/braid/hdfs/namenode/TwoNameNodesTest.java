package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TwoNameNodesTest {
  @TempDir Path directory;

  @Test
  void eachPolicyFindsItsOwnPlugin() throws Exception {
    try (NameNodeFixture one = NameNodeFixture.start(directory.resolve("one"), 3, 3, Map.of());
        NameNodeFixture other = NameNodeFixture.start(directory.resolve("other"), 3, 3, Map.of())) {
      for (NameNodeFixture fixture : List.of(one, other)) {
        var topology = fixture.blocks().getDatanodeManager().getNetworkTopology();
        assertEquals(
            fixture.cluster.nameNode(),
            BraidNameNodePlugin.of(topology).orElseThrow().host().nameNode());
        FileProto file = fixture.write("/f", 2, 3);
        StripeProto stripe = fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
        assertEquals(List.of(), fixture.trim(stripe.getId()));
        for (var member : stripe.getMembersList()) {
          assertEquals(Set.of(member.getHome()), fixture.holders(member.getBlock().getId()));
        }
      }
      var closed = other.blocks().getDatanodeManager().getNetworkTopology();
      other.cluster.stopNameNode();
      assertTrue(BraidNameNodePlugin.of(closed).isEmpty());
      assertTrue(one.stripes().size() == 1);
    }
  }
}
