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
    try (Bed one = Bed.start(directory.resolve("one"), 3, 3, Map.of());
        Bed other = Bed.start(directory.resolve("other"), 3, 3, Map.of())) {
      for (Bed bed : List.of(one, other)) {
        var topology = bed.blocks().getDatanodeManager().getNetworkTopology();
        assertEquals(
            bed.cluster.nameNode(),
            BraidNameNodePlugin.of(topology).orElseThrow().host().nameNode());
        FileProto file = bed.write("/f", 2, 3);
        StripeProto stripe = bed.publish("rs-2-1", file.getBlocksList(), x -> x);
        assertEquals(List.of(), bed.trim(stripe.getId()));
        for (var member : stripe.getMembersList()) {
          assertEquals(Set.of(member.getHome()), bed.holders(member.getBlock().getId()));
        }
      }
      var closed = other.blocks().getDatanodeManager().getNetworkTopology();
      other.cluster.stopNameNode();
      assertTrue(BraidNameNodePlugin.of(closed).isEmpty());
      assertTrue(one.stripes().size() == 1);
    }
  }
}
