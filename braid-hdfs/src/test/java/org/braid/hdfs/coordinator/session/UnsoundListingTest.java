package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.junit.jupiter.api.Test;

final class UnsoundListingTest {
  private final FakeCluster cluster = new FakeCluster(5, 1);
  private final List<String> behind = new ArrayList<>();

  /** For each page whether the NameNode has the nodes in the same service as the caller. */
  private final List<Boolean> same = new ArrayList<>();

  private StripesResponseProto stripes(StripesRequestProto request) {
    assertEquals(7, request.getLimit());
    behind.add(request.getAfter());
    same.add(request.getUnsoundOn().equals(cluster.look().seen()));
    if (behind.size() == 1) {
      cluster.retire("r0n0");
    }
    return StripesResponseProto.newBuilder()
        .setMore(behind.size() < 3)
        .setLast("s" + behind.size())
        .build();
  }

  /** Else all stripes behind the page would be listed, sound ones, too. */
  @Test
  void aListingGoesOnWithNodesAsTheyAreWhenOneChangesItsService() throws Exception {
    DamagedListing.unsound(this::stripes, 7, cluster::look, page -> assertEquals(List.of(), page));
    assertEquals(List.of("", "s1", "s2"), behind);
    assertEquals(List.of(true, true, true), same);
  }
}
