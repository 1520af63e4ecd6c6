package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Sweeps;
import org.braid.hdfs.proto.BraidProtos.SweepRequestProto;
import org.braid.hdfs.proto.BraidProtos.SweepResponseProto;
import org.junit.jupiter.api.Test;

final class SweepsTest {
  private final List<SweepRequestProto> asked = new ArrayList<>();

  /** Parts behind which the NameNode says that there are more. */
  private int more;

  private final Sweeps sweeps = new Sweeps(this::sweep, 2);

  private SweepResponseProto sweep(SweepRequestProto request) {
    asked.add(request);
    SweepResponseProto.Builder swept =
        SweepResponseProto.newBuilder().addAllDeleted(request.getReplicatedStripesList());
    return asked.size() <= more ? swept.setNext("s" + asked.size()).build() : swept.build();
  }

  private List<List<String>> named() {
    return asked.stream().map(request -> List.copyOf(request.getReplicatedStripesList())).toList();
  }

  /** Or a handler would be busy for as long as a restoration has stripes. */
  @Test
  void aCallNamesOnlySomeStripes() throws Exception {
    assertEquals(5, sweeps.some("lease", List.of("a", "b", "c", "d", "e"), false));
    assertEquals(List.of(List.of("a", "b"), List.of("c", "d"), List.of("e")), named());
  }

  @Test
  void leftoversAreSweptWithNoStripeNamed() throws Exception {
    assertEquals(0, sweeps.some("lease", List.of(), false));
    assertEquals(List.of(List.of()), named());
  }

  @Test
  void allStripesAreLookedAtPartByPart() throws Exception {
    more = 2;
    sweeps.all("lease", () -> false);
    assertEquals(List.of("", "s1", "s2"), asked.stream().map(SweepRequestProto::getAfter).toList());
  }

  @Test
  void theRestIsLeftToTheNextTime() throws Exception {
    more = 9;
    sweeps.all("lease", () -> asked.size() == 3);
    assertEquals(3, asked.size());
  }
}
